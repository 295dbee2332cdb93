import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { InvalidFields, UnreadableBody, UnsupportedMediaType } from '#api';

/** Lets the routes of this scope take a picture of at most so many bytes. */
export async function takePictures(app: FastifyInstance, maxBytes: number): Promise<void> {
  await app.register(multipart, { limits: { fileSize: maxBytes, files: 1, fields: 0 } });
}

/**
 * The one `file` of a multipart body.
 * @throws UnsupportedMediaType @throws TooLarge @throws InvalidFields @throws UnreadableBody
 */
export async function readPicture(request: FastifyRequest): Promise<Buffer> {
  if (!request.isMultipart())
    throw new UnsupportedMediaType(undefined, 'Send the picture as multipart/form-data');
  const bytes = await readFile(request);
  if (!bytes) throw new InvalidFields({ field: 'file', message: 'is required' });
  return bytes;
}

/** @throws UnreadableBody for a multipart body that breaks off or has no boundary: the parser throws plain errors */
async function readFile(request: FastifyRequest): Promise<Buffer | undefined> {
  try {
    return await (await request.file())?.toBuffer();
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== undefined) throw error;
    throw new UnreadableBody(undefined, undefined, error);
  }
}
