import { sql } from 'kysely';
import { type Cipher, hashToken } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx, WriteOptions } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type KeepLease, LEASE_MS } from '#platform/jobs/index.ts';
import { statement } from '#schema';
import { Conflict, InvalidFields } from './errors.ts';

export const ANSWERS_KEPT_MS = 24 * 3600 * 1000;
export const MAX_KEY_LENGTH = 255;
const UNFINISHED = '';

/** A POST that its caller may repeat: the caller, the key and a digest of the request. */
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

/** Each claim expires at a distinct time (`held`), which identifies its owner. */
const renew = statement<{ scope: string; key: string; held: number; until: number; now: number }>()((q, p) =>
  q
    .updateTable('idempotency_keys')
    .set({ expires_at: p.until })
    .where('scope', '=', p.scope)
    .where('key', '=', p.key)
    .where('expires_at', '=', p.held)
    .where('expires_at', '>', p.now)
    .returning('key'),
);

const save = statement<{ scope: string; key: string; held: number; answer: string; expiresAt: number }>()(
  (q, p) =>
    q
      .updateTable('idempotency_keys')
      .set({ answer: p.answer, expires_at: p.expiresAt })
      .where('scope', '=', p.scope)
      .where('key', '=', p.key)
      .where('expires_at', '=', p.held),
);

const forget = statement<{ scope: string; key: string; held: number }>()((q, p) =>
  q
    .deleteFrom('idempotency_keys')
    .where('scope', '=', p.scope)
    .where('key', '=', p.key)
    .where('expires_at', '=', p.held),
);

export const purgeIdempotencyKeys = statement<{ now: number }>()((q, p) =>
  q.deleteFrom('idempotency_keys').where('expires_at', '<=', p.now),
);

export const forgetAnswers = statement<object>()((q) => q.deleteFrom('idempotency_keys'));

/** Deletes the kept answers to a user. */
export const forgetAnswersTo = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('idempotency_keys').where('scope', '=', p.userId),
);

/** Deletes the kept answers to applications that acted for a user. */
export const forgetAnswersToTokens = statement<{ userId: string }>()((q, p) =>
  q
    .deleteFrom('idempotency_keys')
    .where(
      'scope',
      'in',
      q
        .selectFrom('oauth_grants')
        .select(
          sql<string>`CAST(user_id AS text) || ':' || CAST(application_id AS text) || ':' || CAST(team_id AS text)`.as(
            'scope',
          ),
        )
        .where('user_id', '=', p.userId),
    ),
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
 * Rebuilds the answer of a repeated request from the id that the first one created. Only the id is stored, so that
 * content changed or deleted since does not come back.
 */
export type Again<T> = (tx: Tx, id: string) => Promise<T[]>;

export type Idempotency = ReturnType<typeof idempotency>;

/** Replays the first answer to a repeated POST, across restarts and nodes. */
export function idempotency(deps: { db: Database; clock: Clock; cipher: Cipher; keepLease: KeepLease }) {
  const { db, clock, cipher, keepLease } = deps;

  /** @returns the saved answer, or the time at which our claim on the key expires */
  async function begin(tx: Tx, attempt: Attempt, keptMs: number): Promise<unknown[] | number> {
    const now = clock();
    const expiresAt = now + keptMs;
    const { scope, key, requestHash } = attempt;
    if (await claim.first(tx, { scope, key, requestHash, now, expiresAt })) return expiresAt;
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

  async function finish(tx: Tx, attempt: Attempt, held: number, data: unknown[]): Promise<void> {
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
        const begun = await begin(tx, attempt, ANSWERS_KEPT_MS);
        if (typeof begun !== 'number') return again ? again(tx, idOf(begun)) : (begun as T[]);
        const data = await work(tx);
        await finish(tx, attempt, begun, again ? [{ id: idOf(data) }] : data);
        return data;
      }, options);
    },

    /**
     * Runs work that makes outbound calls and so cannot be one transaction. The key becomes free again when it fails.
     */
    async once<T>(attempt: Attempt | undefined, work: () => Promise<T[]>): Promise<T[]> {
      if (!attempt) return work();
      const begun = await db.write((tx) => begin(tx, attempt, LEASE_MS));
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
