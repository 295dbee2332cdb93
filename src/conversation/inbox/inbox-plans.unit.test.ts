import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { type Reader, sqliteSchemaOf } from '#platform/db/index.ts';
import { migrations } from '#schema';
import { listEntries, listTeamTraffic } from './inbox.store.ts';

const USER = '019a0000-0000-7000-8000-000000000000';

/** How SQLite finds the rows of what is asked. */
async function plansOf(ask: (reader: Reader) => Promise<unknown>): Promise<string[]> {
  const db = new DatabaseSync(':memory:');
  for (const sql of sqliteSchemaOf(migrations)) db.exec(sql);
  const plans: string[] = [];
  await ask({
    dialect: 'sqlite',
    all: async (sql, parameters) => {
      const values = parameters.map((value) => (Array.isArray(value) ? JSON.stringify(value) : value));
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(values as string[]));
      plans.push(...steps.map(({ detail }) => String(detail)));
      return [];
    },
  });
  return plans;
}

it('what is new begins at the open entries, however many are closed', async () => {
  const page = { userId: USER, teamId: null, from: USER, limit: 51 };
  const [first] = await plansOf((reader) => listEntries.new.all(reader, page));
  expect(first).toMatch(/^SEARCH inbox_entries USING INDEX inbox_entries_open /);
});

it('the entries of all teams are gone through once, and not for each team', async () => {
  const plans = await plansOf((reader) => listTeamTraffic.all(reader, { userIds: [USER] }));
  const ofUser = plans.filter((plan) =>
    /inbox_entries USING INDEX inbox_entries_(?:open|by_place)/.test(plan),
  );
  expect(ofUser).toHaveLength(1);
  expect(plans[plans.indexOf(ofUser[0] as string) - 1]).toBe('MATERIALIZE addressed');
});
