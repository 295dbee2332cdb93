import { InvalidFields } from '#api';
import { emojiLike } from '#platform/text/index.ts';

export const SHORTEST_NAME = 2;
export const LONGEST_NAME = 32;
const PATTERN = new RegExp(`^[a-z0-9_+-]{${SHORTEST_NAME},${LONGEST_NAME}}$`);
/** Between colons these would also be parts of times and of network addresses. */
const DIGITS = /^[0-9a-f+-]+$/;

/** Folds a name as people write it: `:Party_Parrot:` is `party_parrot`. */
export const foldName = (text: string): string =>
  text
    .trim()
    .replace(/^:(.*):$/, '$1')
    .toLowerCase();

/** Whether a custom emoji may have had this name: reactions outlive theirs. */
export const isEmojiName = (text: string): boolean => PATTERN.test(text);

/** @returns the name, folded @throws InvalidFields for one that no custom emoji may have */
export function readName(text: string): string {
  const name = foldName(text);
  const problem = problemOf(name);
  if (problem) throw new InvalidFields({ field: 'name', message: problem });
  return name;
}

function problemOf(name: string): string | undefined {
  if (!isEmojiName(name))
    return `must be ${SHORTEST_NAME} to ${LONGEST_NAME} of the letters a to z, digits, _, + and -`;
  if (DIGITS.test(name))
    return 'must have an _ or a letter from g to z: it could be part of a time or an address';
  const like = emojiLike(name);
  if (like) return `is the name of ${like}, or passes for it; choose another one`;
  return undefined;
}
