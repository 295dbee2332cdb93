import { createHash } from 'node:crypto';
import { NEVER, pause } from '../pause.ts';
import type { Database, Dialect, Reader, Tx } from './database.ts';
import { isContended } from './postgres-errors.ts';
import { SchemaRefused } from './schema-refused.ts';

/** Column types that the two databases name differently. */
export interface ColumnTypes {
  readonly uuid: string;
  /** Whole numbers to 2^53: counters, flags, and times in milliseconds. */
  readonly int: string;
  /** Text with the same collation on both: by code point, independent of the server's locale. */
  readonly sortable: string;
}

export interface Migration {
  readonly name: string;
  /** The statements to run, in order. Once released, a migration never changes. */
  up(types: ColumnTypes, dialect: Dialect): string[];
  /**
   * Servers of the release before go on meanwhile, and afterwards: the statements only add what those need not know.
   * PostgreSQL runs each in a transaction of its own, so that none waits for a second table while others wait for its first.
   */
  readonly rolling?: true;
  /** Of the first migration: a list of migrations in whose place it stands. */
  readonly predecessor?: Predecessor;
}

/** Databases that were made before the migrations of unreleased versions became one. */
export interface Predecessor {
  /** The {@link digestOf} the list, on each database. */
  readonly digest: Readonly<Record<Dialect, string>>;
  /** The statements that bring its schema to that of the migration. */
  up(types: ColumnTypes, dialect: Dialect): string[];
}

const TYPES: Record<Dialect, ColumnTypes> = {
  sqlite: { uuid: 'text', int: 'integer', sortable: 'text' },
  postgres: { uuid: 'uuid', int: 'bigint', sortable: 'text COLLATE "C"' },
};

/** Any constant: it names the lock under which one node migrates while the others wait. */
const POSTGRES_LOCK = 7_241_993;

/** Identifies the version of a migration that a database was made with. */
export function checksumOf(migration: Migration, dialect: Dialect): string {
  const statements = JSON.stringify(migration.up(TYPES[dialect], dialect));
  return createHash('sha256').update(statements).digest('hex');
}

/** Identifies a list of migrations, as a database has noted it. */
export function digestOf(
  applied: readonly { readonly name: string; readonly checksum: string | null }[],
): string {
  const list = JSON.stringify(applied.map(({ name, checksum }) => [name, checksum]));
  return createHash('sha256').update(list).digest('hex');
}

/** How long a statement waits for a table in use. Those who want it queue behind the statement. */
export const MIGRATION_LOCK_MS = 500;
const PAUSE_MS = 200;
/** A transaction that holds a table longer is stuck. */
const MOST_TRIES = 300;

/**
 * Brings the database to the newest schema; other processes wait meanwhile. What is not {@link Migration.rolling} is done in
 * one transaction.
 * @returns the names of the migrations that were applied now.
 * @throws SchemaRefused when the database was made by a newer version than this one, or by other migrations.
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  now: number,
): Promise<string[]> {
  const together = await db.write((tx) => applyTogether(tx, migrations, now), { patient: true });
  if (db.dialect === 'sqlite') return together;
  const names = new Set(together);
  for (;;) {
    const name = await whenFree(() =>
      db.write((tx) => applyNextStatement(tx, migrations, now), { patient: true }),
    );
    if (name === undefined) return [...names];
    names.add(name);
  }
}

async function applyTogether(tx: Tx, migrations: readonly Migration[], now: number): Promise<string[]> {
  await lockSchema(tx);
  await makeBookkeeping(tx);
  await succeed(tx, migrations[0], now);
  const applied = await appliedTo(tx);
  for (const row of applied) verify(tx, row, migrations[row.version - 1]);
  refuseNewer(applied.at(-1)?.version ?? 0, migrations.length);
  const pending = migrations.slice(applied.length);
  const rolling = pending.findIndex((migration) => isStepwise(tx, migration));
  const whole = rolling === -1 ? pending : pending.slice(0, rolling);
  const isNew = applied.length === 0;
  for (const [index, migration] of whole.entries()) {
    for (const sql of statementsOf(tx, migration)) {
      await tx.all(sql, []).catch((error: unknown) => {
        throw isNew && /already exists/.test((error as Error).message) ? foreign(error) : error;
      });
    }
    await note(tx, migration, applied.length + index + 1, now, null);
  }
  return whole.map((migration) => migration.name);
}

/** @returns the name of its migration; undefined when none is left */
async function applyNextStatement(
  tx: Tx,
  migrations: readonly Migration[],
  now: number,
): Promise<string | undefined> {
  await lockSchema(tx);
  const applied = await appliedTo(tx);
  const begun = applied.find(({ done }) => done !== null);
  const version = begun?.version ?? applied.length + 1;
  const migration = migrations[version - 1];
  if (!migration) return undefined;
  const statements = statementsOf(tx, migration);
  const done = (begun?.done ?? 0) + 1;
  const left = isStepwise(tx, migration) && done < statements.length ? done : null;
  if (!begun) await note(tx, migration, version, now, left);
  else await run(tx, 'UPDATE schema_migrations SET done = ? WHERE version = ?', [left, version]);
  if (tx.dialect === 'postgres') await tx.all(`SET LOCAL lock_timeout = ${MIGRATION_LOCK_MS}`, []);
  for (const sql of isStepwise(tx, migration) ? statements.slice(done - 1, done) : statements)
    await tx.all(sql, []);
  return migration.name;
}

