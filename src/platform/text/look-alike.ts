/**
 * Letters of other alphabets that look like Latin ones: of Cyrillic letters alone, "аррӏе" passes for a Latin word (UTS #39
 * §4.2, whole-script confusables). The lists are those by which Chromium shows the ASCII form of such a host.
 */
const LIKE_LATIN: readonly (readonly [alphabet: RegExp, letters: RegExp])[] = [
  [/\p{Script=Cyrillic}/u, /^[аысԁеԍһіюјӏорԗԛѕԝхуъьҽпгѵѡ\P{L}]+$/u],
  [/\p{Script=Greek}/u, /^[αικνρυωηοτ\P{L}]+$/u],
  [/\p{Script=Armenian}/u, /^[ագզէլհյոսւօ\P{L}]+$/u],
];

/**
 * @param context a text in the same alphabet explains such a word: the top-level domain of an address
 * @returns whether all letters of a word are of another alphabet, and all look like Latin ones
 */
export const passesForLatin = (word: string, context: string): boolean =>
  LIKE_LATIN.some(
    ([alphabet, letters]) =>
      alphabet.test(word) && letters.test(word.toLowerCase()) && !alphabet.test(context),
  );
