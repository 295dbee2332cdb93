import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import slack from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

let byName: ReadonlyMap<string, string> | undefined;

/** @returns the emoji that Slack, or else GitHub, calls like that, as `tada`; undefined for a name of neither */
export function emojiOf(name: string): string | undefined {
  byName ??= new Map([...named(github), ...named(slack)]);
  return byName.get(name);
}

const named = (data: Readonly<Record<string, string | readonly string[]>>) =>
  Object.entries(data).flatMap(([code, names]) => {
    const emoji = shown(String.fromCodePoint(...code.split('-').map((one) => Number.parseInt(one, 16))));
    return [names].flat().map((name) => [name, emoji] as const);
  });

/** Signs that are letters by themselves, as ⚠, are asked to be pictures. */
const shown = (emoji: string) =>
  [...emoji].length === 1 && !/^\p{Emoji_Presentation}/u.test(emoji) ? `${emoji}\ufe0f` : emoji;
