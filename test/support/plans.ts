import { vi } from 'vitest';
import type { Database, Reader } from '../../src/platform/db/index.ts';
import { runSql } from './tables.ts';

/** A statement as a database was asked to run it. */
export interface Asked {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Records what a database is asked, in transactions too. @returns a function that ends it, and gives each text once */
export function recordStatements(db: Database): () => Asked[] {
  const asked = new Map<string, Asked>();
  const recording = (reader: Reader): Reader['all'] => {
    const all = reader.all.bind(reader);
    return (sql, values) => {
      asked.set(sql, { sql, values });
      return all(sql, values);
    };
  };
  const [read, batch] = [recording(db), db.batch.bind(db)];
  const spies = [
    vi.spyOn(db, 'all').mockImplementation(read as never),
    vi.spyOn(db, 'batch').mockImplementation((work, item, how) =>
      batch(
        (tx, items) => {
          const all = recording(tx);
          const noting = new Proxy(tx, { get: (of, name) => (name === 'all' ? all : Reflect.get(of, name)) });
          return work(noting, items);
        },
        item,
        how,
      ),
    ),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
    return [...asked.values()].filter(({ sql }) => IS_PLANNED.test(sql));
  };
}

const IS_PLANNED = /^\s*(?:\/\*.*?\*\/\s*)?(?:with|select|insert|update|delete)\b/i;

/** @returns what a statement goes through on SQLite without a key that it was given */
export async function readWhole(db: Database, { sql, values }: Asked): Promise<string[]> {
  const steps = await db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values);
  return steps.map(({ detail }) => detail).filter((detail) => detail.startsWith('SCAN '));
}

interface Node {
  readonly 'Node Type'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Parent Relationship'?: string;
  readonly Plans?: readonly Node[];
}

/** @returns the tables that a statement reads on PostgreSQL, in the order in which it comes to them */
export const readInOrder = (db: Database, asked: Asked): Promise<string[]> =>
  namesIn(db, asked, 'Relation Name');

/** @returns the indexes by which it reads them; none for a table that it goes through */
export const indexesOf = (db: Database, asked: Asked): Promise<string[]> => namesIn(db, asked, 'Index Name');

/** A table that a statement goes through row by row on PostgreSQL, or an index for which it has no key. */
export interface Through {
  readonly table: string;
  readonly index?: string | undefined;
}

/** An index that is read in its order until a limit is reached does not count: only the beginning of it is read. */
export async function readThrough(db: Database, asked: Asked): Promise<Through[]> {
  return throughIn(await planOf(db, asked), '', false);
}

/** @param above the table whose rows the step above takes from an index @param isCut whether a limit ends the step */
function throughIn(node: Node, above: string, isCut: boolean): Through[] {
  const { 'Node Type': type = '', 'Relation Name': table = above, 'Index Name': index } = node;
  const isWhole = index === undefined ? type === 'Seq Scan' : node['Index Cond'] === undefined && !isCut;
  const cuts = type === 'Limit' || (isCut && HANDS_ON.test(type));
  const below = (node.Plans ?? []).flatMap((one) =>
    throughIn(one, table, cuts && IS_FED.test(one['Parent Relationship'] ?? '')),
  );
  return isWhole ? [{ table, index }, ...below] : below;
}

/** Steps that hand each row on as they get it. A merge is none: it may go through one side until it meets the other. */
const HANDS_ON = /^(?:LockRows|Nested Loop|Subquery Scan|Append|Merge Append|Unique|Result|ProjectSet)$/;
/** A step's own rows, and not what it looks up for each of them. */
const IS_FED = /^(?:Outer|Subquery|Member)$/;

type Name = 'Relation Name' | 'Index Name';

async function planOf(db: Database, { sql, values }: Asked): Promise<Node> {
  // A locking statement is planned in a transaction only.
  const [row] = await db.write((tx) =>
    tx.all<{ 'QUERY PLAN': [{ Plan: Node }] }>(`EXPLAIN (FORMAT JSON) ${sql}`, values),
  );
  return row?.['QUERY PLAN'][0].Plan as Node;
}

async function namesIn(db: Database, asked: Asked, name: Name): Promise<string[]> {
  const named = (node: Node): string[] => [
    ...(node[name] === undefined ? [] : [node[name]]),
    ...(node.Plans ?? []).flatMap(named),
  ];
  return named(await planOf(db, asked));
}

/** Copies the first row of tables of PostgreSQL, each copy with ids of its own. Statistics of them are not made. */
export async function enlarge(db: Database, tables: readonly string[], rows: number): Promise<void> {
  for (const table of tables) {
    const columns = await runSql<{ name: string; type: string; is_key: boolean }>(db, COLUMNS, [table]);
    const values = columns.map(({ name, type, is_key: isKey }) => {
      if (type === 'uuid') return `CASE WHEN ${name} IS NULL THEN NULL ELSE gen_random_uuid() END`;
      if (!isKey) return name;
      return type === 'bigint' ? '1000000000 + n' : 'md5(CAST(n AS text))';
    });
    const names = columns.map(({ name }) => name).join(', ');
    await db.write(async (tx) => {
      // The rows to which the ids refer are not there.
      await tx.all('SET LOCAL session_replication_role = replica', []);
      await tx.all(
        `INSERT INTO ${table} (${names}) SELECT ${values.join(', ')}
         FROM (SELECT * FROM ${table} LIMIT 1) AS one, generate_series(1, ${rows}) AS n`,
        [],
      );
    });
  }
}

