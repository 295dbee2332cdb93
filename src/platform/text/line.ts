import { BLANK, INVISIBLE } from './seen.ts';

const ANY_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'gu');

/**
 * Invisible characters that change how the text is displayed and so belong to the word or picture: joiners after a
 * virama and between letters of joining scripts (UTS 31 §2.3), emoji sequences and flags (UTS 51), variants of
 * ideographs and of Mongolian letters.
 */
const NEEDED = new RegExp(
  [
    '(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2])[\\u200c\\u200d]',
    '(?<=[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}])(?<=[\\p{L}\\p{M}])\\u200c(?=\\p{L})',
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
    '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    '(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007e}]+\\u{e007f}',
    '(?<=\\p{scx=Han})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]',
    '(?<=\\p{scx=Mong})[\\u180b-\\u180d\\u180f]',
  ].join('|'),
  'gu',
);

const BLANKS = new RegExp(`[${BLANK}]+`, 'gu');

/** @returns the text without controls and what else is not seen, so that two that look alike are more often the same */
export function withoutInvisible(text: string): string {
  const needed = new Set<number>();
  for (const { 0: found, index } of text.matchAll(NEEDED)) {
    for (let place = index; place < index + found.length; place++) needed.add(place);
  }
  return text.replaceAll(ANY_INVISIBLE, (found, place: number) => (needed.has(place) ? found : ''));
}

/** @returns a name as it is kept: one line, single blanks, nothing that is not seen. Empty where nothing would be seen */
export function cleanLine(text: string): string {
  const line = withoutInvisible(text.toWellFormed().replaceAll(BLANKS, ' ')).replaceAll(BLANKS, ' ').trim();
  return /[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u.test(line) ? line : '';
}
