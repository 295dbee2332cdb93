import { hash } from 'node:crypto';
import type { Side, Table } from './move-side.ts';

/** Tables that are not copied, each with the reason. */
const LEFT: Readonly<Record<string, string>> = {
  schema_migrations: 'the target is migrated by itself',
  parley_move: 'how far the move has come',
  message_index: 'search is made again from the messages',
  message_words: 'search is made again from the messages',
  message_index_queue: 'all messages wait there for search',
  rate_counts: 'counts of a minute; PostgreSQL alone has them',
};

/** Tables with a column that PostgreSQL alone has, and gives by itself. Another key stands for it. */
const GENERATED: Readonly<Record<string, { readonly column: string; readonly key: readonly string[] }>> = {
  events: { column: 'id', key: ['place'] },
};

/** The most parameters of a statement, below the limits of both (sqlite.org/limits.html, PostgreSQL's protocol §54.7). */
const MOST_PARAMETERS = 30_000;
const MOST_ROWS = 500;
const DIGEST_BITS = 256;

type Row = Readonly<Record<string, string | number | null>>;

/** The tables to copy. @throws for one that only one of the databases has, without a reason */
export async function tablesBoth(source: Side, target: Side): Promise<string[]> {
  const [here, there] = [await source.tables(), await target.tables()];
  const differing = [...new Set(here).symmetricDifference(new Set(there))].filter((name) => !(name in LEFT));
  if (differing.length > 0)
    throw new Error(`only one of the databases has ${differing.join(', ')}: migrate both with this program`);
  return here.filter((name) => !(name in LEFT)).sort();
}

export async function columnsBoth(source: Side, target: Side, name: string): Promise<Table> {
  const [here, there] = [await source.columns(name), await target.columns(name)];
  const generated = GENERATED[name];
  const names = (columns: typeof here) =>
    columns.map((column) => column.name).filter((one) => one !== generated?.column);
  const differing = [...new Set(names(here)).symmetricDifference(new Set(names(there)))];
  if (differing.length > 0) throw new Error(`only one of the databases has ${name}.${differing.join(', ')}`);
  const inKey = here.filter((column) => column.key > 0).sort((a, b) => a.key - b.key);
  return { name, columns: names(here).sort(), key: generated?.key ?? inKey.map((column) => column.name) };
}

export async function isDone(target: Side, { name }: Table): Promise<boolean> {
  return (await target.progress(name)) === 'done';
}

/** Goes on after the last row that was copied. */
export async function copyTable(source: Side, target: Side, table: Table): Promise<void> {
  const before = await target.progress(table.name);
  let last = before === undefined ? undefined : (JSON.parse(before) as (string | number)[]);
  for await (const rows of batchesOf(source, table, last)) {
    last = table.key.map((column) => rows.at(-1)?.[column] as string | number);
    const places = rows.map((_, row) => target.placeholders(table, row * table.columns.length)).join(', ');
    await target.write([
      {
        sql: `INSERT INTO ${table.name} (${table.columns.join(', ')}) VALUES ${places}`,
        values: rows.flatMap((row) => table.columns.map((column) => row[column] ?? null)),
      },
      target.noted(table.name, JSON.stringify(last)),
    ]);
  }
  await target.write([target.noted(table.name, 'done')]);
}

/** All rows by their key. */
async function* batchesOf(
  side: Side,
  table: Table,
  after?: readonly (string | number)[],
): AsyncGenerator<Row[]> {
  const limit = Math.min(MOST_ROWS, Math.floor(MOST_PARAMETERS / table.columns.length));
  for (let last = after; ; ) {
    const rows = await side.page<Row>(table, last, limit);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = table.key.map((column) => rows.at(-1)?.[column] as string | number);
  }
}

/** The sum of the digests of all rows: the order of rows, in which the databases differ, does not matter. */
export async function digestOf(side: Side, table: Table): Promise<{ rows: number; digest: string }> {
  let [count, sum] = [0, 0n];
  for await (const rows of batchesOf(side, table)) {
    count += rows.length;
    for (const row of rows) {
      const text = JSON.stringify(table.columns.map((column) => row[column] ?? null));
      sum += BigInt(`0x${hash('sha256', text)}`);
    }
  }
  return { rows: count, digest: BigInt.asUintN(DIGEST_BITS, sum).toString(16).padStart(64, '0') };
}
