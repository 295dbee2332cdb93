import type { EmojiData, EmojiDataResolver } from 'frimousse';

/** As `tools/emoji-names.ts` writes it. Of each emoji: itself with its tones, its group, its name, and words for it. */
export interface Words {
  readonly groups: readonly string[];
  readonly tones: readonly string[];
  readonly emojis: readonly string[];
}

const files: Readonly<Record<string, () => Promise<{ default: Words }>>> = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
  ar: () => import('./ar.json'),
};

/** Loads a language's emoji, from this server. */
export async function loadWords(language: string): Promise<Words> {
  const load = files[language] ?? (files.en as NonNullable<(typeof files)[string]>);
  return (await load()).default;
}

/** The server's own come first: the others are found below them by scrolling, or by their names. */
const OWN = -1;

/** @param names of the server's own emoji @param label of their category */
export const emojiData =
  (names: readonly string[], label: string): EmojiDataResolver =>
  async (locale) => {
    const data = dataOf(locale, await loadWords(locale));
    if (names.length === 0) return data;
    return {
      ...data,
      categories: [{ index: OWN, label }, ...data.categories],
      emojis: [...names.map(named), ...data.emojis],
    };
  };

/** As texts have it. */
const named = (name: string) => ({
  ...{ emoji: `:${name}:`, category: OWN, label: `:${name}:`, version: 1 },
  tags: [name, name.replace(/[_+-]+/g, ' ').trim()],
});

function dataOf(locale: string, { groups, tones, emojis }: Words): EmojiData {
  return {
    locale,
    categories: groups.map((label, index) => ({ index, label })).filter(({ label }) => label !== ''),
    skinTones: tonesOf(tones),
    emojis: emojis.map((one) => {
      const [kind = '', group, label = '', ...tags] = one.split('|');
      const [emoji = '', ...skins] = kind.split(' ');
      return {
        ...{ emoji, category: Number(group), label, tags, version: 1 },
        // Those of two people have one tone for each of them, behind the five of both.
        ...(skins.length > 0 && { skins: tonesOf(skins) }),
      };
    }),
  };
}

const tonesOf = ([
  light = '',
  mediumLight = '',
  medium = '',
  mediumDark = '',
  dark = '',
]: readonly string[]) => ({
  ...{ light, medium, dark },
  'medium-light': mediumLight,
  'medium-dark': mediumDark,
});
