import { expect, it } from 'vitest';
import { readTime, remindedOf } from './typed-time.ts';

/** A Saturday afternoon. */
const NOW = new Date(2026, 10, 28, 15, 30);
const local = async (text: string, language = 'en') => (await readTime(text, language, NOW))?.local;

it('reads times in English', async () => {
  expect(await local('tomorrow at 9')).toBe('2026-11-29T09:00');
  expect(await local('tomorrow')).toBe('2026-11-29T09:00');
  expect(await local('monday 8:30')).toBe('2026-11-30T08:30');
  expect(await local('in 2 hours')).toBe('2026-11-28T17:30');
  expect(await local('1 December 2026 14:15')).toBe('2026-12-01T14:15');
  expect(await local('no time at all')).toBeUndefined();
});

it('reads times in German', async () => {
  expect(await local('morgen um 9 Uhr', 'de')).toBe('2026-11-29T09:00');
  expect(await local('in 2 Stunden', 'de')).toBe('2026-11-28T17:30');
  expect(await local('Montag um 8:30', 'de')).toBe('2026-11-30T08:30');
  expect(await local('tomorrow at 9', 'de')).toBe('2026-11-29T09:00');
});

it('reads times in Arabic', async () => {
  expect(await local('غدا', 'ar')).toBe('2026-11-29T09:00');
  expect(await local('tomorrow at 9', 'ar')).toBe('2026-11-29T09:00');
});

it('gives what is left of a text beside its time', async () => {
  expect((await readTime('tomorrow at 9 water the plants', 'en', NOW))?.rest).toBe('water the plants');
  expect((await readTime('water the plants tomorrow at 9', 'en', NOW))?.rest).toBe('water the plants');
});

it.each([
  ['me in 1 hour to water the plants', 'water the plants'],
  ['me to water the plants in 1 hour', 'water the plants'],
  ['me "water the plants" in 1 hour', 'water the plants'],
  ['tomorrow to water the plants', 'water the plants'],
  ['me about the plants tomorrow at 9', 'the plants'],
  ['metal and tools tomorrow', 'metal and tools'],
  ['tomorrow me', 'me'],
])('a reminder is of what is said, and not of how it is asked for: %s', async (text, what) => {
  expect(remindedOf((await readTime(text, 'en', NOW))?.rest ?? '')).toBe(what);
});

it('a reminder in German is of what is said', async () => {
  const found = await readTime('mich morgen um 9 an die Pflanzen', 'de', NOW);
  expect(remindedOf(found?.rest ?? '')).toBe('die Pflanzen');
});
