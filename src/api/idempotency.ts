import type { Cipher } from '#platform/crypto/index.ts';
import type { Batch, Database, Reader, Tx, WriteOptions } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type KeepLease, LEASE_MS } from '#platform/jobs/index.ts';
import type { Again, Attempt } from './attempt.ts';
import { Conflict } from './errors.ts';
import {
  ANSWERS_KEPT_MS,
  claim,
  claimForLease,
  claimFree,
  find,
  forget,
  renew,
  save,
  UNFINISHED,
} from './idempotency.store.ts';
import { idempotentBatches, rowOf } from './idempotent-batch.ts';

/** The part of an answer that is stored: with `again`, only the id. */
const keptOf = (data: readonly unknown[], again: unknown) => (again ? [{ id: idOf(data) }] : data);

const idOf = ([first]: readonly unknown[]) => (first as { id: string }).id;

export type Idempotency = ReturnType<typeof idempotency>;

/** Replays the first answer to a repeated POST, across restarts and nodes. */
export function idempotency(deps: { db: Database; clock: Clock; cipher: Cipher; keepLease: KeepLease }) {
  const { db, clock, cipher, keepLease } = deps;

  /** @returns the saved answer, or the time at which our claim on the key expires */
  async function begin(tx: Tx, attempt: Attempt, isLease: boolean): Promise<unknown[] | number> {
    const expiresAt = clock() + (isLease ? LEASE_MS : ANSWERS_KEPT_MS);
    const row = rowOf(attempt, UNFINISHED, expiresAt);
    const claimed = await (isLease ? claimForLease : claim)(tx, [row]);
    return claimed.length > 0 ? expiresAt : earlierAnswer(tx, attempt);
  }

  async function earlierAnswer(db: Reader, attempt: Attempt): Promise<unknown[]> {
    const row = await find.first(db, attempt);
    if (row && row.request_hash !== attempt.requestHash) {
      throw new Conflict('idempotency_key', 'This Idempotency-Key was used for another request');
    }
    if (!row || row.answer === UNFINISHED) {
      throw new Conflict(
        'in_progress',
        'The first request with this Idempotency-Key is still being answered',
      );
    }
    return JSON.parse(cipher.decrypt(row.answer)) as unknown[];
  }

  /** Gives the answer to an earlier request. */
  async function repeat<T>(tx: Tx, begun: unknown[], again: Again<T> | undefined): Promise<T[]> {
    return again ? again(tx, idOf(begun)) : (begun as T[]);
  }

  const answering = {
    clock,
    encrypt: (data: readonly unknown[]) => cipher.encrypt(JSON.stringify(data)),
    keptOf,
    repeat: async <T>(tx: Tx, attempt: Attempt, again: Again<T> | undefined) =>
      repeat(tx, await earlierAnswer(tx, attempt), again),
  };
  const together = idempotentBatches({ ...answering, claimKeys: claimFree });
  const alone = idempotentBatches({ ...answering, claimKeys: claim });

  async function finish(tx: Tx, attempt: Attempt, held: number, data: readonly unknown[]): Promise<void> {
    const answer = cipher.encrypt(JSON.stringify(data));
    const { scope, key } = attempt;
    await save.run(tx, { scope, key, held, answer, expiresAt: clock() + ANSWERS_KEPT_MS });
  }

  return {
    /** Runs one transaction. It stores the key and the answer too, so both commit or neither does. */
    write<T>(
      attempt: Attempt | undefined,
      work: (tx: Tx) => Promise<T[]>,
      { again, ...options }: WriteOptions & { again?: Again<T> | undefined },
    ): Promise<T[]> {
      if (!attempt) return db.write(work, options);
      return db.write(async (tx) => {
        const begun = await begin(tx, attempt, false);
        if (typeof begun !== 'number') return repeat(tx, begun, again);
        const data = await work(tx);
        await finish(tx, attempt, begun, keptOf(data, again));
        return data;
      }, options);
    },

    /** The same for one item of a batch. */
    batch<Item, T>(
      attempt: Attempt | undefined,
      batch: Batch<Item, T[]>,
      item: Item,
      { again, ...options }: WriteOptions & { again?: Again<T> | undefined },
    ): Promise<T[]> {
      const { withKeys } = options.shared ? together : alone;
      return db.batch(withKeys(batch), { attempt, item, again }, options);
    },

    /**
     * Runs work that makes outbound calls and so cannot be one transaction. The key becomes free again when it fails.
     */
    async once<T>(attempt: Attempt | undefined, work: () => Promise<T[]>): Promise<T[]> {
      if (!attempt) return work();
      const begun = await db.write((tx) => begin(tx, attempt, true));
      if (typeof begun !== 'number') return begun as T[];
      const lease = keepLease(begun, (tx, to) => renew.first(tx, { ...attempt, ...to }));
      try {
        const data = await work();
        const held = await lease.end();
        await db.write((tx) => finish(tx, attempt, held, data));
        return data;
      } catch (error) {
        const held = await lease.end();
        await db.write((tx) => forget.run(tx, { ...attempt, held }));
        throw error;
      }
    },
  };
}
