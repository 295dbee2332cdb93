import { normalized } from './normalized.ts';

/** Invisible characters: the soft hyphen, zero-width characters and the byte order mark. */
export const UNSEEN = '\\u00ad\\u200b-\\u200d\\u2060\\ufeff';

/** Accents; the vowel points and reading marks of Hebrew and Arabic; the stroke that lengthens Arabic words. */
const MARKS =
  '\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7' +
  '\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed';
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;
const DROPPED = new RegExp(`[${UNSEEN}${MARKS}]`, 'gu');

/**
 * Letters that stand for others although Unicode does not take them apart: those with a stroke or a hook, two letters in
 * one, and forms that have no capital or stand at the end of a word. Latin ones as in CLDR's transform "Latin-ASCII".
 */
const LETTERS: ReadonlyMap<string, string> = new Map(
  [
    ...['ßss', 'ıi', 'ςσ', 'æae', 'œoe', 'þth', 'ꜳaa', 'ꜵao', 'ꜷau', 'ꜹav', 'ꜽay', 'ꝏoo', 'ĸq', 'ȷj'],
    ...['ⱥa', 'ƀb', 'ɓb', 'ƃb', 'ȼc', 'ƈc', 'đd', 'ðd', 'ɖd', 'ɗd', 'ƌd', 'ɇe', 'ǝe', 'əe', 'ɛe', 'ƒf'],
    ...['ǥg', 'ɠg', 'ħh', 'ⱨh', 'ɨi', 'ɩi', 'ɉj', 'ƙk', 'ⱪk', 'łl', 'ƚl', 'ɫl', 'ⱡl', 'ŋn', 'ɲn', 'ƞn'],
    ...['øo', 'ɔo', 'ɵo', 'ƥp', 'ᵽp', 'ɋq', 'ɍr', 'ɽr', 'ȿs', 'ŧt', 'ƭt', 'ʈt', 'ⱦt', 'ʉu', 'ʋv', 'ⱳw'],
    ...['ɏy', 'ƴy', 'ƶz', 'ȥz', 'ɀz', 'ⱬz'],
  ].map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
const ANY_LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'gu');

/**
 * A text as it is compared when people search: without regard to capitals, accents, strokes and compatibility forms. Its
 * results are stored, as keys of people and words of messages: a change has to make them again.
 */
export function fold(text: string): string {
  // Most texts. All that follows leaves them as they are, and takes several times as long.
  if (ASCII.test(text)) return text.toLowerCase();
  const plain = normalized(text, 'NFKD')
    .replace(DROPPED, '')
    .toLowerCase()
    .replace(ANY_LETTER, (letter) => LETTERS.get(letter) as string);
  return normalized(plain, 'NFC');
}

/** The words of a name as it is searched for: folded, without what stands between them. */
export const foldedWords = (text: string): string[] => fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
