import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { DeliveryRow } from '../schema/index.ts';
import { claimDue } from './delivery.store.ts';

/** Longer than any attempt can take. */
const LEASE_MS = 2 * 60_000;
const AT_ONCE = 8;

export interface Worker {
  /** Looks for work at once instead of at the next round. */
  wake(): void;
  /** Takes no new work and waits for what is under way. */
  stop(): Promise<void>;
}

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
}): Worker {
  const { db, clock, send, intervalMs, onError } = deps;
  let stopped = false;
  let round: Promise<void> | undefined;
  let again = false;

  async function work(): Promise<void> {
    do {
      again = false;
      const now = clock();
      const due = await db.write((tx) =>
        claimDue.all(tx, { now, leaseUntil: now + LEASE_MS, limit: AT_ONCE }),
      );
      const results = await Promise.allSettled(due.map((delivery) => send(delivery, 'worker')));
      for (const result of results) if (result.status === 'rejected') onError(result.reason);
      again ||= due.length === AT_ONCE;
    } while (again && !stopped);
  }

  function wake(): void {
    if (stopped) return;
    again = true;
    round ??= work()
      .catch(onError)
      .finally(() => {
        round = undefined;
        if (again && !stopped) wake();
      });
  }

  const timer = setInterval(wake, intervalMs);
  timer.unref();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await round;
    },
  };
}
