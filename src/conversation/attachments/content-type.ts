import { open } from 'node:fs/promises';

/** How much is looked at: enough for every kind, too little for a file that expands when it is read. */
const HEAD_BYTES = 4100;
const UNKNOWN = 'application/octet-stream';
const TEXT = 'text/plain';

/** Types that a browser only shows: none that can contain scripts or links (SVG, HTML, XML, PDF). */
const SHOWN = new Set([
  TEXT,
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/x-m4a',
  'video/mp4',
  'video/ogg',
  'video/quicktime',
  'video/webm',
  'video/x-m4v',
]);

/** How a file's bytes are served: shown in place, or only to be saved, under a type that no browser interprets. */
export function servedAs(contentType: string): { type: string; disposition: 'inline' | 'attachment' } {
  if (!SHOWN.has(contentType)) return { type: UNKNOWN, disposition: 'attachment' };
  const type = contentType === TEXT ? `${TEXT}; charset=utf-8` : contentType;
  return { type, disposition: 'inline' };
}

/** The type that the content itself shows. */
export async function contentTypeOf(path: string): Promise<string> {
  const head = await readHead(path);
  const found = await detect(head);
  if (found !== undefined && found !== 'application/xml') return found;
  const text = asText(head);
  if (text === undefined) return found ?? UNKNOWN;
  return markupType(text) ?? found ?? TEXT;
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** @returns the media type without parameters */
async function detect(head: Buffer): Promise<string | undefined> {
  // Loaded by the first upload, like the picture library.
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (await fileTypeFromBuffer(head))?.mime.split(';')[0];
  } catch {
    // A file that begins like a known kind and goes on otherwise is of no known kind.
    return UNKNOWN;
  }
}

/** UTF-8 without control characters; a character may be cut off at the end. */
function asText(head: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells other files from text
    return /[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Text that begins with a tag is markup, and not shown: rather a harmless text too many than a page too many. */
function markupType(text: string): string | undefined {
  if (!/^\s*</.test(text)) return undefined;
  if (/<svg[\s>]/i.test(text)) return 'image/svg+xml';
  return /<(!doctype html|html|head|body|script|iframe)\b/i.test(text) ? 'text/html' : 'application/xml';
}
