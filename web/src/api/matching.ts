import { fold, foldedWords } from '#platform/text/fold.ts';

const wordsOf = (text: string): string[] => fold(text).split(/\s+/).filter(Boolean);

/** @returns whether each word of a query stands somewhere in a text, letters being compared as the server does in its search */
export function hasWords(text: string, query: string): boolean {
  const folded = fold(text);
  return wordsOf(query).every((word) => folded.includes(word));
}

/** @returns whether each word of a query begins a word of a name */
export const hasBeginnings = (name: string, query: string): boolean => begins(wordsOf(name), wordsOf(query));

const begins = (words: readonly string[], query: readonly string[]) =>
  query.every((start) => words.some((word) => word.startsWith(start)));

/** @returns whether the server finds a person by a query: by a part of the full name as it is, or by beginnings of words */
export function isCalled(
  person: { readonly first_name: string; readonly last_name: string; readonly username: string },
  query: string,
): boolean {
  const full = `${person.first_name} ${person.last_name}`;
  if (full.toLowerCase().includes(query.toLowerCase())) return true;
  const words = foldedWords(query);
  return words.length > 0 && begins(foldedWords(`${full} ${person.username}`), words);
}
