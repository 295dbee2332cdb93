import { sql } from 'kysely';
import type { Database } from './database.ts';
import { queriesFor } from './statement.ts';

/** Rows in one transaction: some of them are long. */
const ROWS_AT_ONCE = 100;

/** Replaces each text of some columns of a table, in portions. What `change` gives back as it was is not written. */
export type Rewriting = (db: Database, change: (text: string) => string) => Promise<void>;

/** Within this file, tables and columns are names; {@link rewritingFor} checks those names against the schema. */
type Named = Record<string, Record<string, unknown>>;
const { statement } = queriesFor<Named>();

const before = (column: string) => `before_${column}`;

export function rewritingFor<Tables>() {
  /**
   * For texts that hold the same in another form, while no server runs.
   * @param key of its primary key, the columns with what is below all of their values
   * @param columns those of the texts
   */
  const rewriting = <Table extends keyof Tables & string>(
    table: Table,
    key: Partial<Record<keyof Tables[Table] & string, string>>,
    columns: readonly (keyof Tables[Table] & string)[],
  ): Rewriting => rewritingOf(table, key as Readonly<Record<string, string>>, columns);
  return { rewriting };
}

function rewritingOf(
  table: string,
  lowest: Readonly<Record<string, string>>,
  columns: readonly string[],
): Rewriting {
  const key = Object.keys(lowest);
  const some = statement<Record<string, string>>()((q, p) =>
    q
      .selectFrom(table)
      .select([...key, ...columns])
      .where(
        sql<boolean>`(${sql.join(key.map((column) => sql.ref(column)))}) > (${sql.join(key.map((column) => p[before(column)]))})`,
      )
      .orderBy(sql.join(key.map((column) => sql.ref(column))))
      .limit(sql.lit(ROWS_AT_ONCE)),
  );
  const update = statement<Record<string, string | null>>()((q, p) =>
    q
      .updateTable(table)
      .set(Object.fromEntries(columns.map((column) => [column, p[column]])))
      .where((eb) => eb.and(key.map((column) => eb(column, '=', p[column])))),
  );
  return async (db, change) => {
    for (let place = lowest; ; ) {
      const from = Object.fromEntries(key.map((column) => [before(column), place[column] as string]));
      const rows = await db.write(async (tx) => {
        const found = (await some.all(tx, from)) as Record<string, string | null>[];
        for (const row of found) {
          const texts = columns.map((column) => {
            const text = row[column] ?? null;
            return [column, text === null ? null : change(text)] as const;
          });
          if (texts.some(([column, text]) => text !== row[column]))
            await update.run(tx, { ...row, ...Object.fromEntries(texts) });
        }
        return found;
      });
      if (rows.length < ROWS_AT_ONCE) return;
      place = rows.at(-1) as Record<string, string>;
    }
  };
}
