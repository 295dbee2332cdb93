import { describe, expect, it } from 'vitest';
import { settingsOf, wants } from './push.settings.ts';

const NEWS = { reason: 'mention', teamId: null };
/** Saturday, 24 January 2026, 22:30 in Berlin, where it is 21:30 by UTC. */
const EVENING = Date.UTC(2026, 0, 24, 21, 30);
const HOUR = 3600 * 1000;

const isTold = (settings: object, now: number) =>
  wants({ ...settingsOf(null), time_zone: 'Europe/Berlin', ...settings }, NEWS, now);

describe('quiet hours', () => {
  const night = { quiet_from: '22:00', quiet_to: '07:00' };

  it('are those of the person’s zone, and go on after midnight', () => {
    expect(isTold(night, EVENING)).toBe(false);
    expect(isTold(night, EVENING - HOUR)).toBe(true);
    expect(isTold(night, EVENING + 8 * HOUR)).toBe(false);
    expect(isTold(night, EVENING + 9 * HOUR)).toBe(true);
    expect(isTold({ ...night, time_zone: 'UTC' }, EVENING)).toBe(true);
  });

  it('may lie within a day', () => {
    const noon = { quiet_from: '12:00', quiet_to: '13:00' };
    expect(isTold(noon, Date.UTC(2026, 0, 24, 11, 30))).toBe(false);
    expect(isTold(noon, Date.UTC(2026, 0, 24, 12, 0))).toBe(true);
  });

  it('follow summer time', () => {
    // In July it is 22:30 in Berlin at 20:30 by UTC.
    expect(isTold(night, Date.UTC(2026, 6, 24, 20, 30))).toBe(false);
    expect(isTold(night, Date.UTC(2026, 0, 24, 20, 30))).toBe(true);
  });
});

it('quiet days are whole days of the person’s zone', () => {
  const weekend = { quiet_days: [6, 7] };
  expect(isTold(weekend, EVENING)).toBe(false);
  expect(isTold(weekend, EVENING + 24 * HOUR)).toBe(false);
  // Monday has begun in Berlin, and not yet by UTC.
  const monday = Date.UTC(2026, 0, 25, 23, 30);
  expect(isTold(weekend, monday)).toBe(true);
  expect(isTold({ ...weekend, time_zone: 'UTC' }, monday)).toBe(false);
});
