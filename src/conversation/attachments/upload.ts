import type { FastifyRequest } from 'fastify';
import { ApiError, InvalidFields, TooLarge, UnreadableBody, UnsupportedMediaType } from '#api';
import type { SpooledFile } from '#platform/files/index.ts';

/** The allowance of a multipart body for everything but the file: boundaries, headers, small fields. */
const AROUND_BYTES = 65_536;

export interface Upload {
  readonly file: SpooledFile;
  /** As the sender calls it. */
  readonly name: string | undefined;
}

type Receive = (content: AsyncIterable<Uint8Array>) => Promise<SpooledFile>;

/**
 * Reads the one file of a multipart body, without ever holding more than a piece of it.
 * @throws UnsupportedMediaType @throws TooLarge @throws InvalidFields @throws UnreadableBody
 */
export async function readUpload(
  request: FastifyRequest,
  receive: Receive,
  maxBytes: number,
): Promise<Upload> {
  if (!request.isMultipart()) {
    throw new UnsupportedMediaType(undefined, 'Send the file as multipart/form-data');
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + AROUND_BYTES)
    throw new TooLarge('MAX_UPLOAD_BYTES', maxBytes);
  let upload: Upload | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') continue;
      if (part.fieldname !== 'file') throw required();
      upload = { name: part.filename, file: await receive(part.file) };
    }
    if (!upload) throw required();
    return upload;
  } catch (error) {
    await upload?.file.discard();
    letPass(request);
    throw readable(error as Error & { statusCode?: number });
  }
}

function required(): InvalidFields {
  return new InvalidFields({ field: 'file', message: 'is required' });
}

/** The rest of a refused body is read and forgotten, so that the sender gets to see the answer. */
function letPass({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

/** The parser throws plain errors for a body that breaks off or has no boundary. */
function readable(error: Error & { statusCode?: number; code?: string; syscall?: string }): Error {
  if (error instanceof ApiError || error.syscall !== undefined) return error;
  return new UnreadableBody(undefined, undefined, error);
}
