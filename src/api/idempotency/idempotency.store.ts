import { sql } from 'kysely';
import { LEASE_MS } from '#platform/jobs/index.ts';
import { deletion, type IdempotencyRow, insertion, rewriting, statement } from '#schema';

export const ANSWERS_KEPT_MS = 24 * 3600 * 1000;
/** Stands for the answer until there is one. */
export const UNFINISHED = '';

export const find = statement<{ scope: string; key: string }>()((q, p) =>
  q.selectFrom('idempotency_keys').selectAll().where('scope', '=', p.scope).where('key', '=', p.key),
);

/** Each claim expires at a distinct time (`held`), which identifies its owner. */
export const renew = statement<{ scope: string; key: string; held: number; until: number; now: number }>()(
  (q, p) =>
    q
      .updateTable('idempotency_keys')
      .set({ expires_at: p.until })
      .where('scope', '=', p.scope)
      .where('key', '=', p.key)
      .where('expires_at', '=', p.held)
      .where('expires_at', '>', p.now)
      .returning('key'),
);

export const save = statement<{
  scope: string;
  key: string;
  held: number;
  answer: string;
  expiresAt: number;
}>()((q, p) =>
  q
    .updateTable('idempotency_keys')
    .set({ answer: p.answer, expires_at: p.expiresAt })
    .where('scope', '=', p.scope)
    .where('key', '=', p.key)
    .where('expires_at', '=', p.held),
);

export const forget = statement<{ scope: string; key: string; held: number }>()((q, p) =>
  q
    .deleteFrom('idempotency_keys')
    .where('scope', '=', p.scope)
    .where('key', '=', p.key)
    .where('expires_at', '=', p.held),
);

export const purgeIdempotencyKeys = deletion('idempotency_keys')<{ now: number }>((rows, p) =>
  rows.where('expires_at', '<=', p.now),
);

/** The kept answers. */
export const rewriteAnswers = rewriting('idempotency_keys', { scope: '', key: '' }, ['answer']);

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

const COLUMNS = ['scope', 'key', 'request_hash', 'answer', 'expires_at'] as const;

/** The lock of a key. Every transaction takes it before the row, so none waits for a row that is not committed. */
const LOCK = `hashtextextended(scope || ' ' || key, 0)`;

/**
 * Claims keys for so long, unless they are in use. Those are locked as well: a repeat thereby commits something, and is
 * not answered before a synchronous standby has what it repeats.
 * @returns those that it claimed
 */
const claiming = (keptMs: number, locked: string) =>
  insertion('idempotency_keys')<keyof IdempotencyRow, Pick<IdempotencyRow, 'scope' | 'key'>>(
    COLUMNS,
    (dialect) =>
      `${dialect === 'postgres' ? `WHERE ${locked}` : ''} ON CONFLICT (scope, key) DO UPDATE
       SET request_hash = excluded.request_hash, answer = excluded.answer, expires_at = excluded.expires_at
       WHERE idempotency_keys.expires_at <= excluded.expires_at - ${keptMs} RETURNING scope, key`,
  );

const WAIT = `pg_advisory_xact_lock(${LOCK}) IS NOT NULL`;

export const claim = claiming(ANSWERS_KEPT_MS, WAIT);
export const claimForLease = claiming(LEASE_MS, WAIT);
/**
 * Leaves a key to the transaction that is claiming it. A group has the locks of other members, for which that
 * transaction may wait.
 */
export const claimFree = claiming(ANSWERS_KEPT_MS, `pg_try_advisory_xact_lock(${LOCK})`);

/** Saves the answers to keys that the same transaction has claimed. */
export const saveAnswers = insertion('idempotency_keys')(
  COLUMNS,
  () => 'ON CONFLICT (scope, key) DO UPDATE SET answer = excluded.answer, expires_at = excluded.expires_at',
);
