import { fold, UNSEEN } from '#platform/text/fold.ts';

/**
 * The rules for words. Both databases index the words that come from here, so they find the same: letters, digits
 * and marks of any language, folded, and plus or number signs at their end, which tell `C++` and `C#` from `C`.
 * Languages that put no spaces between words are indexed by character, and searched for as sequences of characters.
 */
const WORD = new RegExp(`[\\p{L}\\p{N}\\p{M}][\\p{L}\\p{N}\\p{M}${UNSEEN}]*[+#]*`, 'gu');
const BY_CHARACTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const SPLIT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const LONGEST = 64;
export const MOST_TERMS = 16;

/** A part of a search: one word, of which the beginning is enough, or characters that follow each other. */
export interface Term {
  readonly tokens: readonly string[];
  readonly isPrefix: boolean;
}

/** SQLite's index takes every sign of ASCII for a blank, and none of the private use area. */
const SIGNS: Readonly<Record<string, string>> = { '+': '\ue02b', '#': '\ue023' };

/** A word for which all rules come to lower case: most are. */
const PLAIN = /^[A-Za-z0-9]+$/;

const foldWord = (word: string) => fold(word).replaceAll(/[+#]/g, (sign) => SIGNS[sign] as string);

function tokensOf(word: string): string[] {
  if (PLAIN.test(word)) return [word.toLowerCase().slice(0, LONGEST)];
  const tokens = (foldWord(word).match(SPLIT) ?? []).map((token) => token.slice(0, LONGEST));
  // Behind a language that is indexed by character, a sign would be a word of its own.
  return tokens.filter((token) => !/^[\ue02b\ue023]/.test(token));
}

/** @returns every word of a text in order, as it is indexed */
export function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).flatMap(tokensOf);
}

/** @returns what is searched for; empty when the text has no word */
export function termsOf(text: string): Term[] {
  const terms = (text.match(WORD) ?? []).map((word) => {
    const tokens = tokensOf(word);
    return { tokens, isPrefix: !BY_CHARACTER.test(tokens.at(-1) ?? '') };
  });
  return terms.filter(({ tokens }) => tokens.length > 0).slice(0, MOST_TERMS);
}

/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  readonly text: string;
  readonly match: boolean;
}

const BEFORE = 60;
const AROUND = 200;

/** @returns the part of a text around the first match, in pieces; joined, they are that part */
export function snippet(text: string, terms: readonly Term[]): Piece[] {
  const pieces: Piece[] = [];
  let [from, to] = [0, Math.min(text.length, AROUND)];
  let at: number | undefined;
  for (const [start, end] of matches(text, terms)) {
    if (at === undefined) {
      from = start > BEFORE ? startOfWord(text, start - BEFORE) : 0;
      to = Math.min(text.length, from + AROUND);
      at = from;
    }
    if (start >= to) break;
    if (start < at) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), match: false });
    at = Math.min(end, to);
    pieces.push({ text: text.slice(start, at).toWellFormed(), match: true });
  }
  at ??= from;
  if (at < to) pieces.push({ text: text.slice(at, to).toWellFormed(), match: false });
  return pieces;
}

function startOfWord(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return space === -1 || space > at + BEFORE ? at : space + 1;
}

/** So many characters are one word, of which the beginning counts, or a row of characters of their own. */
const LONG = 1000;

/** Words that are looked through together, because most of them hold nothing that is searched for. */
const WORDS = new RegExp(`[\\s\\S]{1,256}[\\p{L}\\p{N}\\p{M}${UNSEEN}+#]*`, 'gu');

const hasSome = (text: string, parts: readonly string[]) => parts.some((part) => text.includes(part));

/** The positions of terms in a text: start and end of each, in order, without overlaps. They are found one by one. */
function* matches(text: string, terms: readonly Term[]): Generator<[number, number]> {
  const wanted = terms.map(({ tokens }) => tokens.join(''));
  let done = 0;
  for (const { 0: words, index: at } of text.matchAll(WORDS)) {
    if (words.length < LONG && !hasSome(foldWord(words), wanted)) continue;
    for (const { 0: word, index } of words.matchAll(WORD))
      for (const [start, end] of matchesInWord(word, terms)) {
        if (at + index + start < done) continue;
        done = at + index + end;
        yield [at + index + start, done];
      }
  }
}

function matchesInWord(word: string, terms: readonly Term[]): [number, number][] {
  const sequences = terms.filter(({ isPrefix, tokens }) => !isPrefix || tokens.length > 1);
  const folded = foldWord(sequences.length > 0 ? word : word.slice(0, LONG));
  if (sequences.length > 0) {
    const inside = occurrences(
      folded,
      sequences.map(({ tokens }) => tokens.join('')),
    );
    const placeOf = inside.length > 0 && placesIn(word, folded);
    if (placeOf) return inside.map(([start, end]) => [placeOf(start), placeOf(end)]);
  }
  const whole = terms.some(({ tokens }) => tokens.length === 1 && folded.startsWith(tokens[0] as string));
  return whole ? [[0, word.length]] : [];
}

const LETTERS = /[\s\S]\p{M}*/gu;

/**
 * From a place in a folded word to the one in the word, since some letters are folded to two, and marks to none.
 * @returns undefined where letters are folded together
 */
function placesIn(word: string, folded: string): ((place: number) => number) | undefined {
  const places: number[] = [];
  let again = '';
  for (const { 0: letter, index } of word.matchAll(LETTERS)) {
    const letters = foldWord(letter);
    again += letters;
    for (let at = 0; at < letters.length; at++) places.push(index);
  }
  return again === folded ? (place) => places[place] ?? word.length : undefined;
}

/** In order, from the first one as far as a text is shown. */
function occurrences(text: string, parts: readonly string[]): [number, number][] {
  const firsts = parts.map((part) => text.indexOf(part));
  const end = Math.min(...firsts.filter((at) => at >= 0)) + AROUND;
  const found = parts.flatMap((part, place) => {
    const ours: [number, number][] = [];
    for (let at = firsts[place] as number; at !== -1 && at < end; at = text.indexOf(part, at + part.length))
      ours.push([at, at + part.length]);
    return ours;
  });
  return found.sort(([one], [other]) => one - other);
}
