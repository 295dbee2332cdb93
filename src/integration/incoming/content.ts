import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { type SizeLimit, TooLarge, UnreadableBody, UnsupportedMediaType } from '#api';

const UNPACKERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  'deflate-raw': promisify(inflateRaw),
  br: promisify(brotliDecompress),
} as const;

type Packing = keyof typeof UNPACKERS;

/**
 * The content of a body that may be compressed, also where its sender does not say so.
 * @param encoding the header `Content-Encoding`
 * @throws TooLarge before more than the limit is unpacked @throws UnreadableBody @throws UnsupportedMediaType
 */
export async function unpack(encoding: string, bytes: Buffer, limit: SizeLimit): Promise<Buffer> {
  const packing = bytes.length === 0 ? undefined : packingOf(encoding.trim().toLowerCase(), bytes);
  if (packing === undefined) return bytes;
  try {
    return await UNPACKERS[packing](bytes, { maxOutputLength: limit.bytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge(limit);
    throw new UnreadableBody(undefined, `The body is not valid ${encoding || packing}`, error);
  }
}

function packingOf(encoding: string, bytes: Buffer): Packing | undefined {
  // No text begins like that.
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (encoding === '' || encoding === 'identity') return isGzip ? 'gzip' : undefined;
  if (encoding === 'gzip' || encoding === 'x-gzip') return 'gzip';
  if (encoding === 'br') return 'br';
  // RFC 9110 §8.4.1.2: some senders leave the wrapper of RFC 1950 out.
  if (encoding === 'deflate')
    return bytes.readUInt8(0) % 16 === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0
      ? 'deflate'
      : 'deflate-raw';
  throw new UnsupportedMediaType(
    undefined,
    'The Content-Encoding is not supported here; send gzip, deflate, br, or none',
  );
}

/**
 * A body as text. Its first bytes count for more than the charset that the sender names, and UTF-8 for more than a
 * charset in which any bytes are right: libraries name ISO-8859-1 without a look at the body.
 * @throws UnreadableBody @throws UnsupportedMediaType
 */
export function decode(contentType: string, bytes: Buffer): string {
  const named = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1]?.toLowerCase();
  const charset = markedCharset(bytes) ?? (named === undefined || isOneByte(named) ? 'utf-8' : named);
  if (charset === 'utf-8' && isUtf8(bytes)) return bytes.toString('utf8');
  const used = charset === 'utf-8' ? (named ?? charset) : charset;
  try {
    return new TextDecoder(used, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError)
      throw new UnsupportedMediaType(undefined, `The charset ${used.slice(0, 40)} is not known; send UTF-8`);
    const hint = named === undefined ? '; name another charset in the Content-Type' : '';
    throw new UnreadableBody(undefined, `The body is not valid ${used.toUpperCase()}${hint}`, error);
  }
}

const isOneByte = (charset: string) =>
  /^(?:iso-?8859|latin|l1$|windows-125|cp125|us-ascii|ascii)/.test(charset);

/** By a byte order mark, or as RFC 4627 §3 tells: JSON begins with two characters of ASCII. */
function markedCharset([first, second, third]: Buffer): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 && second !== undefined ? 'utf-16be' : undefined;
}
