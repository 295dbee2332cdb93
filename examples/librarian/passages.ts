/** A paragraph, and how many of the words it has. */
export interface Passage {
  readonly text: string;
  readonly score: number;
}

/** Characters of a passage that is quoted. */
const LONGEST = 400;
/** Say nothing about what is asked for. */
const COMMON = new Set(
  'about and are can did does for from has have how our the their there they this was what when where which who why with you your'.split(
    ' ',
  ),
);

/** The words of a text that tell something, in lower case and each once. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    (
      text
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).filter((word) => word.length > 2 && !COMMON.has(word)),
  ),
];

/** The paragraphs of a text that have some of the words. */
export function passagesIn(text: string, words: readonly string[]): Passage[] {
  return text.split(/\n\s*\n/).flatMap((paragraph) => {
    const own = new Set(wordsOf(paragraph));
    const score = words.filter((word) => own.has(word)).length;
    return score === 0 ? [] : [{ text: paragraph.trim().slice(0, LONGEST), score }];
  });
}
