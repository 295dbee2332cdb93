import type { Cipher } from '#platform/crypto/index.ts';
import {
  type Batch,
  type Database,
  only,
  type Reader,
  type Tx,
  type WriteOptions,
} from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type KeepLease, LEASE_MS } from '#platform/jobs/index.ts';
import { Conflict } from '../errors.ts';
import type { Again, Attempt } from './attempt.ts';
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

  const encrypt = (data: readonly unknown[]) => cipher.encrypt(JSON.stringify(data));

  const answering = {
    clock,
    encrypt,
    keptOf,
    repeat: async <T>(tx: Tx, attempt: Attempt, again: Again<T> | undefined): Promise<T[]> => {
      const begun = await earlierAnswer(tx, attempt);
      return again ? again(tx, idOf(begun)) : (begun as T[]);
    },
  };
  const together = idempotentBatches({ ...answering, claimKeys: claimFree });
  const alone = idempotentBatches({ ...answering, claimKeys: claim });

  /** @returns the saved answer, or the time at which our claim on the key expires */
  async function begin(tx: Tx, attempt: Attempt): Promise<unknown[] | number> {
    const expiresAt = clock() + LEASE_MS;
    const claimed = await claimForLease(tx, [rowOf(attempt, UNFINISHED, expiresAt)]);
    return claimed.length > 0 ? expiresAt : earlierAnswer(tx, attempt);
  }

  function batch<Item, T>(
    attempt: Attempt | undefined,
    work: Batch<Item, T[]>,
    item: Item,
    { again, ...options }: WriteOptions & { again?: Again<T> | undefined },
  ): Promise<T[]> {
    const { withKeys } = options.shared ? together : alone;
    return db.batch(withKeys(work), { attempt, item, again }, options);
  }

  return {
    /** Runs one transaction. It stores the key and the answer too, so both commit or neither does. */
    write: <T>(
      attempt: Attempt | undefined,
      work: (tx: Tx) => Promise<T[]>,
      how: WriteOptions & { again?: Again<T> | undefined },
    ): Promise<T[]> => batch(attempt, only(work), undefined, how),

    /** Protects one item of a batch. */
    batch,

    /**
     * Runs work that makes outbound calls and so cannot be one transaction. The key becomes free again when it fails.
     */
    async once<T>(attempt: Attempt | undefined, work: () => Promise<T[]>): Promise<T[]> {
      if (!attempt) return work();
      const begun = await db.write((tx) => begin(tx, attempt));
      if (typeof begun !== 'number') return begun as T[];
      const lease = keepLease(begun, (tx, to) => renew.first(tx, { ...attempt, ...to }));
      try {
        const data = await work();
        const held = await lease.end();
        const { scope, key } = attempt;
        const saved = { scope, key, held, answer: encrypt(data), expiresAt: clock() + ANSWERS_KEPT_MS };
        await db.write((tx) => save.run(tx, saved));
        return data;
      } catch (error) {
        const held = await lease.end();
        await db.write((tx) => forget.run(tx, { ...attempt, held }));
        throw error;
      }
    },
  };
}
