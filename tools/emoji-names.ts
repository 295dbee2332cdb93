import german from 'emojibase-data/de/compact.json' with { type: 'json' };
import germanMessages from 'emojibase-data/de/messages.json' with { type: 'json' };
import all from 'emojibase-data/en/compact.json' with { type: 'json' };
import englishMessages from 'emojibase-data/en/messages.json' with { type: 'json' };
import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import slack from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };
import arabic from './emoji-arabic.json' with { type: 'json' };

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

const COMPONENT = 2;

/** Neither the letters of flags alone nor the tones are any. */
const emojis = all
  .filter(({ group }) => group !== undefined && group !== COMPONENT)
  .sort((one, other) => (one.order ?? 0) - (other.order ?? 0));

/** An emoji, and behind it, after spaces, its skin tones. */
const kindOf = ({ unicode, skins = [] }: (typeof emojis)[number]) =>
  [unicode, ...skins.map((skin) => skin.unicode)].map(plain).join(' ');

/** What a reaction may be. */
export const emojiKinds = (): string[] => emojis.map(kindOf);

/** Without the sign that asks for a picture, where the emoji is one by itself. */
function plain(emoji: string): string {
  const bare = emoji.replaceAll('\ufe0f', '');
  return /^\p{RGI_Emoji}$/v.test(bare) ? bare : emoji;
}

const ARABIC_GROUPS = [
  ...['الوجوه والمشاعر', 'الأشخاص والجسم', '', 'الحيوانات والطبيعة', 'الطعام والشراب'],
  ...['السفر والأماكن', 'الأنشطة', 'الأشياء', 'الرموز', 'الأعلام'],
];
/** From light to dark. */
const ARABIC_TONES = ['فاتحة', 'فاتحة متوسطة', 'متوسطة', 'داكنة متوسطة', 'داكنة'];
const TONES = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'];

type Messages = typeof englishMessages;

const groupsIn = ({ groups }: Messages) =>
  Array.from({ length: 10 }, (_, order) => groups.find((group) => group.order === order)?.message ?? '');
const tonesIn = ({ skinTones }: Messages) =>
  TONES.map((tone) => skinTones.find(({ key }) => key === tone)?.message ?? '');

/** Names and words by which a picker shows and finds emoji; by code. */
type Words = ReadonlyMap<string, readonly string[]>;
const wordsIn = (data: readonly { hexcode: string; label: string; tags?: string[] }[]): Words =>
  new Map(data.map(({ hexcode, label, tags = [] }) => [hexcode, [label, ...tags]]));
/** From the annotations of Unicode CLDR 48 (`cldr-annotations-full`, `cldr-annotations-derived-full`), which have 155 MB. */
const arabicWords: Words = new Map(Object.entries(arabic).map(([code, words]) => [code, words.split('|')]));

/** What the web application's picker loads, in each of its languages. */
export function emojiWords(language: 'en' | 'de' | 'ar') {
  const [words, groups, tones] = {
    en: [wordsIn(all), groupsIn(englishMessages), tonesIn(englishMessages)] as const,
    de: [wordsIn(german), groupsIn(germanMessages as Messages), tonesIn(germanMessages as Messages)] as const,
    ar: [arabicWords, ARABIC_GROUPS, ARABIC_TONES] as const,
  }[language];
  return {
    groups,
    tones,
    emojis: emojis.map((emoji) =>
      [kindOf(emoji), String(emoji.group), ...(words.get(emoji.hexcode) ?? [emoji.label])].join('|'),
    ),
  };
}
