import { createHash } from 'node:crypto';
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
/** What no pragma tells of a table. */
const CLAUSES = /\b(?:CHECK|COLLATE|GENERATED|ON CONFLICT|AUTOINCREMENT|DEFERRABLE|DEFERRED|MATCH)\b/gi;

/**
 * Compares the schema of a database with what the migrations make, without running anything of it: a trigger that somebody
 * else put in would run on the server, and what is missing would fail it.
 * @returns the name of something that differs
 */
export function differenceIn(db: DatabaseSync, applied: readonly Migration[]): string | undefined {
  const expected = new DatabaseSync(':memory:');
  try {
    for (const sql of sqliteSchemaOf(applied)) expected.exec(sql);
    const [own, there] = [structureOf(expected), structureOf(db)];
    return [...there.keys(), ...own.keys()].find((name) => own.get(name) !== there.get(name));
  } finally {
    expected.close();
  }
}

/** Identifies a schema, whatever statements made it. */
export function digestOfSchema(db: DatabaseSync): string {
  const parts = [...structureOf(db)].sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Each table, index, view and trigger. A column that was added later is the same as one that was always there. */
function structureOf(db: DatabaseSync): Map<string, string> {
  const shadows = new Set((db.prepare(SHADOWS).all() as { name: string }[]).map(({ name }) => name));
  const parts = db.prepare(SCHEMA).all() as unknown as Part[];
  return new Map(
    parts.map((part) => [
      part.name,
      shadows.has(part.name) ? part.type : JSON.stringify([part.type, part.tbl_name, contentOf(db, part)]),
    ]),
  );
}

function contentOf(db: DatabaseSync, { type, name, sql }: Part): unknown {
  const text = sql?.replaceAll(/\s+/g, ' ') ?? '';
  // Columns of a virtual table come from its module, which would run.
  if (type !== 'table' || /^CREATE VIRTUAL/i.test(text)) return text;
  const all = (of: string, columns: string, more = '') =>
    db.prepare(`SELECT ${columns} FROM ${of}(?)${more}`).all(name);
  const columns = all(
    'pragma_table_xinfo',
    'name, type, "notnull", dflt_value, pk, hidden',
    ' ORDER BY name',
  );
  const unique = all('pragma_index_list', 'name', " WHERE origin <> 'c'") as { name: string }[];
  return [
    columns.map((column) => ({ ...column, type: affinityOf(String(column.type)) })),
    all(
      'pragma_foreign_key_list',
      '"table", "from", "to", on_update, on_delete, "match"',
      ' ORDER BY "from"',
    ),
    unique
      .map((index) => db.prepare('SELECT name FROM pragma_index_info(?)').all(index.name))
      .map((found) => JSON.stringify(found))
      .sort(),
    db.prepare("SELECT wr, strict FROM pragma_table_list WHERE schema = 'main' AND name = ?").all(name),
    text
      .match(CLAUSES)
      ?.map((clause) => clause.toUpperCase())
      .sort(),
  ];
}

/** SQLite stores every type with INT in its name in the same way. */
const affinityOf = (type: string) => (/int/i.test(type) ? 'INTEGER' : type.toUpperCase());
