import { expect, it } from 'vitest';
import { scene } from '../../../test/support/scene.ts';
import type { InsertRows } from './database.ts';

const { server } = scene();

it.each([{ lane: 'a lane', shared: true }, {}])(
  'gathered rows are written with their transaction, in order, and not without it: %o',
  async (options) => {
    const { db } = server.running;
    await db.write((tx) => tx.all("DELETE FROM server_state WHERE name LIKE 'g_'", []));
    const calls: string[][] = [];
    const insert: InsertRows<string> = async (tx, rows) => {
      calls.push([...rows]);
      for (const row of rows)
        await tx.all(`INSERT INTO server_state (name, value) VALUES ('${row}', '')`, []);
    };
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
