import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../src/platform/db/index.ts';

/** All rows of all tables as text, to search for data that must not be there. @returns by table */
export async function dumpTables(db: Database): Promise<Map<string, string>> {
  const names = await db.all<{ name: string }>(
    db.dialect === 'postgres'
      ? "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
      : "SELECT name FROM sqlite_master WHERE type = 'table'",
    [],
  );
  // SQLite answers within the turn: a loop of queries must let other work run.
  await nextTurn();
  const dump = new Map<string, string>();
  for (const { name } of names) {
    // The tables of SQLite's full-text index: words without texts, and internal numbers.
    if (name.startsWith('message_words')) continue;
    const rows = await db.all(`SELECT * FROM "${name}"`, []);
    dump.set(name, JSON.stringify(rows));
  }
  return dump;
}

/** Runs one statement, with `?` for values on both databases. */
export async function runSql<Row = unknown>(
  db: Database,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  let place = 0;
  const text = db.dialect === 'postgres' ? sql.replaceAll('?', () => `$${++place}`) : sql;
  return db.write((tx) => tx.all<Row>(text, values));
}

/** The names of the columns of every table, each once. */
export async function columnNames(db: Database): Promise<string[]> {
  const rows = await db.all<{ name: string }>(
    db.dialect === 'postgres'
      ? "SELECT DISTINCT column_name AS name FROM information_schema.columns WHERE table_schema = 'public'"
      : "SELECT DISTINCT c.name AS name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'",
    [],
  );
  return rows.map(({ name }) => name);
}

/** How a statement is carried out, whatever its values are. On PostgreSQL, as in a table too large to read whole. */
export async function planOf(db: Database, sql: string, values: readonly unknown[]): Promise<string> {
  if (db.dialect === 'sqlite') {
    const steps = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
    return steps.map(({ detail }) => detail).join('\n');
  }
  return db.write(async (tx) => {
    for (const setting of ['enable_seqscan = off', 'plan_cache_mode = force_generic_plan'])
      await tx.all(`SET LOCAL ${setting}`, []);
    await tx.all(`PREPARE explained AS ${sql}`, []);
    const literals = values.map((value) => `'${value}'`).join(', ');
    const steps = await tx.all<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE explained(${literals})`, []);
    await tx.all('DEALLOCATE explained', []);
    return steps.map((step) => step['QUERY PLAN']).join('\n');
  });
}
