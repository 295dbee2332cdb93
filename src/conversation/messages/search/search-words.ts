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

const foldWord = (word: string) => fold(word).replaceAll(/[+#]/g, (sign) => SIGNS[sign] as string);

function tokensOf(word: string): string[] {
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
  const hits = matches(text, terms);
  const first = hits[0]?.[0] ?? 0;
  const from = first > BEFORE ? startOfWord(text, first - BEFORE) : 0;
  const to = Math.min(text.length, from + AROUND);
  const pieces: Piece[] = [];
  let at = from;
  for (const [start, end] of hits) {
    if (start < at || start >= to) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), match: false });
    at = Math.min(end, to);
    pieces.push({ text: text.slice(start, at).toWellFormed(), match: true });
  }
  if (at < to) pieces.push({ text: text.slice(at, to).toWellFormed(), match: false });
  return pieces;
}

function startOfWord(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return space === -1 || space > at + BEFORE ? at : space + 1;
}

/** The positions of terms in a text: start and end of each, in order, without overlaps. */
function matches(text: string, terms: readonly Term[]): [number, number][] {
  const found: [number, number][] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    for (const [start, end] of matchesInWord(word, terms)) {
      if (index + start >= (found.at(-1)?.[1] ?? 0)) found.push([index + start, index + end]);
    }
  }
  return found;
}

function matchesInWord(word: string, terms: readonly Term[]): [number, number][] {
  const folded = foldWord(word);
  const sequences = terms.filter(({ isPrefix, tokens }) => !isPrefix || tokens.length > 1);
  if (sequences.length > 0 && folded.length === word.length) {
    const inside = sequences.flatMap(({ tokens }) => occurrences(folded, tokens.join('')));
    if (inside.length > 0) return inside.sort(([one], [other]) => one - other);
  }
  const whole = terms.some(({ tokens }) => tokens.length === 1 && folded.startsWith(tokens[0] as string));
  return whole ? [[0, word.length]] : [];
}

function occurrences(text: string, part: string): [number, number][] {
  const found: [number, number][] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) {
    found.push([at, at + part.length]);
  }
  return found;
}
