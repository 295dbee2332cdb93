import { type Rounds, startRounds } from './rounds.ts';

/**
 * Rounds that begin work which outlives them. Each lane has places of its own, so that one does not delay the other; work
 * that ends makes room for the next at once.
 * @param deps.places how many items each lane carries out at once
 * @param deps.claim takes items of a lane that no other process has; at most `limit`
 * @param deps.before runs before each round
 */
export function startLanes<Item>(deps: {
  places: readonly number[];
  claim: (lane: number, limit: number) => Promise<readonly Item[]>;
  carryOut: (item: Item) => Promise<unknown>;
  before: () => Promise<unknown>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { places, claim, carryOut, before, intervalMs, onError } = deps;
  const underWay = new Set<Promise<unknown>>();
  const free = [...places];

  async function work(): Promise<void> {
    await before();
    for (const lane of free.keys()) {
      const limit = free[lane] as number;
      if (limit === 0) continue;
      for (const item of await claim(lane, limit)) start(lane, item);
    }
  }

  function start(lane: number, item: Item): void {
    take(lane, 1);
    const done = carryOut(item)
      .catch(onError)
      .finally(() => {
        take(lane, -1);
        underWay.delete(done);
        rounds.wake();
      });
    underWay.add(done);
  }

  function take(lane: number, count: number): void {
    free[lane] = (free[lane] as number) - count;
  }

  const rounds = startRounds({ work, intervalMs, onError });
  return {
    wake: rounds.wake,
    stop: async () => {
      await rounds.stop();
      await Promise.all(underWay);
    },
  };
}
