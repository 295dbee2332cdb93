import { byName } from './emoji-by-name.ts';
import kinds from './emoji-kinds.json' with { type: 'json' };

/** `thumbs_up` passes for `thumbsup`. */
const lettersOf = (name: string) => name.replaceAll(/[_-]/g, '') || name;
const byLetters: ReadonlyMap<string, string> = new Map(
  [...byName].map(([name, emoji]) => [lettersOf(name), emoji]),
);

/** @returns the emoji for which a name would pass */
export const emojiLike = (name: string): string | undefined => byLetters.get(lettersOf(name));

/** An emoji that a person chose. */
export interface Emoji {
  /** In no skin tone. */
  readonly emoji: string;
  /** In the skin tone that they chose. */
  readonly given: string;
}

/** The sign that asks for a picture; people's keyboards leave it out here and there. */
const PICTURE = /\ufe0f/g;

const byText: ReadonlyMap<string, Emoji> = new Map(
  kinds.flatMap((kind) => {
    const [emoji = '', ...tones] = kind.split(' ');
    return [emoji, ...tones].map((given) => [given.replace(PICTURE, ''), { emoji, given }] as const);
  }),
);

/** @returns undefined for what is not exactly one emoji of Unicode 17 */
export const readEmoji = (text: string): Emoji | undefined => byText.get(text.replace(PICTURE, ''));
