import { hash } from 'node:crypto';
import type { Side } from './side.ts';
import { keyOf, portionsOf, type Row, type Table } from './tables.ts';

const DIGEST_BITS = 256;

export async function isDone(target: Side, { name }: Table): Promise<boolean> {
  return (await target.progress(name)) === 'done';
}

/** Goes on after the last row that was copied. */
export async function transferTable(source: Side, target: Side, table: Table): Promise<void> {
  const before = await target.progress(table.name);
  const last = before === undefined ? undefined : (JSON.parse(before) as (string | number)[]);
  for await (const rows of rowsOf(source, table, last)) {
    const places = rows.map((_, row) => target.placeholders(table, row * table.columns.length)).join(', ');
    await target.write([
      {
        sql: `INSERT INTO ${table.name} (${table.columns.join(', ')}) VALUES ${places}`,
        values: rows.flatMap((row) => table.columns.map((column) => row[column] ?? null)),
      },
      target.noted(table.name, JSON.stringify(keyOf(table, rows.at(-1)))),
    ]);
  }
  await target.write([target.noted(table.name, 'done')]);
}

const rowsOf = (side: Side, table: Table, last?: readonly (string | number)[]) =>
  portionsOf(table, (after, limit) => side.page<Row>(table, after, limit), last);

/** The sum of the digests of all rows: the order of rows, in which the databases differ, does not matter. */
export async function digestOf(side: Side, table: Table): Promise<{ rows: number; digest: string }> {
  let [count, sum] = [0, 0n];
  for await (const rows of rowsOf(side, table)) {
    count += rows.length;
    for (const row of rows) {
      const text = JSON.stringify(table.columns.map((column) => row[column] ?? null));
      sum += BigInt(`0x${hash('sha256', text)}`);
    }
  }
  return { rows: count, digest: BigInt.asUintN(DIGEST_BITS, sum).toString(16).padStart(64, '0') };
}
