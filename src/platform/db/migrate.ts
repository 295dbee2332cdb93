import type { Database, Dialect, Reader, Tx } from './database.ts';

/** Column types that the two databases name differently. */
export interface ColumnTypes {
  readonly uuid: string;
  /** Whole numbers to 2^53: counters, flags, and times in milliseconds. */
  readonly int: string;
  /** Text that sorts alike on both: by code point, whatever the server's language. */
  readonly sortable: string;
}

export interface Migration {
  readonly name: string;
  /** The statements to run, in order. Once released, a migration never changes. */
  up(types: ColumnTypes, dialect: Dialect): string[];
}

const TYPES: Record<Dialect, ColumnTypes> = {
  sqlite: { uuid: 'text', int: 'integer', sortable: 'text' },
  postgres: { uuid: 'uuid', int: 'bigint', sortable: 'text COLLATE "C"' },
};

/** Any constant: it names the lock under which one node migrates while the others wait. */
const POSTGRES_LOCK = 7_241_993;

/**
 * Brings the database to the newest schema, in one transaction that only one process can hold at a time.
 * @returns the names of the migrations that were applied now.
 * @throws when the database was made by a newer version than this one.
 */
export function migrate(db: Database, migrations: readonly Migration[], now: number): Promise<string[]> {
  return db.write(async (tx) => {
    const create = 'CREATE TABLE IF NOT EXISTS schema_migrations';
    if (tx.dialect === 'postgres') await tx.all(`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`, []);
    await tx.all(
      `${create} (version integer PRIMARY KEY, name text NOT NULL, applied_at bigint NOT NULL)`,
      [],
    );
    const version = await currentVersion(tx);
    refuseNewer(version, migrations.length);
    const pending = migrations.slice(version);
    for (const [index, migration] of pending.entries()) {
      await apply(tx, migration, version + index + 1, now);
    }
    return pending.map((migration) => migration.name);
  });
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
  throw new Error(
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
  const values = tx.dialect === 'sqlite' ? '(?, ?, ?)' : '($1, $2, $3)';
  await tx.all(`INSERT INTO schema_migrations (version, name, applied_at) VALUES ${values}`, [
    version,
    migration.name,
    now,
  ]);
}
