import { type Dialect, MOVING } from '#platform/db/index.ts';
import { migrations } from '#schema';
import type { Config } from '../../src/process/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import { Refusal } from '../../src/process/refusal.ts';
import { type Catalog, QUEUE_FOR_SEARCH, type Table } from './tables.ts';

export interface Change {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
}

/** One of the two databases of a move. */
export interface Side extends Catalog {
  readonly dialect: Dialect;
  /** For people: without a password. */
  readonly name: string;
  /** Rows by their key, after one. */
  page<Row>(table: Table, after: readonly (string | number)[] | undefined, limit: number): Promise<Row[]>;
  /** The parameters of one row, in parentheses. @param from how many stand before them */
  placeholders(table: Table, from: number): string;
  /** All of it, or nothing. */
  write(changes: readonly Change[]): Promise<void>;
  /** The names of other clients of the database. */
  users(): Promise<string[]>;
  /** Makes an empty database ready, or goes on with an unfinished move from the same source. @throws Refusal for any other */
  begin(source: string): Promise<void>;
  /** How far the copy of a table has come. */
  progress(table: string): Promise<string | undefined>;
  noted(table: string, value: string): Change;
  /** Puts back what would have refused rows that came before those they refer to. @throws for a row that refers to none */
  restoreKeys(): Promise<void>;
  /** Search is made again, and servers may start. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export const PROGRESS = 'CREATE TABLE IF NOT EXISTS parley_move (name text PRIMARY KEY, value text NOT NULL)';
export const LOCK = `INSERT INTO schema_migrations (version, name, applied_at) VALUES (${MOVING}, 'move', 0)`;
export const FINISH = [
  ...QUEUE_FOR_SEARCH,
  'DROP TABLE parley_move',
  `DELETE FROM schema_migrations WHERE version = ${MOVING}`,
].map((sql) => ({ sql, values: [] }));
const SCHEMA = 'schema_migrations';
export const progressNameOf = (table: string) => `table ${table}`;
export const ANOTHER = 'is the unfinished target of another move or restore: empty it, or give another one.';
export const NOT_EMPTY = 'is not empty: give an empty one.';

/** Notes how far a move has come. @param mark the parameter of a place */
export const noteIn = (mark: (n: number) => string) => (name: string, value: string) => ({
  sql: `INSERT INTO parley_move (name, value) VALUES (${mark(0)}, ${mark(1)}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  values: [name, value],
});

/** Whether a database has a schema at most, which a move that ended before it began leaves. */
export async function isBlank(
  tables: readonly { name: string }[],
  rowsOf: (sql: string) => Promise<readonly unknown[]> | readonly unknown[],
): Promise<boolean> {
  const names = tables.map(({ name }) => name);
  if (names.length > 0 && !names.includes(SCHEMA)) return false;
  for (const name of names)
    if (name !== SCHEMA && (await rowsOf(`SELECT 1 FROM "${name}" LIMIT 1`)).length > 0) return false;
  return true;
}

/** Applies all migrations. */
export async function migrateTarget(config: Config): Promise<void> {
  const { db } = await openDatabase(
    { ...config, DATABASE_REPLICA_URL: undefined },
    () => undefined,
    Date.now(),
  );
  await db.close();
}

/** A source must have the schema of this program. */
export function refuseVersion(name: string, version: number | undefined): void {
  if (version === migrations.length) return;
  throw new Refusal(
    version !== undefined && version > migrations.length
      ? `${name} was made by a newer version of Parley, or is the unfinished target of a move.`
      : `${name} is of an older version: run "parley migrate" on it first.`,
  );
}
