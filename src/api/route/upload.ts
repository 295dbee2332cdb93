import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Spool, SpooledFile } from '#platform/files/index.ts';
import {
  ApiError,
  InvalidFields,
  type SizeLimit,
  TooLarge,
  UnreadableBody,
  UnsupportedMediaType,
} from '../errors.ts';

/** How the parser is kept from holding anything of size: the file itself passes through it. */
const LIMITS = { fileSize: Number.POSITIVE_INFINITY, files: 1, fields: 20, fieldSize: 1024, parts: 21 };
const TOO_MANY = `Send one file, in the field \`file\`, and at most ${LIMITS.fields} other fields`;
/** The allowance of a multipart body for everything but the file: boundaries, headers, small fields. */
const AROUND_BYTES = 65_536;

export interface Upload {
  readonly file: SpooledFile;
  /** As the sender calls it. */
  readonly name: string | undefined;
  /** The other fields, each as it was sent first. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Lets the routes of this scope take files. */
export async function takeUploads(app: FastifyInstance): Promise<void> {
  await app.register(multipart, { limits: LIMITS });
}

/**
 * Reads the one file of a multipart body, without ever holding more than a piece of it, and removes it when the work is
 * done.
 * @throws UnsupportedMediaType @throws TooLarge @throws InvalidFields @throws UnreadableBody
 */
export async function withUpload<T>(
  request: FastifyRequest,
  { spool, limit }: { spool: Spool; limit: SizeLimit },
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  const upload = await readUpload(request, spool, limit);
  try {
    await request.admitAgain?.('body');
    return await work(upload);
  } finally {
    await upload.file.discard();
  }
}

async function readUpload(request: FastifyRequest, spool: Spool, limit: SizeLimit): Promise<Upload> {
  if (!request.isMultipart()) {
    throw new UnsupportedMediaType(undefined, 'Send the file as multipart/form-data');
  }
  if (Number(request.headers['content-length'] ?? 0) > limit.bytes + AROUND_BYTES) throw new TooLarge(limit);
  let upload: Upload | undefined;
  const fields = new Map<string, string>();
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') {
        if (!fields.has(part.fieldname)) fields.set(part.fieldname, String(part.value));
        continue;
      }
      if (part.fieldname !== 'file') throw required();
      upload = { name: part.filename, fields, file: await spool.receive(atMost(limit, part.file)) };
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

async function* atMost(limit: SizeLimit, content: AsyncIterable<Uint8Array>) {
  let size = 0;
  try {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > limit.bytes) throw new TooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    // The parser throws plain errors for a body that breaks off.
    throw error instanceof ApiError ? error : new UnreadableBody(undefined, undefined, error);
  }
}

/** The rest of a refused body is read and forgotten, so that the sender gets to see the answer. */
function letPass({ raw }: FastifyRequest): void {
  raw.unpipe();
  raw.resume();
}

/** The parser throws plain errors for a body that breaks off or has no boundary. */
function readable(error: Error & { statusCode?: number; code?: string; syscall?: string }): Error {
  if (error instanceof ApiError || error.syscall !== undefined) return error;
  if (/^FST_(?:PARTS|FILES|FIELDS)_LIMIT$/.test(error.code ?? ''))
    return new UnreadableBody(undefined, TOO_MANY);
  return new UnreadableBody(undefined, undefined, error);
}
