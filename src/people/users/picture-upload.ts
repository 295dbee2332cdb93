import type { FastifyRequest } from 'fastify';
import { withUpload } from '#api';
import type { Spool } from '#platform/files/index.ts';
import type { Origin } from '#platform/jobs/index.ts';
import { MAX_PICTURE_BYTES, type Pictures } from '#platform/pictures/index.ts';
import { makeVariants, type Variants } from './picture.ts';

/**
 * Reads the one `file` of a multipart body as a picture, and gives every variant of it.
 * @param origin whose turn it takes
 * @throws UnsupportedMediaType @throws TooLarge @throws InvalidFields @throws UnreadableBody @throws TooManyRequests
 */
export type ReadPicture = (request: FastifyRequest, origin: Origin) => Promise<Variants>;

/** @param maxUploadBytes of any upload; a picture may have less */
export function pictureReader(deps: {
  pictures: Pictures;
  spool: Spool;
  maxUploadBytes: number;
}): ReadPicture {
  const { pictures, spool, maxUploadBytes } = deps;
  const limit =
    maxUploadBytes < MAX_PICTURE_BYTES
      ? { bytes: maxUploadBytes, setting: 'MAX_UPLOAD_BYTES' as const }
      : { bytes: MAX_PICTURE_BYTES };
  return (request, origin) =>
    withUpload(request, { spool, limit }, ({ file }) => makeVariants(pictures, { origin, file: file.path }));
}
