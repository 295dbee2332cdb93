import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { costOf, growth, MOST_GROWTH } from '../support/growth.ts';

/** So many take about a millisecond of a processor. */
const STEPS = 100_000;

function spend(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps * STEPS; step++) sum = (sum * 31 + step) % 1_000_003;
  return sum;
}

it('work that grows with its size is told from work that grows with the square of it', async () => {
  expect((await growth((share) => spend(share * 200))).times).toBeLessThan(MOST_GROWTH);
  expect((await growth((share) => spend(share ** 2 * 200))).times).toBeGreaterThan(MOST_GROWTH);
});

it('so is work that others do not wait for in one piece', async () => {
  const inPieces = (pieces: number) => async () => {
    for (let piece = 0; piece < pieces; piece++) {
      spend(3);
      await pause(0);
    }
  };
  expect((await growth((share) => inPieces(share * 64)())).times).toBeLessThan(MOST_GROWTH);
  expect((await growth((share) => inPieces(share ** 2 * 64)())).times).toBeGreaterThan(MOST_GROWTH);
});

it('what others wait for is the longest piece', async () => {
  const whole = await costOf(() => spend(80));
  expect(whole.piece).toBeGreaterThan(whole.cpu / 2);
});
