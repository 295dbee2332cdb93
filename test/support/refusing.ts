import type { Database } from '../../src/platform/db/index.ts';
import { runSql } from './tables.ts';

/**
 * Lets the database refuse to change rows of a table, as if it had failed in the middle of a transaction.
 * @param when which rows: a condition on `NEW` @returns what ends it
 */
export async function refuseChanges(db: Database, table: string, when: string): Promise<() => Promise<void>> {
  if (db.dialect === 'sqlite') {
    const refuse = "BEGIN SELECT RAISE(ABORT, 'refused by the test'); END";
    await runSql(db, `CREATE TRIGGER refuse_changes BEFORE UPDATE ON ${table} WHEN ${when} ${refuse}`);
    return async () => void (await runSql(db, 'DROP TRIGGER refuse_changes'));
  }
  await runSql(
    db,
    `CREATE OR REPLACE FUNCTION refuse_changes() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$`,
  );
  await runSql(
    db,
    `CREATE TRIGGER refuse_changes BEFORE UPDATE ON ${table}
     FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse_changes()`,
  );
  return async () => void (await runSql(db, `DROP TRIGGER refuse_changes ON ${table}`));
}
