import { type Rounds, startRounds } from './rounds.ts';

/**
 * Rounds that begin work which outlives them. Each lane has places of its own, so that one does not delay the other; work
 * that ends makes room for the next at once.
 * @param deps.places how many items each lane carries out at once
 * @param deps.share how many of them are of one owner at most
 * @param deps.claim takes items of a lane that no other process has: at most `limit` and, where owners have a share, one of
 * each owner, and none of those in `full`
 * @param deps.before runs before each round
 */
export function startLanes<Item>(deps: {
  places: readonly number[];
  share?: { readonly ofLane: readonly number[]; readonly ownerOf: (item: Item) => string };
  claim: (lane: number, limit: number, full: readonly string[]) => Promise<readonly Item[]>;
  carryOut: (item: Item) => Promise<unknown>;
  before: () => Promise<unknown>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { places, share, claim, carryOut, before, intervalMs, onError } = deps;
  const underWay = new Set<Promise<unknown>>();
  const free = [...places];
  /** By lane and owner. */
  const taken = places.map(() => new Map<string, number>());

  async function work(): Promise<void> {
    await before();
    for (const lane of free.keys()) while (await fill(lane));
  }

  /** @returns whether there may be more */
  async function fill(lane: number): Promise<boolean> {
    const limit = free[lane] as number;
    if (limit === 0) return false;
    const items = await claim(lane, limit, fullIn(lane));
    for (const item of items) start(lane, item);
    return share !== undefined && items.length > 0;
  }

  const fullIn = (lane: number): string[] =>
    [...(taken[lane] as Map<string, number>)]
      .filter(([, count]) => count >= (share?.ofLane[lane] as number))
      .map(([owner]) => owner);

  function start(lane: number, item: Item): void {
    take(lane, item, 1);
    const done = carryOut(item)
      .catch(onError)
      .finally(() => {
        take(lane, item, -1);
        underWay.delete(done);
        rounds.wake();
      });
    underWay.add(done);
  }

  function take(lane: number, item: Item, count: 1 | -1): void {
    free[lane] = (free[lane] as number) - count;
    if (!share) return;
    const ofOwners = taken[lane] as Map<string, number>;
    const owner = share.ownerOf(item);
    const left = (ofOwners.get(owner) ?? 0) + count;
    if (left === 0) ofOwners.delete(owner);
    else ofOwners.set(owner, left);
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
