import { hash } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** @see Filling */
type Order =
  | { readonly begin: string; readonly columns: readonly string[] }
  | { readonly rows: readonly Value[][] }
  | { readonly finish: readonly string[] };
type Value = string | number | null;

/** Rows for a table. */
interface Sum {
  readonly table: string;
  readonly columns: readonly string[];
  rows: number;
  digest: bigint;
}

/**
 * Fills a file of SQLite, which is new and has its tables, with rows that come from elsewhere; in a thread, since each
 * statement and the checks at the end would keep a server waiting. Nothing is synced before the end: until then the file is
 * worth nothing.
 */
const { file } = workerData as { file: string };
const db = new DatabaseSync(file, { enableForeignKeyConstraints: false });
db.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384');
const sums: Sum[] = [];
let inserting: StatementSync | undefined;

function begin(table: string, columns: readonly string[]): void {
  sums.push({ table, columns, rows: 0, digest: 0n });
  db.exec(`DELETE FROM ${table}`);
  const marks = columns.map(() => '?').join(', ');
  inserting = db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`);
}

function insert(rows: readonly Value[][]): void {
  const sum = sums.at(-1) as Sum;
  db.exec('BEGIN');
  for (const row of rows) {
    inserting?.run(...row);
    add(sum, row);
  }
  db.exec('COMMIT');
}

function add(sum: Sum, row: readonly Value[]): void {
  sum.rows++;
  sum.digest += BigInt(`0x${hash('sha256', JSON.stringify(row))}`);
}

function finish(statements: readonly string[]): void {
  for (const sum of sums) compare(sum);
  for (const sql of statements) db.exec(sql);
  const [broken] = db.prepare('PRAGMA foreign_key_check').all() as { table: string; parent: string }[];
  if (broken)
    throw new Error(`a row of ${broken.table} refers to a row of ${broken.parent} that is not there`);
  const [result] = db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
  if (result?.integrity_check !== 'ok') throw new Error(`the copy is not sound: ${result?.integrity_check}`);
  db.close();
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Reads back what was stored. The sum of digests does not depend on the order of rows. */
function compare(sent: Sum): void {
  const { table, columns } = sent;
  const stored: Sum = { table, columns, rows: 0, digest: 0n };
  const select = db.prepare(`SELECT ${columns.join(', ')} FROM ${table}`);
  select.setReturnArrays(true);
  for (const row of select.iterate()) add(stored, row as unknown as Value[]);
  if (stored.rows !== sent.rows || stored.digest !== sent.digest)
    throw new Error(`${table} differs from what was read: ${stored.rows} rows of ${sent.rows}`);
}

parentPort?.on('message', (order: Order) => {
  try {
    if ('begin' in order) begin(order.begin, order.columns);
    else if ('rows' in order) insert(order.rows);
    else finish(order.finish);
    parentPort?.postMessage({});
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
