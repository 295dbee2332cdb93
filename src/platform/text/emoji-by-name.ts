import names from './emoji-names.json' with { type: 'json' };

export const byName: ReadonlyMap<string, string> = new Map(Object.entries(names));

/** @returns the emoji that Slack, or else GitHub, calls like that, as `tada`; undefined for a name of neither */
export const emojiOf = (name: string): string | undefined => byName.get(name);
