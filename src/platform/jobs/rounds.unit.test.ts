import { expect, it } from 'vitest';
import { pause } from '../pause.ts';
import { startRounds } from './rounds.ts';

const HOUR_MS = 3_600_000;

it('a stop ends the pause between two rounds (claim: stops-at-once)', async () => {
  let rounds = 0;
  const { promise: resting, resolve: rest } = Promise.withResolvers<void>();
  const worker = startRounds({
    work: async () => {
      rounds += 1;
      return true;
    },
    rest: (_worked, stopping) => {
      rest();
      return pause(HOUR_MS, stopping);
    },
    onError: (error) => {
      throw error;
    },
  });
  worker.wake();
  await resting;
  await worker.stop();
  expect(rounds).toBe(1);
});

it('a stop ends the wait before a round, and tells the round under way', async () => {
  const told: boolean[] = [];
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const worker = startRounds({
    gather: (stopping) => (told.length === 0 ? Promise.resolve() : pauseUntil(stopping)),
    work: async (stopping) => {
      begin();
      await pauseUntil(stopping);
      told.push(stopping.aborted);
      return true;
    },
    onError: (error) => {
      throw error;
    },
  });
  worker.wake();
  await begun;
  await worker.stop();
  worker.wake();
  expect(told).toEqual([true]);
});

const pauseUntil = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
