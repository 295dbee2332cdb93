import { normalized } from './normalized.ts';

/** Invisible characters: the soft hyphen, zero-width characters and the byte order mark. */
export const UNSEEN = '\\u00ad\\u200b-\\u200d\\u2060\\ufeff';

/** Accents; the vowel points and reading marks of Hebrew and Arabic; the stroke that lengthens Arabic words. */
const MARKS =
  '\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7' +
  '\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed';
const DROPPED = new RegExp(`[${UNSEEN}${MARKS}]`, 'gu');

/** Letters that have another form at the end of a word, or no capital of one letter. */
const ONE_FORM: Readonly<Record<string, string>> = { ß: 'ss', ı: 'i', ς: 'σ' };

/** A text as it is compared when people search: without regard to capitals, accents and compatibility forms. */
export function fold(text: string): string {
  const plain = normalized(text, 'NFKD')
    .replace(DROPPED, '')
    .toLowerCase()
    .replace(/[ßıς]/gu, (letter) => ONE_FORM[letter] as string);
  return normalized(plain, 'NFC');
}
