import { beforeEach, expect, it } from 'vitest';
import { purgeIdempotencyKeys } from '../../src/api/index.ts';
import type { Database } from '../../src/platform/db/index.ts';
import { cleaning, ROWS_AT_ONCE } from '../../src/platform/jobs/index.ts';
import { scene } from '../support/scene.ts';

const { server } = scene({ options: { housekeepingMs: 3_600_000 } });
const OLD = 2 * ROWS_AT_ONCE + 1;
let db: Database;

const count = async () => (await db.all('SELECT 1 FROM idempotency_keys', [])).length;
const clean = (stopping: AbortSignal) => cleaning(db, purgeIdempotencyKeys, () => ({ now: 1000 }))(stopping);

beforeEach(async () => {
  db = server.running.db;
  await db.write(async (tx) => {
    await tx.all('DELETE FROM idempotency_keys', []);
    for (const [from, rows, expires] of [
      [0, OLD, 1000],
      [OLD, 3, 1001],
    ] as const)
      await tx.all(
        `WITH RECURSIVE numbers (n) AS (SELECT ${from + 1} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${from + rows})
         INSERT INTO idempotency_keys (scope, key, request_hash, answer, expires_at)
         SELECT 'someone', CAST(n AS text), '', '', ${expires} FROM numbers`,
        [],
      );
  });
});

it('cleaning up takes a few hundred rows in each transaction, and all that are over in the end', async () => {
  expect(await db.write((tx) => purgeIdempotencyKeys(tx, { now: 1000 }))).toBe(true);
  expect(await count()).toBe(OLD + 3 - ROWS_AT_ONCE);
  await clean(new AbortController().signal);
  expect(await count()).toBe(3);
});

it('a server that stops leaves the rest of a clean-up to the next one', async () => {
  const stopping = new AbortController();
  const cleaned = clean(stopping.signal);
  stopping.abort();
  await cleaned;
  expect(await count()).toBe(OLD + 3 - ROWS_AT_ONCE);
});
