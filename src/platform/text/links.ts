import { type Inline, readText } from './formatting.ts';

/** Of a text, so many links are links to others than its readers. */
export const MOST_LINKS = 100;

/** @returns the first links of a message's text as they are written, each once; none of those in code */
export function linksIn(text: string): string[] {
  if (!text.includes('://')) return [];
  const found = readText(text).flatMap((block) => {
    if (block.kind === 'code') return [];
    return block.kind === 'list' ? block.items.flatMap(linksOf) : linksOf(block.children);
  });
  return [...new Set(found)].slice(0, MOST_LINKS);
}

const linksOf = (pieces: readonly Inline[]): string[] =>
  pieces.flatMap((piece) => {
    if (piece.kind === 'link') return [piece.text];
    return 'children' in piece ? linksOf(piece.children) : [];
  });
