import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startHousekeeping } from './housekeeping.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('does what failed again in the next round, and the tasks after it in this one', async () => {
  const errors: unknown[] = [];
  const done: string[] = [];
  const fails = async () => {
    throw new Error(`round ${done.length}`);
  };
  const { stop } = startHousekeeping(10, [fails, async () => done.push('next')], (error) =>
    errors.push(error),
  );
  await vi.advanceTimersByTimeAsync(20);
  await stop();
  expect(done).toHaveLength(2);
  expect(errors).toEqual([new Error('round 0'), new Error('round 1')]);
});

it('a round that takes long leaves one to be done after it; the server stops after the one under way', async () => {
  let rounds = 0;
  let release = Promise.withResolvers<void>();
  const task = async () => {
    rounds++;
    await release.promise;
  };
  const { stop } = startHousekeeping(10, [task], () => undefined);
  await vi.advanceTimersByTimeAsync(1000);
  expect(rounds).toBe(1);
  const first = release;
  release = Promise.withResolvers();
  first.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds).toBe(2);
  await vi.advanceTimersByTimeAsync(1000);
  const stopped = stop();
  release.resolve();
  await stopped;
  expect(rounds).toBe(2);
});