function foreign(error: unknown): SchemaRefused {
  return new SchemaRefused(
    `The database has tables, but none of Parley (${(error as Error).message}). Nothing was changed in it. Give Parley a ` +
      'database of its own.',
  );
}

/** Tries again while requests use what a statement needs, and lets them through in between. */
async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isContended(error) || tries === MOST_TRIES) throw error;
      // A start that is told to stop ends with its process.
      await pause(PAUSE_MS, NEVER);
    }
  }
}

/** Until the end of the transaction. Another node may migrate for longer than the lock timeout of requests. */
async function lockSchema(tx: Tx): Promise<void> {
  if (tx.dialect !== 'postgres') return;
  await tx.all('SET LOCAL lock_timeout = 0', []);
  await tx.all(`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`, []);
}

/** SQLite has one server, which starts when its migrations are done. */
const isStepwise = ({ dialect }: Tx, { rolling }: Migration) => dialect === 'postgres' && rolling === true;
const statementsOf = ({ dialect }: Tx, migration: Migration) => migration.up(TYPES[dialect], dialect);

interface Applied {
  readonly version: number;
  readonly name: string;
  /** Null where `parley move` fills the database. */
  readonly checksum: string | null;
  /** How many of its statements are done; null for all. */
  readonly done: number | null;
  /** Whether it is {@link Migration.rolling}: 1, or null. An older program does not know it by its name. */
  readonly rolling: number | null;
}

const appliedTo = (db: Reader) =>
  db.all<Applied>(
    // Early databases have fewer columns: they are refused for what they lack.
    'SELECT * FROM schema_migrations ORDER BY version',
    [],
  );

const COLUMNS =
  'version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL, checksum text, done integer, rolling integer';

/** The statements that create the newest schema in an empty SQLite database. */
export const sqliteSchemaOf = (migrations: readonly Migration[]): string[] => [
  `CREATE TABLE schema_migrations (${COLUMNS})`,
  ...migrations.flatMap((migration) => migration.up(TYPES.sqlite, 'sqlite')),
];

async function makeBookkeeping(tx: Tx): Promise<void> {
  await tx.all(`CREATE TABLE IF NOT EXISTS schema_migrations (${COLUMNS})`, []);
}

/** Brings a database of the predecessor to the first migration. */
async function succeed(tx: Tx, first: Migration | undefined, now: number): Promise<void> {
  if (!first?.predecessor) return;
  const { digest, up } = first.predecessor;
  const applied = await appliedTo(tx);
  if (digestOf(applied) !== digest[tx.dialect] || applied.some(({ done }) => done !== null)) return;
  for (const sql of up(TYPES[tx.dialect], tx.dialect)) await tx.all(sql, []);
  await tx.all('DELETE FROM schema_migrations', []);
  await note(tx, first, 1, now, null);
}

/** An applied migration must match this program's. */
function verify(tx: Tx, { name, checksum }: Applied, migration?: Migration): void {
  if (migration && checksum !== checksumOf(migration, tx.dialect))
    throw new SchemaRefused(differs(name, migration.name));
}

function differs(applied: string, own: string): string {
  const which = applied === own ? `migration ${own} in another form` : `migration ${applied}, not ${own}`;
  return (
    `The database was made with ${which}: one of the two programs is not a release, or was changed. Nothing was ` +
    'changed in the database. Start the program that made it, or restore a backup that a release made.'
  );
}

/** @throws when a server that runs must not go on: the schema is not that of `migrations`, with what a rolling one adds. */
export async function assertMigrated(db: Reader, migrations: readonly Migration[]): Promise<void> {
  const known = migrations.length;
  const applied = await appliedTo(db);
  refuseNewer(applied.findLast(({ rolling }) => rolling !== 1)?.version ?? 0, known);
  const finished = applied.filter(({ done }) => done === null).length;
  if (finished < known) throw new Error(`The database is at version ${finished}: run "parley migrate".`);
}

/** In place of a version while `parley move` or `parley restore` fills the database: no server starts on half of it. */
export const MOVING = 999_999;
export const UNFINISHED =
  'The database is the unfinished target of "parley move" or "parley restore". Run that again, with the same settings: it goes on.';

function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  if (version === MOVING) throw new SchemaRefused(UNFINISHED);
  throw new SchemaRefused(
    `The database is at version ${version}, this program knows versions up to ${known}. ` +
      'Start the newer program again, or restore a backup made before the upgrade.',
  );
}

function note(
  tx: Tx,
  migration: Migration,
  version: number,
  now: number,
  done: number | null,
): Promise<unknown> {
  return run(
    tx,
    'INSERT INTO schema_migrations (version, name, applied_at, checksum, done, rolling) VALUES (?, ?, ?, ?, ?, ?)',
    [version, migration.name, now, checksumOf(migration, tx.dialect), done, migration.rolling ? 1 : null],
  );
}

/** PostgreSQL numbers its parameters. */
function run(tx: Tx, sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
  let number = 0;
  const text = tx.dialect === 'sqlite' ? sql : sql.replaceAll('?', () => `$${++number}`);
  return tx.all(text, parameters);
}
