import type { OWNERS } from '../../src/schema/owners.ts';
import { ask } from './cluster.ts';

type Spread = (typeof OWNERS)[keyof typeof OWNERS]['spread'];

interface Key {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
}

interface ForeignKey extends Key {
  readonly other: string;
  readonly otherColumns: readonly string[];
}

/** What PostgreSQL's catalog says of tables that concerns a database spread over machines. */
export interface Catalog {
  readonly tables: readonly string[];
  readonly unique: readonly Key[];
  readonly foreign: readonly ForeignKey[];
  readonly teamColumns: readonly { table: string; nullable: boolean }[];
}

const OURS = "'public'::regnamespace AND relname <> 'schema_migrations'";
const names = (table: string, keys: string) =>
  `(SELECT json_agg(attname ORDER BY attnum) FROM pg_attribute WHERE attrelid = ${table} AND attnum = ANY(${keys}))`;

export async function readCatalog(url: string): Promise<Catalog> {
  const tables = await ask<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = ${OURS}`,
  );
  const unique = await ask<Key & { name: string }>(
    url,
    `SELECT t.relname AS table, i.relname AS name, ${names('t.oid', 'x.indkey')} AS columns FROM pg_index x
       JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      WHERE x.indisunique AND t.relkind = 'r' AND t.relnamespace = ${OURS.replace('relname', 't.relname')}`,
  );
  const foreign = await ask<ForeignKey & { name: string }>(
    url,
    `SELECT t.relname AS table, c.conname AS name, o.relname AS other, ${names('t.oid', 'c.conkey')} AS columns,
        ${names('o.oid', 'c.confkey')} AS "otherColumns" FROM pg_constraint c
       JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class o ON o.oid = c.confrelid WHERE c.contype = 'f'`,
  );
  const teamColumns = await ask<{ table: string; nullable: boolean }>(
    url,
    `SELECT relname AS table, NOT attnotnull AS nullable FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relkind = 'r' AND attname = 'team_id' AND relnamespace = ${OURS}`,
  );
  return { tables: tables.map(({ name }) => name), unique, foreign, teamColumns };
}

/** The team's row is the team's own. */
export const teamColumnOf = (table: string) => (table === 'teams' ? 'id' : 'team_id');

/** The keys of a table with its team that hold across teams, and its team's column where that may be null. */
export function keysAcross(
  { unique, foreign, teamColumns }: Catalog,
  table: string,
  spreadOf: (table: string) => Spread,
): string[] {
  const column = teamColumnOf(table);
  const isOf = (one: { table: string }) => one.table === table;
  const staysWithin = ({ other, columns, otherColumns }: ForeignKey) =>
    spreadOf(other) === 'everywhere' ||
    (spreadOf(other) === 'team' && columns.includes(column) && otherColumns.includes(teamColumnOf(other)));
  return [
    ...teamColumns.filter((one) => isOf(one) && one.nullable).map(() => column),
    ...unique.filter((key) => isOf(key) && !key.columns.includes(column)).map(({ name }) => name),
    ...foreign.filter((key) => isOf(key) && !staysWithin(key)).map(({ name }) => name),
  ];
}

/** Whether rows of a table are those of teams: they have a team's id, or refer to such rows. */
export function isOfTeams({ foreign, teamColumns }: Catalog, table: string): boolean {
  if (table === 'teams' || teamColumns.some((one) => one.table === table)) return true;
  return foreign.some(
    (key) =>
      key.table === table && key.other !== table && isOfTeams({ foreign, teamColumns } as Catalog, key.other),
  );
}
