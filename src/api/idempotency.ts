import { type Cipher, hashToken } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx, WriteOptions } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { statement } from '../schema/index.ts';
import { Conflict, InvalidFields } from './errors.ts';

const KEPT_MS = 24 * 3600 * 1000;
/** How long an answer that was never saved (the server was killed) keeps its key. */
const UNFINISHED_MS = 60 * 1000;
const MAX_KEY_LENGTH = 255;
const UNFINISHED = '';

/** A POST that its caller may repeat: who, which key, and what was asked. */
export interface Attempt {
  readonly scope: string;
  readonly key: string;
  readonly requestHash: string;
}

const claim = statement<{
  scope: string;
  key: string;
  requestHash: string;
  expiresAt: number;
  now: number;
}>()((q, p) =>
  q
    .insertInto('idempotency_keys')
    .values({
      scope: p.scope,
      key: p.key,
      request_hash: p.requestHash,
      answer: UNFINISHED,
      expires_at: p.expiresAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key'])
        .doUpdateSet({ request_hash: p.requestHash, answer: UNFINISHED, expires_at: p.expiresAt })
        .where('idempotency_keys.expires_at', '<=', p.now),
    )
    .returning('key'),
);

const find = statement<{ scope: string; key: string }>()((q, p) =>
  q.selectFrom('idempotency_keys').selectAll().where('scope', '=', p.scope).where('key', '=', p.key),
);

const save = statement<{ scope: string; key: string; answer: string; expiresAt: number }>()((q, p) =>
  q
    .updateTable('idempotency_keys')
    .set({ answer: p.answer, expires_at: p.expiresAt })
    .where('scope', '=', p.scope)
    .where('key', '=', p.key),
);

const forget = statement<{ scope: string; key: string }>()((q, p) =>
  q.deleteFrom('idempotency_keys').where('scope', '=', p.scope).where('key', '=', p.key),
);

export const purgeIdempotencyKeys = statement<{ now: number }>()((q, p) =>
  q.deleteFrom('idempotency_keys').where('expires_at', '<=', p.now),
);

const idOf = ([first]: readonly unknown[]) => (first as { id: string }).id;

/** @throws InvalidFields for a key that is empty or too long */
export function readAttempt(scope: string, key: unknown, request: string): Attempt {
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
    const message = `must be one text of 1 to ${MAX_KEY_LENGTH} characters`;
    throw new InvalidFields({ field: 'Idempotency-Key', message });
  }
  return { scope, key, requestHash: hashToken(request) };
}

/**
 * Makes the answer of a repeated request from the id of what the first one made. Only the id is kept then: what has been
 * changed or deleted since must not come back.
 */
export type Again<T> = (tx: Tx, id: string) => Promise<T[]>;

export type Idempotency = ReturnType<typeof idempotency>;

/** Gives the first answer again to a repeated POST, across restarts and nodes. */
export function idempotency(deps: { db: Database; clock: Clock; cipher: Cipher }) {
  const { db, clock, cipher } = deps;

  /** @returns the saved answer, or undefined when the key is now ours. */
  async function begin(tx: Tx, attempt: Attempt, keptMs: number): Promise<unknown[] | undefined> {
    const now = clock();
    const { scope, key, requestHash } = attempt;
    if (await claim.first(tx, { scope, key, requestHash, now, expiresAt: now + keptMs })) return undefined;
    return earlierAnswer(tx, attempt);
  }

  async function earlierAnswer(db: Reader, attempt: Attempt): Promise<unknown[]> {
    const row = await find.first(db, attempt);
    if (row?.request_hash !== attempt.requestHash) {
      throw new Conflict('idempotency_key', 'This Idempotency-Key was used for another request');
    }
    if (row.answer === UNFINISHED) {
      throw new Conflict(
        'in_progress',
        'The first request with this Idempotency-Key is still being answered',
      );
    }
    return JSON.parse(cipher.decrypt(row.answer)) as unknown[];
  }

  async function finish(tx: Tx, attempt: Attempt, data: unknown[]): Promise<void> {
    const answer = cipher.encrypt(JSON.stringify(data));
    await save.all(tx, { scope: attempt.scope, key: attempt.key, answer, expiresAt: clock() + KEPT_MS });
  }

  return {
    /** Runs one transaction; the key and the answer are part of it, so either all of it happened or nothing. */
    write<T>(
      attempt: Attempt | undefined,
      work: (tx: Tx) => Promise<T[]>,
      { again, ...options }: WriteOptions & { again?: Again<T> | undefined },
    ): Promise<T[]> {
      if (!attempt) return db.write(work, options);
      return db.write(async (tx) => {
        const earlier = await begin(tx, attempt, KEPT_MS);
        if (earlier) return again ? again(tx, idOf(earlier)) : (earlier as T[]);
        const data = await work(tx);
        await finish(tx, attempt, again ? [{ id: idOf(data) }] : data);
        return data;
      }, options);
    },

    /** Runs work that calls others and so cannot be one transaction. When it fails, the key may be used again. */
    async once<T>(attempt: Attempt | undefined, work: () => Promise<T[]>): Promise<T[]> {
      if (!attempt) return work();
      const earlier = await db.write((tx) => begin(tx, attempt, UNFINISHED_MS));
      if (earlier) return earlier as T[];
      try {
        const data = await work();
        await db.write((tx) => finish(tx, attempt, data));
        return data;
      } catch (error) {
        await db.write((tx) => forget.all(tx, attempt));
        throw error;
      }
    },
  };
}
