import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Batch, Outcome } from '#platform/db/index.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import { readAttempt } from './attempt.ts';
import { idempotency } from './idempotency.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Made {
  readonly id: string;
}

/** A batch that refuses some items, and how often it was asked for each. */
function maker() {
  const asked: string[] = [];
  const repeated: string[] = [];
  const make: Batch<string, Made[]> = async (tx, names) => {
    asked.push(...names);
    await tx.all('SELECT name FROM server_state', []);
    return names.map(
      (name): Outcome<Made[]> =>
        name.startsWith('bad') ? { error: new Error(`no ${name}`) } : { value: [{ id: name }] },
    );
  };
  const scope = randomUUID();
  const unused = () => Promise.reject(new Error('no lease is needed'));
  const keys = idempotency({
    db: server.running.db,
    clock: server.clock.now,
    cipher: { encrypt: (text: string) => text, decrypt: (text: string) => text } as never,
    keepLease: unused as never,
  });
  const send = (key: string, name: string) =>
    keys.batch(readAttempt(scope, key, name), make, name, {
      lane: scope,
      shared: true,
      again: async (_, id) => {
        repeated.push(id);
        return [{ id }];
      },
    });
  const all = async (requests: readonly (readonly [key: string, name: string])[]) =>
    (await Promise.allSettled(requests.map(([key, name]) => send(key, name)))).map((one) =>
      one.status === 'fulfilled'
        ? one.value[0]?.id
        : ((one.reason as Error & { reason?: string }).reason ?? one.reason.message),
    );
  return { asked, repeated, all };
}

it('one request many times at once is carried out once, and repeated once later', async () => {
  const { asked, repeated, all } = maker();
  const requests = Array.from({ length: 50 }, () => ['key', 'good'] as const);
  expect(new Set(await all(requests))).toEqual(new Set(['good']));
  expect(asked).toEqual(['good']);
  expect(repeated).toEqual([]);
  expect(new Set(await all(requests))).toEqual(new Set(['good']));
  expect(asked).toEqual(['good']);
  expect(repeated).toEqual(['good']);
});

it('a refused request many times at once is refused once for all, and its key is free afterwards', async () => {
  const { asked, all } = maker();
  const requests = Array.from({ length: 50 }, () => ['key', 'bad'] as const);
  expect(new Set(await all(requests))).toEqual(new Set(['no bad']));
  expect(asked).toEqual(['bad']);
  expect(await all([['key', 'good']])).toEqual(['good']);
});

it('other requests with the key of one at the same moment are refused, whatever becomes of that one', async () => {
  const { asked, all } = maker();
  const answers = await all([
    ['one', 'bad'],
    ['one', 'good'],
    ['two', 'good'],
    ['two', 'bad'],
    ['two', 'good'],
  ]);
  expect(answers).toEqual(['no bad', 'in_progress', 'good', 'idempotency_key', 'good']);
  expect(asked).toEqual(['bad', 'good']);
});
