import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Dialect } from './database.ts';

/** The name of a column, or an expression. */
export type Column = string | Expression<unknown>;

/** Some columns of a row that are read as one text. */
export interface Packing<Row> {
  pack(dialect: Dialect, columns: Readonly<Record<keyof Row & string, Column>>): RawBuilder<string>;
  unpack(packed: string): Row;
}

/**
 * Packs columns into a JSON array. One text is read several times faster than its columns, and two texts are equal only
 * if all their columns are: whatever is made of a row can be remembered under it.
 */
export function packing<Row extends object>(...names: readonly (keyof Row & string)[]): Packing<Row> {
  return {
    pack(dialect, columns) {
      const values = sql.join(names.map((name) => termOf(columns[name])));
      return dialect === 'sqlite'
        ? sql`json_array(${values})`
        : sql`CAST(json_build_array(${values}) AS text)`;
    },
    unpack(packed) {
      const values: unknown[] = JSON.parse(packed);
      return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Row;
    },
  };
}

/** The columns of a table, by their names. */
export const columnsOf = <Name extends string>(table: string, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, `${table}.${name}`])) as Record<Name, string>;

const termOf = (column: Column) => (typeof column === 'string' ? sql.ref(column) : column);
