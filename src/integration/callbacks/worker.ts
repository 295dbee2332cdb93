import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { LEASE_MS, type Rounds, startRounds } from '#platform/jobs/index.ts';
import type { DeliveryRow } from '#schema';
import { claimInterrupted, claimNext } from './delivery.store.ts';
import { lockReadyQueue, noteCall, readyQueues } from './queue.store.ts';

/** Calls under way at once in this process: to applications that answer, and to those whose last call failed. */
const AT_ONCE = 8;
const AT_ONCE_FAILING = 8;
const INTERRUPTED_AT_ONCE = 50;

/**
 * Makes the calls that are due, one at a time for each application. Each node runs one worker: the lease of a row keeps
 * two of them from making the same call. A call that ends makes room for the next at once. Applications that fail have
 * places of their own, so that they do not delay those that answer.
 */
export function startWorker(deps: {
  db: Database;
  clock: Clock;
  send: (delivery: DeliveryRow, occasion: 'worker') => Promise<unknown>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { db, clock, send, intervalMs, onError } = deps;
  const underWay = new Set<Promise<unknown>>();
  const lanes = [
    { failing: 0, free: AT_ONCE },
    { failing: 1, free: AT_ONCE_FAILING },
  ];

  async function work(): Promise<void> {
    await endInterrupted();
    for (const lane of lanes) await fill(lane);
  }

  async function endInterrupted(): Promise<void> {
    for (const one of await claimInterrupted(db, clock, INTERRUPTED_AT_ONCE)) await send(one, 'worker');
  }

  async function fill(lane: (typeof lanes)[number]): Promise<void> {
    if (lane.free === 0) return;
    const ready = await readyQueues.all(db, { now: clock(), failing: lane.failing, limit: lane.free });
    if (ready.length === 0) return;
    const claimed = await claim(ready.map((queue) => queue.application_id));
    for (const delivery of claimed) call(lane, delivery);
  }

  function claim(applicationIds: readonly string[]): Promise<DeliveryRow[]> {
    const now = clock();
    return db.write(async (tx) => {
      const claimed: DeliveryRow[] = [];
      for (const applicationId of applicationIds) {
        if (!(await lockReadyQueue.first(tx, { applicationId, now }))) continue;
        const next = await claimNext.first(tx, { applicationId, now, leaseUntil: now + LEASE_MS, limit: 1 });
        if (!next) continue;
        await noteCall.run(tx, { applicationId, now });
        claimed.push(next);
      }
      return claimed;
    });
  }

  function call(lane: (typeof lanes)[number], delivery: DeliveryRow): void {
    lane.free--;
    const done = send(delivery, 'worker')
      .catch(onError)
      .finally(() => {
        lane.free++;
        underWay.delete(done);
        rounds.wake();
      });
    underWay.add(done);
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
