import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotFound } from '#api';
import type { ByteRange, FileStore } from '#platform/files/index.ts';
import type { AttachmentRow } from '#schema';
import { readRange } from './byte-range.ts';
import { servedAs } from './content-type.ts';
import { ofExactLength } from './exact-length.ts';

/** An upload that is opened on its own must not run, load anything or pass for something else. */
const HARMLESS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** A file never changes; but who may see it does, so it is asked for each time. */
const CACHING = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };

/** @throws NotFound @throws RangeNotSatisfiable */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  files: FileStore,
  what: 'file' | 'thumbnail',
  row: AttachmentRow,
): Promise<FastifyReply> {
  reply.headers(HARMLESS);
  return what === 'file' ? sendWhole(request, reply, files, row) : sendThumbnail(request, reply, files, row);
}

async function sendWhole(
  request: FastifyRequest,
  reply: FastifyReply,
  files: FileStore,
  row: AttachmentRow,
): Promise<FastifyReply> {
  const etag = `"${row.id}"`;
  if (isKnown(request, etag)) return notModified(reply, etag);
  const range = askedRange(request, reply, etag, row.size);
  const content = await open(request, files, row.file, range);
  const size = range ? range.last - range.first + 1 : row.size;
  const { type, disposition } = servedAs(row.content_type);
  reply.headers({
    ...CACHING,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Content-Length': size,
    'Content-Disposition': contentDisposition(row.name, { type: disposition }),
  });
  if (range) reply.code(206).header('Content-Range', `bytes ${range.first}-${range.last}/${row.size}`);
  return reply.type(type).send(request.method === 'HEAD' ? content : ofExactLength(content, size));
}

async function sendThumbnail(
  request: FastifyRequest,
  reply: FastifyReply,
  files: FileStore,
  row: AttachmentRow,
): Promise<FastifyReply> {
  if (row.thumbnail_file === null) throw new NotFound();
  return sendPicture(request, reply, files, { etag: `"${row.id}-thumbnail"`, file: row.thumbnail_file });
}

/** Sends a picture that this server has encoded. @throws NotFound */
export async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  files: FileStore,
  { etag, file }: { etag: string; file: string },
): Promise<FastifyReply> {
  reply.headers(HARMLESS);
  if (isKnown(request, etag)) return notModified(reply, etag);
  const content = await open(request, files, file);
  return reply
    .headers({ ...CACHING, ETag: etag, 'Content-Disposition': 'inline' })
    .type('image/webp')
    .send(content);
}

/** RFC 9110 §13.1.2. */
function isKnown(request: FastifyRequest, etag: string): boolean {
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim());
  return known.some((one) => one === '*' || one.replace(/^W\//, '') === etag);
}

function notModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply
    .code(304)
    .headers({ ...CACHING, ETag: etag })
    .send();
}

/** RFC 9110 §13.1.5: with `If-Range`, a part is sent only of the very file that the caller has begun. */
function askedRange(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  size: number,
): ByteRange | undefined {
  const { range, 'if-range': ifRange } = request.headers;
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  reply.header('Content-Range', `bytes */${size}`);
  const asked = readRange(range, size);
  reply.removeHeader('Content-Range');
  return asked;
}

async function open(
  request: FastifyRequest,
  files: FileStore,
  name: string,
  range?: ByteRange,
): Promise<Readable> {
  if (request.method === 'HEAD') return Readable.from([]);
  const content = await files.get(name, range);
  if (content) return content;
  // The row is there and the bytes are not: an incomplete backup was put back.
  request.log.warn({ file: name }, 'the file store lacks a file');
  throw new NotFound();
}
