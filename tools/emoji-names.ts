import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import slack from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/**
 * Emoji by the names that Slack, or else GitHub, has for them. The file is committed: the data behind it have 49 MB, of which
 * a server needs no more than this.
 */
export function emojiNames(): Record<string, string> {
  const names = new Map([...named(github), ...named(slack)]);
  return Object.fromEntries([...names].sort(([one], [other]) => (one < other ? -1 : 1)));
}

const named = (data: Readonly<Record<string, string | readonly string[]>>) =>
  Object.entries(data).flatMap(([code, names]) => {
    const emoji = shown(String.fromCodePoint(...code.split('-').map((one) => Number.parseInt(one, 16))));
    return [names].flat().map((name) => [name, emoji] as const);
  });

/** Signs that are letters by themselves, as ⚠, are asked to be pictures. */
const shown = (emoji: string) =>
  [...emoji].length === 1 && !/^\p{Emoji_Presentation}/u.test(emoji) ? `${emoji}\ufe0f` : emoji;
