import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startTracks } from './tracks.ts';

it('a stop ends a round that would find work for ever', async () => {
  let begun = 0;
  const tracks = startTracks<string>({
    places: [2],
    share: { ofTrack: [2], ownerOf: (item) => item },
    claim: async () => {
      await nextTurn();
      return ['owner'];
    },
    carryOut: async () => {
      begun += 1;
    },
    before: async () => undefined,
    intervalMs: 1_000_000,
    onError: (error) => expect.unreachable(String(error)),
  });
  tracks.wake();
  await expect.poll(() => begun).toBeGreaterThan(10);
  await tracks.stop();
  const before = begun;
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(begun).toBe(before);
});
