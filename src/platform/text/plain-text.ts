import { type Block, type Inline, readText } from './formatting.ts';

/** @returns a message's text as it reads, without the signs of its formatting. @param object what `{0}` stands for */
export const plainText = (text: string, object = '{0}'): string =>
  readText(text)
    .map((block) => plainBlock(block, object))
    .join('\n');

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
    case 'object':
      return object;
    default:
      return piece.text;
  }
}
