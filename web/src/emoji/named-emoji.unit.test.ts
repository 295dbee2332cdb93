import { expect, it } from 'vitest';
import names from '#platform/text/emoji-names.json' with { type: 'json' };
import ar from './ar.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import { emojiNamed, findEmoji, inTone, namedEmoji } from './named-emoji.ts';

const all = { en: namedEmoji(en, names), de: namedEmoji(de, names), ar: namedEmoji(ar, names) };
const found = (language: keyof typeof all, query: string, recent: readonly string[] = []) =>
  findEmoji(all[language], query, recent, 8).map(({ emoji }) => emoji.text);

it.each([
  ['en', 'tada', '🎉'],
  ['en', 'thumbsup', '👍'],
  ['en', 'party_pop', '🎉'],
  ['en', 'Rocket', '🚀'],
  ['de', 'tada', '🎉'],
  ['de', 'rakete', '🚀'],
  ['de', 'konfettibombe', '🎉'],
  ['de', 'STRASSENB', '🚊'],
  ['de', 'stra\u00dfenb', '🚊'],
  ['ar', 'صاروخ', '🚀'],
  ['ar', 'rocket', '🚀'],
] as const)('in %s, %s finds %s', (language, query, emoji) => {
  expect(found(language, query)).toContain(emoji);
});

it('the name that was typed in full is first, then the shortest that begins so', () => {
  expect(found('en', 'heart')[0]).toBe('❤️');
  expect(found('en', 'hear')[0]).toBe('❤️');
  expect(found('en', 'smile')[0]).toBe('😄');
});

it('those chosen lately come before others, the newest first, in any skin tone, behind the exact name', () => {
  expect(found('en', 'wav', ['🏄🏽', '👋🏽', '🎉']).slice(0, 2)).toEqual(['🏄', '👋']);
  expect(found('en', 'wav', ['🎉', '👋'])[0]).toBe('👋');
  expect(found('en', 'heart', ['💔']).slice(0, 2)).toEqual(['❤️', '💔']);
  expect(found('en', 'rocket', ['🎉'])).not.toContain('🎉');
});

it('the name that matches is the one that is shown', () => {
  const nameOf = (query: string, emoji: string) =>
    findEmoji(all.en, query, [], 8).find((one) => one.emoji.text === emoji)?.name;
  expect(nameOf('thumbs', '👍')).toBe('thumbsup');
  expect(nameOf('+1', '👍')).toBe('+1');
});

it('nothing matches no emoji, and a list is no longer than it may be', () => {
  expect(found('en', 'qqqq')).toEqual([]);
  expect(found('en', 'fa')).toHaveLength(8);
});

it('a name of Slack or GitHub is one emoji, in a skin tone where it has one', () => {
  const named = (name: string) => emojiNamed(all.en, name);
  expect(named('tada')?.text).toBe('🎉');
  expect(named('heart')?.text).toBe('❤️');
  expect(named('tad')).toBeUndefined();
  const wave = named('wave');
  const tada = named('tada');
  if (!wave || !tada) throw new Error('not found');
  expect([inTone(wave, 'none'), inTone(wave, 'light'), inTone(wave, 'dark')]).toEqual(['👋', '👋🏻', '👋🏿']);
  expect(inTone(tada, 'dark')).toBe('🎉');
});

it('every name of an emoji that can be a reaction is found', () => {
  const known = new Set(all.en.flatMap((emoji) => emoji.names));
  expect(Object.keys(names).filter((name) => !known.has(name))).toEqual([
    ...['skin-tone-2', 'skin-tone-3', 'skin-tone-4', 'skin-tone-5', 'skin-tone-6'],
  ]);
});
