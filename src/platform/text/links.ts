import { type Format, type Inline, linesOf, readText } from './formatting.ts';

/** Of a text, so many links are links to others than its readers. */
export const MOST_LINKS = 100;

/** @returns the first links of a message's text, each once; none of those in code */
export function linksIn(text: string, format?: Format): string[] {
  if (!text.includes('://')) return [];
  const found = [...linesOf(readText(text, format))].flatMap(linksAmong);
  return [...new Set(found)].slice(0, MOST_LINKS);
}

const linksAmong = (pieces: readonly Inline[]): string[] =>
  pieces.flatMap((piece) => {
    if (piece.kind === 'link') return piece.url.startsWith('http') ? [piece.url] : [];
    return 'children' in piece ? linksAmong(piece.children) : [];
  });
