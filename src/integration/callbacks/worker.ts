import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { LEASE_MS, type Rounds, startTracks } from '#platform/jobs/index.ts';
import type { DeliveryRow } from '#schema';
import { claimInterrupted, claimNext } from './delivery.store.ts';
import { lockReadyQueue, noteCall, readyQueues } from './queue.store.ts';

/** Calls under way at once in this process: to applications that answer, and to those whose last call failed. */
const AT_ONCE = 16;
const AT_ONCE_FAILING = 16;
/** Of one owner of applications. */
const OF_OWNER = 2;
const INTERRUPTED_AT_ONCE = 50;

interface Call {
  readonly ownerId: string;
  readonly delivery: DeliveryRow;
}

/**
 * Makes the calls that are due, one at a time for each application. Each node runs one worker: the lease of a row keeps
 * two of them from making the same call. A call that ends makes room for the next at once. Applications that fail have
 * places of their own, so that they do not delay those that answer, and an owner of many has a share of the places.
 */
export function startWorker(deps: {
  db: Database;
  clock: Clock;
  send: (delivery: DeliveryRow, occasion: 'worker') => Promise<unknown>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { db, clock, send, intervalMs, onError } = deps;

  async function endInterrupted(): Promise<void> {
    for (const one of await claimInterrupted(db, clock, INTERRUPTED_AT_ONCE)) await send(one, 'worker');
  }

  async function claimReady(failing: number, limit: number, full: readonly string[]): Promise<Call[]> {
    const ready = await readyQueues.all(db, { now: clock(), failing, full, limit });
    const ofOwners = new Map(ready.toReversed().map((queue) => [queue.owner_id, queue.application_id]));
    return ofOwners.size === 0 ? [] : claim(ofOwners);
  }

  function claim(ofOwners: ReadonlyMap<string, string>): Promise<Call[]> {
    const now = clock();
    return db.write(async (tx) => {
      const claimed: Call[] = [];
      for (const [ownerId, applicationId] of ofOwners) {
        if (!(await lockReadyQueue.first(tx, { applicationId, now }))) continue;
        const next = await claimNext.first(tx, { applicationId, now, leaseUntil: now + LEASE_MS, limit: 1 });
        if (!next) continue;
        await noteCall.run(tx, { applicationId, now });
        claimed.push({ ownerId, delivery: next });
      }
      return claimed;
    });
  }

  return startTracks({
    places: [AT_ONCE, AT_ONCE_FAILING],
    share: { ofTrack: [OF_OWNER, OF_OWNER], ownerOf: ({ ownerId }) => ownerId },
    claim: claimReady,
    carryOut: ({ delivery }) => send(delivery, 'worker'),
    before: endInterrupted,
    intervalMs,
    onError,
  });
}
