/*
 * What is copied when a database becomes another one: by `parley move`, and by a backup of PostgreSQL, which is a file of
 * SQLite.
 */

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Of its primary key, in order. */
  readonly key: readonly string[];
}

export interface Column {
  readonly name: string;
  /** Its place in the primary key, from 1; 0 if it is not part of it. */
  readonly key: number;
  readonly type: string;
}

export type Row = Readonly<Record<string, string | number | null>>;
export type Key = readonly (string | number)[];

/** A database whose tables can be listed. */
export interface Catalog {
  tables(): Promise<string[]>;
  columns(table: string): Promise<Column[]>;
}

/** Tables that are not copied, each with the reason. */
const LEFT: Readonly<Record<string, string>> = {
  schema_migrations: 'the target is migrated by itself',
  parley_move: 'how far the move has come',
  message_index: 'search is made again from the messages',
  message_words: 'search is made again from the messages',
  message_index_queue: 'all messages wait there for search',
  message_index_jobs: 'all messages are indexed with the names of today',
  rate_counts: 'counts of a minute; PostgreSQL alone has them',
};

/** Tables with a column that PostgreSQL alone has, and gives by itself. Another key stands for it. */
const GENERATED: Readonly<Record<string, { readonly column: string; readonly key: readonly string[] }>> = {
  events: { column: 'id', key: ['place'] },
};

/** Search is made again. */
export const QUEUE_FOR_SEARCH = [
  'DELETE FROM message_index_queue',
  'INSERT INTO message_index_queue (message_id) SELECT id FROM messages WHERE deleted_at IS NULL',
];

export const POSTGRES_TABLES = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = quote_ident(current_schema())::regnamespace ORDER BY relname`;
export const POSTGRES_COLUMNS = `SELECT attname AS name, format_type(atttypid, NULL) AS type,
    coalesce(array_position(indkey::smallint[], attnum) + 1, 0)::int AS key
  FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
  WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`;
export const SQLITE_TABLES = `SELECT name FROM pragma_table_list
  WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'`;
export const SQLITE_COLUMNS = 'SELECT name, pk AS key, type FROM pragma_table_info(?)';

/** The tables to copy. @throws for one that only one of the databases has, without a reason */
export async function tablesBoth(source: Catalog, target: Catalog): Promise<Table[]> {
  const [here, there] = [await source.tables(), await target.tables()];
  const differing = [...new Set(here).symmetricDifference(new Set(there))].filter((name) => !(name in LEFT));
  if (differing.length > 0)
    throw new Error(`only one of the databases has ${differing.join(', ')}: migrate both with this program`);
  const names = here.filter((name) => !(name in LEFT)).sort();
  const tables: Table[] = [];
  for (const name of names) tables.push(await columnsBoth(source, target, name));
  return tables;
}

async function columnsBoth(source: Catalog, target: Catalog, name: string): Promise<Table> {
  const [here, there] = [await source.columns(name), await target.columns(name)];
  const generated = GENERATED[name];
  const names = (columns: typeof here) =>
    columns.map((column) => column.name).filter((one) => one !== generated?.column);
  const differing = [...new Set(names(here)).symmetricDifference(new Set(names(there)))];
  if (differing.length > 0) throw new Error(`only one of the databases has ${name}.${differing.join(', ')}`);
  const inKey = here.filter((column) => column.key > 0).sort((a, b) => a.key - b.key);
  return { name, columns: names(here).sort(), key: generated?.key ?? inKey.map((column) => column.name) };
}

/** The most parameters of a statement, below the limits of both (sqlite.org/limits.html, PostgreSQL's protocol §54.7). */
const MOST_PARAMETERS = 30_000;
const MOST_ROWS = 500;
const FIRST_ROWS = 32;
/** Rows with pictures are large: fewer of them are held at once. In characters. */
const MOST_TEXT = 4_000_000;

/** All rows by their key, after one. */
export async function* portionsOf(
  table: Pick<Table, 'columns' | 'key'>,
  page: (after: Key | undefined, limit: number) => Promise<Row[]>,
  after?: Key,
): AsyncGenerator<Row[]> {
  const most = Math.min(MOST_ROWS, Math.floor(MOST_PARAMETERS / table.columns.length));
  let limit = FIRST_ROWS;
  for (let last = after; ; ) {
    const rows = await page(last, limit);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = keyOf(table, rows.at(-1));
    limit = textIn(rows) > MOST_TEXT ? Math.max(1, limit >> 2) : Math.min(most, limit * 2);
  }
}

export const keyOf = (table: Pick<Table, 'key'>, row: Row | undefined): Key =>
  table.key.map((column) => row?.[column] as string | number);

function textIn(rows: readonly Row[]): number {
  let sum = 0;
  for (const row of rows)
    for (const value of Object.values(row)) sum += typeof value === 'string' ? value.length : 0;
  return sum;
}

/** Rows behind one. @param mark the parameter of a place */
export const after = (key: readonly string[], mark: (n: number) => string) =>
  `WHERE (${key.join(', ')}) > (${key.map((_, n) => mark(n)).join(', ')})`;

/** A page of a table. @param last whether it begins after a row, whose key the parameters are */
export function pageStatement(
  { name, columns, key }: Table,
  last: Key | undefined,
  limit: number,
  mark: (n: number) => string,
): string {
  return `SELECT ${columns.join(', ')} FROM ${name} ${last ? after(key, mark) : ''} ORDER BY ${key.join(', ')} LIMIT ${limit}`;
}
