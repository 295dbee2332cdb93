import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { giveWay } from './give-way.ts';

const running = new AbortController();

/** After some turns of the event loop. */
async function stateOf(rest: Promise<unknown>): Promise<'resting' | 'over'> {
  let state: 'resting' | 'over' = 'resting';
  void rest.then(() => {
    state = 'over';
  });
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  return state;
}

it('background work goes on at once while nobody waits', async () => {
  const rest = giveWay({ most: Number.POSITIVE_INFINITY, writersWait: () => false });
  await expect(rest(1000, running.signal)).resolves.toBeUndefined();
});

it('background work rests while writers wait, and no longer', async () => {
  let waiting = true;
  const rest = giveWay({ most: Number.POSITIVE_INFINITY, writersWait: () => waiting });
  const over = rest(1, running.signal);
  expect(await stateOf(over)).toBe('resting');
  waiting = false;
  await over;
});

it('background work rests no longer than its share, however many writers wait', async () => {
  await giveWay({ most: 9, writersWait: () => true })(1, running.signal);
  expect(await stateOf(giveWay({ most: 0, writersWait: () => true })(1000, running.signal))).toBe('over');
});

it('a stop ends the rest', async () => {
  const stopping = new AbortController();
  const over = giveWay({ most: Number.POSITIVE_INFINITY, writersWait: () => true })(1, stopping.signal);
  expect(await stateOf(over)).toBe('resting');
  stopping.abort();
  await over;
});
