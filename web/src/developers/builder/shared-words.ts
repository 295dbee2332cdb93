import { fold } from '#platform/text/fold.ts';

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a text has a word of another one. One without words says nothing else. */
export function sharesWord(text: string, other: string): boolean {
  const own = wordsOf(text);
  const others = new Set(wordsOf(other));
  return own.length === 0 || own.some((word) => others.has(word));
}
