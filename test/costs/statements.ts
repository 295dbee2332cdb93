import { type Asked, recordStatements } from '../support/plans.ts';
import { runSql } from '../support/tables.ts';
import { ordinary } from './inputs.ts';
import { ordinaryOf, type Row } from './rows.ts';
import { send } from './send.ts';
import type { Stage } from './stage.ts';

/** A statement with the route that made it first. */
export type Statement = Asked & { readonly by: string };

/** Sends the ordinary request of each route. @param into gets the statements that it made, by their texts */
export async function askAll(
  stage: Stage,
  rows: readonly Row[],
  into: Map<string, Statement>,
): Promise<void> {
  for (const row of rows) {
    const stop = recordStatements(stage.server.running.db);
    await send(row, stage, ordinary(row, ordinaryOf(row, stage)));
    for (const one of stop()) if (!into.has(one.sql)) into.set(one.sql, { ...one, by: row.name });
  }
}

/** @returns the names of the product's tables on PostgreSQL */
export async function tablesOf({ server }: Stage): Promise<string[]> {
  const tables = await runSql<{ name: string }>(
    server.running.db,
    `SELECT relname AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = CAST('public' AS regnamespace) AND relname <> 'schema_migrations'`,
  );
  return tables.map(({ name }) => name);
}