const COLUMNS = `SELECT attname AS name, format_type(atttypid, NULL) AS type, EXISTS (
    SELECT 1 FROM pg_index WHERE indrelid = attrelid AND indisunique AND attnum = ANY(indkey)) AS is_key,
    reference.table, reference.key
  FROM pg_attribute LEFT JOIN LATERAL (
    SELECT CAST(CAST(confrelid AS regclass) AS text) AS table, (
      SELECT attname FROM pg_attribute AS other WHERE attrelid = confrelid AND other.attnum = confkey[1]) AS key
    FROM pg_constraint WHERE contype = 'f' AND conrelid = attrelid AND conkey = ARRAY[attnum] LIMIT 1
  ) AS reference ON true
  WHERE attrelid = CAST(? AS regclass) AND attnum > 0 AND NOT attisdropped AND attidentity = ''`;

/**
 * Copies the rows of a table of PostgreSQL, so that most of it belongs to the same people, teams and grants: a copy differs
 * in as few columns of its keys as it can. A table with a key of several columns is copied once for each of them: one person
 * in thousands of teams, then one team with thousands of people, who are there if they were copied before.
 */
export async function skew(db: Database, table: string, rows: number): Promise<void> {
  const columns = await runSql<Column>(db, COLUMNS, [table]);
  const keys = await runSql<{ columns: string[]; is_primary: boolean }>(db, KEYS, [table]);
  const first = keys.find((key) => key.is_primary) ?? keys[0];
  for (const varied of first?.columns ?? []) {
    const others = keys.filter((key) => !key.columns.includes(varied)).map((key) => key.columns.at(-1));
    const isVaried = ({ name }: Column) => name === varied || others.includes(name);
    const values = columns.map((column) => (isVaried(column) ? anotherOf(column, rows) : column.name));
    await db.write(async (tx) => {
      await tx.all('SET LOCAL session_replication_role = replica', []);
      await tx.all(
        `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
         SELECT ${values.join(', ')} FROM (
           SELECT copied.*, row_number() OVER () AS n
           FROM (SELECT * FROM ${table} ORDER BY ctid LIMIT ${COPIED}) AS copied,
             generate_series(1, (SELECT greatest(1, ${rows} / least(${COPIED}, greatest(1, count(*)))) FROM ${table}))
         ) AS one ON CONFLICT DO NOTHING`,
        [],
      );
    });
  }
}

/** Rows that are copied, of each table. */
const COPIED = 10;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly table: string | null;
  readonly key: string | null;
}

/** @returns for each copy another value: of a row to which it refers, where the column does that */
function anotherOf({ name, type, table, key }: Column, rows: number): string {
  if (table) {
    const of = `SELECT ${key} FROM ${table} ORDER BY ctid DESC LIMIT ${rows}`;
    return `(ARRAY(${of}))[1 + n % (SELECT greatest(count(*), 1) FROM (${of}) AS all_of_them)]`;
  }
  if (type === 'uuid') return `CASE WHEN ${name} IS NULL THEN NULL ELSE gen_random_uuid() END`;
  return type === 'text' ? 'md5(CAST(n AS text))' : '1000000000 + n';
}

const KEYS = `SELECT indisprimary AS is_primary, ARRAY(
    SELECT CAST(attname AS text) FROM unnest(indkey) WITH ORDINALITY AS key (attnum, at)
    INNER JOIN pg_attribute AS a ON a.attrelid = indrelid AND a.attnum = key.attnum ORDER BY at) AS columns
  FROM pg_index WHERE indrelid = CAST(? AS regclass) AND indisunique AND 0 <> ALL (indkey)`;

interface Ran extends Node {
  readonly Plans?: readonly Ran[];
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
}

/** Runs a statement on PostgreSQL, and takes it back. @returns the most rows that one step of it went through */
async function rowsRead(db: Database, { sql, values }: Asked): Promise<number> {
  const takenBack = new Error('taken back');
  let read = 0;
  const most = (node: Ran): number =>
    Math.max(
      (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Join Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
        node['Actual Loops'],
      ...(node.Plans ?? []).map(most),
    );
  await db
    .write(async (tx) => {
      await tx.all('SET LOCAL session_replication_role = replica', []);
      const [row] = await tx.all<{ 'QUERY PLAN': [{ Plan: Ran }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) ${sql}`,
        values,
      );
      read = most(row?.['QUERY PLAN'][0].Plan as Ran);
      throw takenBack;
    })
    .catch((error: unknown) => {
      if (error !== takenBack) throw error;
    });
  return read;
}

/**
 * Runs statements again, but for inserts, whose rows are there already.
 * @returns those of which one step goes through more rows than `most`, each with that number
 */
export async function readingMore<One extends Asked>(
  db: Database,
  asked: Iterable<One>,
  most: number,
): Promise<(One & { readonly rows: number })[]> {
  const found: (One & { readonly rows: number })[] = [];
  for (const one of asked) {
    if (/^\s*insert/i.test(one.sql)) continue;
    const rows = await rowsRead(db, one);
    if (rows > most) found.push({ ...one, rows });
  }
  return found;
}
