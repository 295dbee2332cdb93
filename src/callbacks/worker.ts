import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type Rounds, startRounds } from '#platform/jobs/index.ts';
import type { DeliveryRow } from '../schema/index.ts';
import { anyDue, claimDue } from './delivery.store.ts';

/** Longer than any attempt can take. */
const LEASE_MS = 2 * 60_000;
const AT_ONCE = 8;

/**
 * Carries out the deliveries that are due. Several nodes may run one each: a row is claimed with a lease before its
 * call is made, so nothing is done twice at the same time and what a dead node left is taken over.
 */
export function startWorker(deps: {
  db: Database;
  clock: Clock;
  send: (delivery: DeliveryRow, occasion: 'worker') => Promise<unknown>;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { db, clock, send, intervalMs, onError } = deps;

  async function work(): Promise<boolean> {
    const now = clock();
    // Most often there is nothing: that needs no transaction.
    if (!(await anyDue.first(db, { now }))) return false;
    const due = await db.write((tx) => claimDue.all(tx, { now, leaseUntil: now + LEASE_MS, limit: AT_ONCE }));
    const results = await Promise.allSettled(due.map((delivery) => send(delivery, 'worker')));
    for (const result of results) if (result.status === 'rejected') onError(result.reason);
    return due.length === AT_ONCE;
  }

  return startRounds({ work, intervalMs, onError });
}
