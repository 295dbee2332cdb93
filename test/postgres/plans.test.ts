import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { asTransaction } from '#platform/db/database.ts';
import { inIdList } from '#platform/db/in-list.ts';
import { queriesFor } from '#platform/db/statement.ts';
import { createDatabase } from '../support/postgres.ts';

/** PostgreSQL compares plans after so many runs of a statement. */
const RUNS_BEFORE = 5;

describe('a list of ids', () => {
  it('is planned once when it has one, and not for each run', async () => {
    const { query } = queriesFor<{ things: { id: string } }>();
    let text = '';
    const db = asTransaction({
      dialect: 'postgres',
      all: async (sql) => {
        text = sql;
        return [];
      },
      afterCommit: () => undefined,
      gather: () => undefined,
    });
    await query(db, (q) =>
      q
        .selectFrom('things')
        .select('id')
        .where(inIdList('postgres', 'id', [])),
    );

    const client = new pg.Client(await createDatabase(inject('postgresUrl')));
    await client.connect();
    try {
      // As PostgreSQL has it, and not the suite's server.
      await client.query('SET plan_cache_mode = auto');
      await client.query('CREATE TABLE things (id UUID PRIMARY KEY)');
      await client.query('INSERT INTO things SELECT gen_random_uuid() FROM generate_series(1, 10000)');
      await client.query('ANALYZE things');
      const { rows } = await client.query<{ id: string }>('SELECT id FROM things LIMIT 20');
      for (const { id } of rows)
        expect((await client.query({ name: 'find', text, values: [[id]] })).rows).toEqual([{ id }]);
      const plans = await client.query(
        "SELECT custom_plans, generic_plans FROM pg_prepared_statements WHERE name = 'find'",
      );
      const [custom, generic] = [RUNS_BEFORE, rows.length - RUNS_BEFORE].map(String);
      expect(plans.rows).toEqual([{ custom_plans: custom, generic_plans: generic }]);
      const explained = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE find('{}')`);
      expect(explained.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('on things_pkey');
    } finally {
      await client.end();
    }
  });
});
