import { mediaTypeOf, readHead } from '#platform/files/index.ts';

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
  const found = await mediaTypeOf(head);
  if (found !== undefined && found !== 'application/xml') return found;
  const text = asText(head);
  if (text === undefined) return found ?? UNKNOWN;
  return markupType(text) ?? found ?? TEXT;
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
