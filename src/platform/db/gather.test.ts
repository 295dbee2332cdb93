import { describe, expect, it } from 'vitest';
import { insertion } from '#schema';
import { scene } from '../../../test/support/scene.ts';
import { gathering, type InsertRows, type Tx, UniqueViolation } from './database.ts';

const { server } = scene();

it.each([{ lane: 'a lane', shared: true }, {}])(
  'gathered rows are written with their transaction, in order, and not without it: %o',
  async (options) => {
    const { db } = server.running;
    await db.write((tx) => tx.all("DELETE FROM server_state WHERE name LIKE 'g_'", []));
    const calls: string[][] = [];
    const insert = gathering('server_state', async (tx, rows: readonly string[]) => {
      calls.push([...rows]);
      for (const row of rows)
        await tx.all(`INSERT INTO server_state (name, value) VALUES ('${row}', '')`, []);
    });
    const write = (names: string[], fails = false) =>
      db.write(async (tx) => {
        for (const name of names) tx.gather(insert, name);
        if (fails) throw new Error('refused');
        return names;
      }, options);
    const ended = await Promise.allSettled([write(['g1', 'g2']), write(['g3'], true), write(['g4'])]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const stored = await db.all("SELECT name FROM server_state WHERE name LIKE 'g_' ORDER BY name", []);
    expect(stored).toMatchObject([{ name: 'g1' }, { name: 'g2' }, { name: 'g4' }]);
    const [one, two] = [['g1', 'g2'], ['g4']] as const;
    // On SQLite all writes share a commit.
    const isGroup = db.dialect === 'sqlite' || 'shared' in options;
    expect(calls.sort()).toEqual(isGroup ? [[...one, ...two]] : [one, two]);
  },
);

it('gathered rows are written in one order by all transactions, whichever was gathered first', async () => {
  const { db } = server.running;
  const written: string[] = [];
  const [one, two] = ['a table', 'b table'].map((place) =>
    gathering(place, async (_: unknown, rows: readonly string[]) => void written.push(...rows, place)),
  ) as [InsertRows<string>, InsertRows<string>];
  await db.write(async (tx) => {
    tx.gather(one, '1');
    tx.gather(two, '2');
  });
  await db.write(async (tx) => {
    tx.gather(two, '2');
    tx.gather(one, '1');
  });
  const order = ['1', 'a table', '2', 'b table'];
  expect(written).toEqual([...order, ...order]);
});

it('gathered rows that take a lock which others need are written when all others are', async () => {
  const { db } = server.running;
  const written: string[] = [];
  const slow = gathering('b table', async (tx: Tx, rows: readonly string[]) => {
    await tx.all('SELECT 1', []);
    written.push(...rows);
  });
  const last = gathering(
    'a table',
    async (_: unknown, rows: readonly string[]) => void written.push(...rows),
    'last',
  );
  await db.write(async (tx) => {
    tx.gather(last, 'last');
    tx.gather(slow, 'slow');
  });
  expect(written).toEqual(['slow', 'last']);
});

describe('a transaction whose gathered rows are all written by one statement each', () => {
  const insert = insertion('server_state')(['name', 'value']);
  const namesLike = async (pattern: string) =>
    (
      await server.running.db.all<{ name: string }>(
        `SELECT name FROM server_state WHERE name LIKE '${pattern}' ORDER BY name`,
        [],
      )
    ).map(({ name }) => name);

  it('leaves nothing when one of them is refused', async () => {
    const { db } = server.running;
    const writing = db.write(async (tx) => {
      await insert(tx, [{ name: 'h1', value: '' }]);
      tx.gather(insert, { name: 'h2', value: '' });
      tx.gather(insert, { name: 'h1', value: 'twice' });
    });
    await expect(writing).rejects.toThrow(UniqueViolation);
    expect(await namesLike('h_')).toEqual([]);
  });

  it('leaves nothing when one of them fails before its statement', async () => {
    const { db } = server.running;
    const failing = gathering('a table', () => Promise.reject(new Error('no statement')), 'at once');
    const writing = db.write(async (tx) => {
      await insert(tx, [{ name: 'i1', value: '' }]);
      tx.gather(insert, { name: 'i2', value: '' });
      tx.gather(failing, {});
    });
    await expect(writing).rejects.toThrow('no statement');
    expect(await namesLike('i_')).toEqual([]);
  });

  it('is written once, and tells its effects after that', async () => {
    const { db } = server.running;
    const seen: string[][] = [];
    const effects: Promise<void>[] = [];
    await db.write(async (tx) => {
      tx.gather(insert, { name: 'j1', value: '' });
      tx.afterCommit(() => effects.push(namesLike('j_').then((names) => void seen.push(names))));
    });
    await Promise.all(effects);
    expect(seen).toEqual([['j1']]);
  });
});
