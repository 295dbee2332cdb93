import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import type { Batch, Database, Outcome, Tx } from './database.ts';

let server: TestServer;
let db: Database;
beforeAll(async () => {
  server = await startTestServer();
  db = server.running.db;
});
afterAll(() => server.stop());

const share = <T>(work: (tx: Tx) => Promise<T>) => db.write(work, { lane: 'a lane', shared: true });
const put = (tx: Tx, name: string) =>
  tx.all(`INSERT INTO server_state (name, value) VALUES ('${name}', '')`, []);
const stored = async (prefix: string) => {
  const rows = await db.all<{ name: string }>('SELECT name FROM server_state ORDER BY name', []);
  return rows.map(({ name }) => name).filter((name) => name.startsWith(prefix));
};
const outcomes = async (writes: Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
  );

it('members of a group share a commit, and one that only read is refused alone', async () => {
  const runs = new Map<string, number>();
  const effects: string[] = [];
  const member = (name: string, fails: boolean) =>
    share(async (tx) => {
      runs.set(name, (runs.get(name) ?? 0) + 1);
      await tx.all('SELECT name FROM server_state', []);
      tx.afterCommit(() => effects.push(name));
      if (fails) throw new Error(`no ${name}`);
      await put(tx, name);
      // A reader outside sees nothing before the commit of all.
      return (await stored('read')).length;
    });
  const ended = await outcomes([
    member('read1', false),
    member('read2', true),
    member('read3', false),
    member('read4', true),
  ]);
  expect(ended).toEqual([0, 'no read2', 0, 'no read4']);
  expect(await stored('read')).toEqual(['read1', 'read3']);
  expect(effects).toEqual(['read1', 'read3']);
  expect([...runs.values()]).toEqual([1, 1, 1, 1]);
});

it('a member that fails after a write takes nothing from the others, and each is answered once', async () => {
  const effects: string[] = [];
  let mayFail = true;
  const member = (name: string, fail: (tx: Tx) => Promise<unknown>) =>
    share(async (tx) => {
      await put(tx, name);
      tx.afterCommit(() => effects.push(name));
      await fail(tx);
      return name;
    });
  const fine = async () => undefined;
  const refuse = () => Promise.reject(new Error('refused'));
  const passing = async () => {
    // Refused in the group that rolls back, accepted when it runs again.
    if (db.dialect === 'sqlite' || !mayFail) return;
    mayFail = false;
    throw new Error('not yet');
  };
  const broken = (tx: Tx) => tx.all('INSERT INTO no_such_table (name) VALUES (1)', []);
  const caught = (tx: Tx) => broken(tx).catch(() => undefined);
  const ended = await outcomes([
    member('late1', fine),
    member('late2', passing),
    member('late3', refuse),
    member('late4', broken),
    member('late5', fine),
    member('late1', fine),
  ]);
  expect(ended).toEqual([
    'late1',
    'late2',
    'refused',
    expect.stringContaining('no_such_table'),
    'late5',
    expect.stringContaining('another row has this value already'),
  ]);
  expect(await stored('late')).toEqual(['late1', 'late2', 'late5']);
  expect(effects).toEqual(['late1', 'late2', 'late5']);
  const last = await outcomes([member('late6', caught), member('late7', fine)]);
  // PostgreSQL carries out nothing more after an error, SQLite goes on.
  expect(last).toEqual([
    db.dialect === 'sqlite' ? 'late6' : expect.stringContaining('no_such_table'),
    'late7',
  ]);
});

it('items of one batch are carried out together, each with an outcome of its own', async () => {
  const calls: string[][] = [];
  const batch: Batch<string, string> = async (tx, names) => {
    calls.push([...names]);
    const outcomes: Outcome<string>[] = [];
    for (const name of names) {
      // Too late to be refused alone: what the whole batch wrote is undone.
      if (name.endsWith('broken')) throw new Error(`no ${name}`);
      if (name.endsWith('refused')) outcomes.push({ error: new Error(`no ${name}`) });
      else {
        await put(tx, name);
        outcomes.push({ value: name });
      }
    }
    return outcomes;
  };
  const add = (name: string) => db.batch(batch, name, { lane: 'a lane', shared: true });
  const names = ['batch1', 'batch2 refused', 'batch3'];
  const write = share(async (tx) => put(tx, 'batch, another write'));
  expect(await outcomes([...names.map(add), write])).toEqual(['batch1', 'no batch2 refused', 'batch3', []]);
  expect(calls).toEqual([names]);
  const more = ['batch4', 'batch5 broken', 'batch6', 'batch7 refused'];
  const ended = await outcomes(more.map(add));
  expect(ended).toEqual(['batch4', 'no batch5 broken', 'batch6', 'no batch7 refused']);
  expect(calls.slice(1)).toEqual([more, ...more.map((name) => [name])]);
  expect(await stored('batch')).toEqual(['batch, another write', 'batch1', 'batch3', 'batch4', 'batch6']);
  // Without a lane, an item has a transaction of its own on PostgreSQL.
  expect(await outcomes([db.batch(batch, 'batch8'), db.batch(batch, 'batch9 refused')])).toEqual([
    'batch8',
    'no batch9 refused',
  ]);
});

it('members that come while a group commits are in a later one, in order and without a loss', async () => {
  const order: number[] = [];
  const last = await Promise.all(
    Array.from({ length: 600 }, (_, n) =>
      share(async (tx) => {
        await tx.all(
          `INSERT INTO server_state (name, value) VALUES ('count', '1')
           ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(server_state.value AS integer) + 1 AS text)`,
          [],
        );
        const [row] = await tx.all<{ value: string }>(
          `SELECT value FROM server_state WHERE name = 'count'`,
          [],
        );
        tx.afterCommit(() => order.push(n));
        return Number(row?.value);
      }),
    ),
  );
  expect(last).toEqual(Array.from({ length: 600 }, (_, n) => n + 1));
  expect(order).toEqual(Array.from({ length: 600 }, (_, n) => n));
});
