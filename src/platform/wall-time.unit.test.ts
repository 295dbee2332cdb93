import { expect, it } from 'vitest';
import { instantOf } from './wall-time.ts';

const shown = async (local: string, zone: string) => {
  const at = await instantOf(local, zone);
  return at === undefined ? undefined : new Date(at).toISOString();
};

it('a wall time is the instant at which clocks of its zone show it, in summer and in winter', async () => {
  expect(await shown('2026-07-01T09:00', 'Europe/Berlin')).toBe('2026-07-01T07:00:00.000Z');
  expect(await shown('2026-12-01T09:00', 'Europe/Berlin')).toBe('2026-12-01T08:00:00.000Z');
  expect(await shown('2026-12-01T09:00', 'Asia/Kathmandu')).toBe('2026-12-01T03:15:00.000Z');
});

it('a time that clocks leave out is as much later, and one that they show twice is the first', async () => {
  expect(await shown('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(await shown('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
});

it('what no calendar has is no time', async () => {
  for (const local of ['2026-02-30T09:00', '2026-01-01T24:00', '2026-01-01', 'tomorrow', '2026-01-01T09:00Z'])
    expect(await instantOf(local, 'Europe/Berlin')).toBeUndefined();
});
