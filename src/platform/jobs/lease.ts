import type { Database, Tx } from '../db/index.ts';
import type { Clock } from '../ids.ts';
import { startRounds } from './rounds.ts';

/** How long a claim lasts from its last renewal. The work of a node that died waits that long for another node. */
export const LEASE_MS = 15_000;
/** Two renewals may fail in a row. */
export const RENEW_MS = 5000;

/** Gives a row where the lease still ends at `held`, after `now`. No row means that another node may have the work. */
export type Renew = (
  tx: Tx,
  lease: { readonly held: number; readonly until: number; readonly now: number },
) => Promise<unknown>;

export interface Lease {
  /** Stops renewing. @returns when the lease ends: settling the work compares it with the row */
  end(): Promise<number>;
}

export type KeepLease = (held: number, renew: Renew) => Lease;

/** Renews leases while work goes on outside of a transaction. */
export function leaseKeeper(deps: {
  db: Database;
  clock: Clock;
  renewMs?: number | undefined;
  onError: (error: unknown) => void;
}): KeepLease {
  const { db, clock, renewMs = RENEW_MS, onError } = deps;

  return function keep(held, renew) {
    let until = held;

    async function work(): Promise<void> {
      const renewed = await db.write(async (tx) => {
        const now = clock();
        const next = now + LEASE_MS;
        return (await renew(tx, { held: until, until: next, now })) && next;
      });
      if (typeof renewed === 'number') until = renewed;
    }

    const rounds = startRounds({ work, intervalMs: renewMs, onError });
    return {
      end: async () => {
        await rounds.stop();
        return until;
      },
    };
  };
}
