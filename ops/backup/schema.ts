import { DatabaseSync } from 'node:sqlite';
import { type Migration, sqliteSchemaOf } from '#platform/db/index.ts';

interface Part {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** SQLite's own tables have names that begin with sqlite_: they depend on what was done, not on the migrations. */
const SCHEMA = `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`;
/** The text of those that the full-text search makes for itself depends on the version of SQLite. */
const SHADOWS = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'";
/** Databases of before have fewer columns: servers add them when they start. */
const BOOKKEEPING = 'schema_migrations';
const COLUMNS_ADDED = [', rolling integer', ', done integer', ', checksum text'];

/**
 * Compares the schema of a database with what the migrations make, without running anything of it: a trigger that somebody
 * else put in would run on the server, and what is missing would fail it.
 * @param optional a table that an earlier form of these migrations did not make
 * @returns the name of something that differs
 */
export function differenceIn(
  db: DatabaseSync,
  applied: readonly Migration[],
  optional: readonly string[],
): string | undefined {
  const expected = new DatabaseSync(':memory:');
  try {
    for (const sql of sqliteSchemaOf(applied)) expected.exec(sql);
    const shadows = new Set((expected.prepare(SHADOWS).all() as { name: string }[]).map(({ name }) => name));
    const own = partsOf(expected);
    const there = partsOf(db);
    for (const [name, part] of there) {
      const wanted = own.get(name);
      if (!wanted || wanted.type !== part.type || wanted.tbl_name !== part.tbl_name) return name;
      if (!shadows.has(name) && !textsOf(wanted).includes(part.sql)) return name;
    }
    return [...own.values()].find(({ name, tbl_name }) => !there.has(name) && !optional.includes(tbl_name))
      ?.name;
  } finally {
    expected.close();
  }
}

const partsOf = (db: DatabaseSync) =>
  new Map((db.prepare(SCHEMA).all() as unknown as Part[]).map((part) => [part.name, part]));

function textsOf({ name, sql }: Part): (string | null)[] {
  if (name !== BOOKKEEPING || sql === null) return [sql];
  const texts = [sql];
  for (const column of COLUMNS_ADDED) texts.push((texts.at(-1) as string).replace(column, ''));
  return texts;
}
