import { type Rounds, startRounds } from './rounds.ts';

/**
 * Rounds that begin work which outlives them. Each track has places of its own, so that one does not delay the other; work
 * that ends makes room for the next at once.
 * @param deps.places how many items each track carries out at once
 * @param deps.share how many of them are of one owner at most
 * @param deps.claim takes items of a track that no other process has: at most `limit` and, where owners have a share, of each
 * owner one or as many as `roomOf` gives, and none of those in `full`
 * @param deps.before runs before each round
 */
export function startTracks<Item>(deps: {
  places: readonly number[];
  share?: { readonly ofTrack: readonly number[]; readonly ownerOf: (item: Item) => string };
  claim: (
    track: number,
    limit: number,
    full: readonly string[],
    roomOf: (owner: string) => number,
  ) => Promise<readonly Item[]>;
  carryOut: (item: Item) => Promise<unknown>;
  before: () => Promise<unknown>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { places, share, claim, carryOut, before, intervalMs, onError } = deps;
  const underWay = new Set<Promise<unknown>>();
  const free = [...places];
  /** By track and owner. */
  const taken = places.map(() => new Map<string, number>());

  async function work(stopping: AbortSignal): Promise<void> {
    await before();
    // Work that a stop breaks off ends at once, and would be claimed again and again.
    for (const track of free.keys()) while (!stopping.aborted && (await fill(track)));
  }

  /** @returns whether there may be more */
  async function fill(track: number): Promise<boolean> {
    const limit = free[track] as number;
    if (limit === 0) return false;
    const items = await claim(track, limit, fullIn(track), (owner) => roomIn(track, owner));
    for (const item of items) start(track, item);
    return share !== undefined && items.length > 0;
  }

  const roomIn = (track: number, owner: string): number =>
    (share?.ofTrack[track] ?? Number.POSITIVE_INFINITY) - (taken[track]?.get(owner) ?? 0);

  const fullIn = (track: number): string[] =>
    [...(taken[track] as Map<string, number>).keys()].filter((owner) => roomIn(track, owner) <= 0);

  function start(track: number, item: Item): void {
    take(track, item, 1);
    const done = carryOut(item)
      .catch(onError)
      .finally(() => {
        take(track, item, -1);
        underWay.delete(done);
        rounds.wake();
      });
    underWay.add(done);
  }

  function take(track: number, item: Item, count: 1 | -1): void {
    free[track] = (free[track] as number) - count;
    if (!share) return;
    const ofOwners = taken[track] as Map<string, number>;
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
