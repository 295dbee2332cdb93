import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type Rounds, startTracks } from '#platform/jobs/index.ts';
import type { PushRow } from '#schema';
import type { HostSlots } from './hosts.ts';
import { claimDueOfLane } from './push.store.ts';

/** Pushes under way at once in this process: to push services that answer well, and to all others. */
const AT_ONCE = 24;
const AT_ONCE_FAILING = 8;

/**
 * Sends the pushes that are due. One that ends makes room for the next at once. Devices whose push services are slow, fail
 * or have not answered yet have places of their own, so that they delay only each other; no host takes all places.
 */
export function startPushWorker(deps: {
  db: Database;
  clock: Clock;
  send: (push: PushRow) => Promise<void>;
  hosts: HostSlots;
  /** Runs before each round. */
  before: () => Promise<unknown>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { db, clock, send, hosts, ...rounds } = deps;
  return startTracks({
    ...rounds,
    places: [AT_ONCE, AT_ONCE_FAILING],
    claim: async (lane, limit) =>
      (await claimDueOfLane[lane]?.(db, clock, limit, { full: hosts.full() })) ?? [],
    carryOut: send,
  });
}
