import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { giveWay } from './give-way.ts';

const running = new AbortController();

it('background work goes on at once while nobody waits', async () => {
  const rest = giveWay({ most: Number.POSITIVE_INFINITY, writersWait: () => false });
  await rest(1000, running.signal);
});

it('background work rests while writers wait, and no longer', async () => {
  let waiting = true;
  let isOver = false;
  const rest = giveWay({ most: Number.POSITIVE_INFINITY, writersWait: () => waiting });
  const over = rest(1, running.signal).then(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  expect(isOver).toBe(false);
  waiting = false;
  await over;
});

it('background work rests no longer than its share, however many writers wait', async () => {
  await giveWay({ most: 9, writersWait: () => true })(1, running.signal);
  await giveWay({ most: 0, writersWait: () => true })(1000, running.signal);
});

it('a stop ends the rest', async () => {
  const stopping = new AbortController();
  const over = giveWay({ most: Number.POSITIVE_INFINITY, writersWait: () => true })(1, stopping.signal);
  stopping.abort();
  await over;
});
