import { fold } from '#platform/text/fold.ts';
import { TONES, type Tone } from './chosen.ts';
import type { Words } from './emoji-data.ts';

/** An emoji as it is found by its names. */
export interface NamedEmoji {
  /** What is put into a text: an emoji of Unicode, in no skin tone. */
  readonly text: string;
  /** From light to dark; none where it has no skin. */
  readonly tones: readonly string[];
  /** Those of Slack and GitHub, the same in every language: `tada`. */
  readonly names: readonly string[];
  /** In the reader's language. */
  readonly label: string;
  /** The label, folded. */
  readonly key: string;
  /** Other words for it in the reader's language, folded, a blank before each. */
  readonly words: string;
}

/** The sign that asks for a picture is not in every file. */
const bare = (emoji: string) => emoji.replaceAll('\ufe0f', '');

/** @param names emoji by their names, as in `emoji-names.json` */
export function namedEmoji({ emojis }: Words, names: Readonly<Record<string, string>>): NamedEmoji[] {
  const namesOf = Map.groupBy(Object.keys(names), (name) => bare(names[name] as string));
  return emojis.map((one) => {
    const [kind = '', , label = '', ...tags] = one.split('|');
    const [text = '', ...tones] = kind.split(' ');
    // At once: to fold each word by itself takes several times as long.
    const words = fold([label, ...tags].join('|')).split('|');
    return {
      ...{ text, tones, label },
      names: namesOf.get(bare(text)) ?? [],
      key: words[0] ?? '',
      words: words.map((word) => ` ${word}`).join(''),
    };
  });
}

/** @returns the emoji in a skin tone, where it has one */
export const inTone = ({ text, tones }: NamedEmoji, tone: Tone): string =>
  (tone === 'none' ? undefined : tones[TONES.indexOf(tone)]) ?? text;

/** @returns the emoji with exactly that name */
export const emojiNamed = (all: readonly NamedEmoji[], name: string): NamedEmoji | undefined =>
  all.find(({ names }) => names.includes(name));

/** An emoji that matches, and which of its names does so best. */
export interface FoundEmoji {
  readonly emoji: NamedEmoji;
  readonly name: string | undefined;
}

/** How well an emoji matches, the best first. Among those whose name or label begins so, the shorter is nearer. */
const [EXACT, RECENT, BEGINS, WORD, BEGINS_WORD] = [0, 1, 2, 3, 4] as const;

/**
 * @param query one word; `_` stands for a blank
 * @param recent what was chosen last, the newest first
 * @returns the emoji whose names or words begin so, at most `most`: the one with exactly that name, those chosen lately, then by
 * how well they match
 */
export function findEmoji(
  all: readonly NamedEmoji[],
  query: string,
  recent: readonly string[],
  most: number,
): FoundEmoji[] {
  const typed = fold(query);
  const lately = new Map(recent.map((emoji, at) => [bare(emoji), at]));
  const found = all.flatMap((emoji) => {
    const match = matchOf(emoji, typed);
    if (!match) return [];
    const [rank, near, name] = match;
    const age = [emoji.text, ...emoji.tones].map((one) => lately.get(bare(one)) ?? MANY);
    const last = Math.min(...age);
    const order = last < MANY && rank > RECENT ? [RECENT, last] : [rank, near];
    return [{ emoji, name, order }];
  });
  // Sorting keeps the order of Unicode among equals.
  found.sort((one, other) => compare(one.order, other.order));
  return found.slice(0, most).map(({ emoji, name }) => ({ emoji, name }));
}

const MANY = Number.POSITIVE_INFINITY;

const compare = ([one = 0, near = 0]: readonly number[], [other = 0, far = 0]: readonly number[]) =>
  one - other || near - far;

/** @returns how well, how near, and by which name */
function matchOf({ names, key, words }: NamedEmoji, typed: string): [number, number, string?] | undefined {
  const [first] = names;
  if (names.includes(typed)) return [EXACT, 0, typed];
  const begun = names.find((name) => name.startsWith(typed));
  if (begun !== undefined) return [BEGINS, begun.length, begun];
  const text = typed.replaceAll('_', ' ');
  if (key.startsWith(text)) return [BEGINS, key.length, first];
  if (`${words} `.includes(` ${text} `)) return [WORD, 0, first];
  const inside = names.find((name) => name.includes(`_${typed}`) || name.includes(`-${typed}`));
  if (inside !== undefined || words.includes(` ${text}`)) return [BEGINS_WORD, 0, inside ?? first];
  return undefined;
}
