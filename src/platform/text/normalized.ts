/** Characters that follow a letter, the voiced marks of half-width kana among them. */
const MARK = '\\p{M}\\uff9e\\uff9f';
const MOST_MARKS = 30;
const CROWDED = new RegExp(`[${MARK}]{${MOST_MARKS + 1}}`, 'u');
const PIECES = new RegExp(`[^${MARK}]+[${MARK}]{0,${MOST_MARKS}}|[${MARK}]{1,${MOST_MARKS}}`, 'gu');

/**
 * A text in a Unicode normalisation form. The marks of one letter are put into an order, which takes time that grows with
 * the square of their number: 100,000 of them take seconds. No language has more than a few (UAX #15 §13, Stream-Safe Text
 * Format), so a longer row of them is normalised in pieces.
 */
export function normalized(text: string, form: 'NFC' | 'NFKD'): string {
  if (!CROWDED.test(text)) return text.normalize(form);
  return (text.match(PIECES) ?? []).map((piece) => piece.normalize(form)).join('');
}
