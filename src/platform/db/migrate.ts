import { createHash } from 'node:crypto';
import type { Database, Dialect, Reader, Tx } from './database.ts';
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
  /** For a migration that was changed after a release: brings databases of that release up to date. */
  readonly completion?: Completion;
}

interface Completion {
  /** A table that the earlier form of the migration did not create. */
  readonly table: string;
  up(types: ColumnTypes): string[];
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

/**
 * Brings the database to the newest schema, in one transaction that only one process can hold at a time.
 * @returns the names of the migrations that were applied now.
 * @throws SchemaRefused when the database was made by a newer version than this one, or by other migrations.
 */
export function migrate(db: Database, migrations: readonly Migration[], now: number): Promise<string[]> {
  const work = async (tx: Tx) => {
    if (tx.dialect === 'postgres') {
      // Another node may migrate for longer than the lock timeout of requests.
      await tx.all('SET LOCAL lock_timeout = 0', []);
      await tx.all(`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`, []);
    }
    await makeBookkeeping(tx);
    const applied = await tx.all<Applied>(
      'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
      [],
    );
    refuseNewer(applied.at(-1)?.version ?? 0, migrations.length);
    for (const row of applied) await verify(tx, row, migrations[row.version - 1]);
    const pending = migrations.slice(applied.length);
    for (const [index, migration] of pending.entries()) {
      await apply(tx, migration, applied.length + index + 1, now).catch((error: unknown) => {
        throw applied.length === 0 && /already exists/.test((error as Error).message)
          ? foreign(error)
          : error;
      });
    }
    return pending.map((migration) => migration.name);
  };
  return db.write(work, { patient: true });
}

function foreign(error: unknown): SchemaRefused {
  return new SchemaRefused(
    `The database has tables, but none of Parley (${(error as Error).message}). Nothing was changed in it. Give Parley a ` +
      'database of its own.',
  );
}

interface Applied {
  readonly version: number;
  readonly name: string;
  /** Null if it was applied before checksums were stored. */
  readonly checksum: string | null;
}

async function makeBookkeeping(tx: Tx): Promise<void> {
  const columns =
    'version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL, checksum text';
  await tx.all(`CREATE TABLE IF NOT EXISTS schema_migrations (${columns})`, []);
  if (await hasChecksums(tx)) return;
  await tx.all('ALTER TABLE schema_migrations ADD COLUMN checksum text', []);
}

async function hasChecksums(tx: Tx): Promise<boolean> {
  const find =
    tx.dialect === 'sqlite'
      ? "SELECT name FROM pragma_table_info('schema_migrations') WHERE name = 'checksum'"
      : `SELECT attname FROM pg_attribute
          WHERE attrelid = to_regclass('schema_migrations') AND attname = 'checksum' AND NOT attisdropped`;
  return (await tx.all(find, [])).length > 0;
}

/** An applied migration must match this program's. One without a checksum is completed and receives its checksum. */
async function verify(tx: Tx, { version, name, checksum }: Applied, migration?: Migration): Promise<void> {
  if (!migration) return;
  const expected = checksumOf(migration, tx.dialect);
  if (checksum === expected) return;
  if (checksum !== null || name !== migration.name) throw new SchemaRefused(differs(name, migration.name));
  if (migration.completion) await complete(tx, migration.completion);
  await run(tx, 'UPDATE schema_migrations SET checksum = ? WHERE version = ?', [expected, version]);
}

function differs(applied: string, own: string): string {
  const which = applied === own ? `migration ${own} in another form` : `migration ${applied}, not ${own}`;
  return (
    `The database was made with ${which}: one of the two programs is not a release, or was changed. Nothing was ` +
    'changed in the database. Start the program that made it, or restore a backup that a release made.'
  );
}

async function complete(tx: Tx, { table, up }: Completion): Promise<void> {
  const find =
    tx.dialect === 'sqlite'
      ? 'SELECT name FROM sqlite_master WHERE name = ?'
      : 'SELECT 1 AS name WHERE to_regclass(?) IS NOT NULL';
  if ((await run(tx, find, [table])).length > 0) return;
  for (const sql of up(TYPES[tx.dialect])) await tx.all(sql, []);
}

/** @throws when the schema is not exactly the one that `migrations` make. */
export async function assertMigrated(db: Reader, migrations: readonly Migration[]): Promise<void> {
  const version = await currentVersion(db);
  refuseNewer(version, migrations.length);
  if (version < migrations.length)
    throw new Error(`The database is at version ${version}: run "parley migrate".`);
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return;
  throw new SchemaRefused(
    `The database is at version ${version}, this program knows versions up to ${known}. ` +
      'Start the newer program again, or restore a backup made before the upgrade.',
  );
}

async function currentVersion(db: Reader): Promise<number> {
  const rows = await db.all<{ version: number | null }>(
    'SELECT max(version) AS version FROM schema_migrations',
    [],
  );
  return rows[0]?.version ?? 0;
}

async function apply(tx: Tx, migration: Migration, version: number, now: number): Promise<void> {
  for (const sql of migration.up(TYPES[tx.dialect], tx.dialect)) await tx.all(sql, []);
  await run(tx, 'INSERT INTO schema_migrations (version, name, applied_at, checksum) VALUES (?, ?, ?, ?)', [
    version,
    migration.name,
    now,
    checksumOf(migration, tx.dialect),
  ]);
}

/** PostgreSQL numbers its parameters. */
function run(tx: Tx, sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
  let number = 0;
  const text = tx.dialect === 'sqlite' ? sql : sql.replaceAll('?', () => `$${++number}`);
  return tx.all(text, parameters);
}
