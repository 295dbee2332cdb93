import { type Inline, readText } from './formatting.ts';

/** @returns the links of a message's text as they are written, each once; none of those in code */
export function linksIn(text: string): string[] {
  if (!text.includes('://')) return [];
  const found = readText(text).flatMap((block) => {
    if (block.kind === 'code') return [];
    return block.kind === 'list' ? block.items.flatMap(linksOf) : linksOf(block.children);
  });
  return [...new Set(found)];
}

const linksOf = (pieces: readonly Inline[]): string[] =>
  pieces.flatMap((piece) => {
    if (piece.kind === 'link') return [piece.text];
    return 'children' in piece ? linksOf(piece.children) : [];
  });
