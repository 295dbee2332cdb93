import { fold } from '#platform/text/fold.ts';

const wordsOf = (text: string): string[] => fold(text).split(/\s+/).filter(Boolean);

/** @returns whether each word of a query stands somewhere in a text, letters being compared as the server does in its search */
export function hasWords(text: string, query: string): boolean {
  const folded = fold(text);
  return wordsOf(query).every((word) => folded.includes(word));
}

/** @returns whether each word of a query begins a word of a name */
export function hasBeginnings(name: string, query: string): boolean {
  const words = wordsOf(name);
  return wordsOf(query).every((start) => words.some((word) => word.startsWith(start)));
}
