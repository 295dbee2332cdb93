import { type Block, type Inline, readText } from './formatting.ts';

/** @returns a message's text as it reads, without the signs of its formatting. @param object what `{0}` stands for */
export const plainText = (text: string, object = '{0}'): string =>
  readText(text)
    .map((block) => plainBlock(block, object))
    .join('\n');

/** Of a text, so many times the characters of an excerpt are read: signs of formatting and blanks are not shown. */
const READ_FOR_EACH = 4;

/** @returns the beginning of the same, of so many characters at the most; the rest of the text is not read */
export function plainExcerpt(text: string, characters: number, object?: string): string {
  const beginning = shorten(text.trim(), READ_FOR_EACH * characters);
  return shorten(plainText(beginning, object).trim(), characters);
}

/** Cuts after so many characters, never through one. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function plainBlock(block: Block, object: string): string {
  if (block.kind === 'code') return block.text;
  if (block.kind === 'paragraph') return plain(block.children, object);
  const { start, items } = block;
  return items
    .map((item, at) => `${start === undefined ? '•' : `${start + at}.`} ${plain(item, object)}`)
    .join('\n');
}

const plain = (pieces: readonly Inline[], object: string): string =>
  pieces.map((piece) => plainPiece(piece, object)).join('');

function plainPiece(piece: Inline, object: string): string {
  switch (piece.kind) {
    case 'strong':
    case 'em':
      return plain(piece.children, object);
    case 'mention':
      return `@${piece.text}`;
    case 'emoji':
      return `:${piece.text}:`;
    case 'object':
      return object;
    default:
      return piece.text;
  }
}
