import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { LEASE_MS, type Rounds, startLanes } from '#platform/jobs/index.ts';
import { deleteConsumer, deleteCursorsOf, insertCursors } from './consumer.store.ts';
import { newCursor } from './group.service.ts';
import { lockSubscription } from './subscription.store.ts';
import type { Claimed } from './webhook.sender.ts';
import {
  claimCursor,
  findConsumerById,
  listFinished,
  listReady,
  noteCalled,
  type Ready,
} from './webhook.store.ts';

/** Teams that are sent at once in this process: to webhooks that answer, and to those whose last call failed. */
const AT_ONCE = 8;
const AT_ONCE_FAILING = 8;
const REPLAY_LOOKED_AT_AFTER_MS = 60_000;

/**
 * Sends events to webhooks. Each node runs one worker: the lease of a cursor keeps two of them from sending one team's
 * events. Webhooks that fail have places of their own, so that they do not delay those that answer.
 */
export function startWebhooks(deps: {
  db: Database;
  clock: Clock;
  keptMs: number;
  carryOut: (claimed: Claimed) => Promise<void>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds & { purge(): Promise<void> } {
  const { db, clock, keptMs, carryOut, intervalMs, onError } = deps;

  async function claim(failing: number, limit: number): Promise<Claimed[]> {
    const now = clock();
    const ready = await listReady.all(db, { now, since: now - keptMs, failing, limit: 2 * limit });
    const claimed: Claimed[] = [];
    const seen = new Set<string>();
    for (const one of ready) {
      // A team that had the application before is there twice.
      const name = `${one.consumer_id} ${one.team_id}`;
      if (claimed.length === limit || seen.has(name)) continue;
      seen.add(name);
      const taken = await take(one);
      if (taken) claimed.push(taken);
    }
    return claimed;
  }

  function take({ subscription_id: id, consumer_id, team_id: teamId }: Ready): Promise<Claimed | undefined> {
    return db.write(async (tx) => {
      const now = clock();
      if (!(await lockSubscription.first(tx, { id }))) return undefined;
      const consumer = await findConsumerById.first(tx, { id: consumer_id });
      if (!consumer) return undefined;
      await insertCursors(tx, [newCursor(consumer, teamId)]);
      const leaseUntil = now + LEASE_MS;
      const cursor = await claimCursor.first(tx, { consumerId: consumer_id, teamId, now, leaseUntil });
      if (cursor) await noteCalled.run(tx, { id, now });
      return cursor && { subscriptionId: id, cursor };
    });
  }

  const lanes = startLanes({
    places: [AT_ONCE, AT_ONCE_FAILING],
    claim,
    carryOut,
    before: async () => undefined,
    intervalMs,
    onError,
  });

  /** Deletes the replays that are through. */
  const purge = () =>
    db.write(async (tx) => {
      const now = clock();
      for (const { id } of await listFinished.all(tx, { now, before: now - REPLAY_LOOKED_AT_AFTER_MS })) {
        await deleteCursorsOf.run(tx, { consumerId: id });
        await deleteConsumer.run(tx, { id });
      }
    });

  return { ...lanes, purge };
}
