import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { DatabaseDamaged } from '#platform/db/damaged.ts';
import { checksumOf, type Dialect, digestOf, MOVING, type Reader, UNFINISHED } from '#platform/db/index.ts';
import type { FileStore } from '#platform/files/index.ts';
import { migrations } from '#schema';
import { refuseAccountsElsewhere } from '../../src/process/accounts-elsewhere.ts';
import type { Config } from '../../src/process/config.ts';
import { ConfigError } from '../../src/process/config-error.ts';
import { counted } from '../../src/process/counted.ts';
import { databaseFile, hasFile, ofFile, refuseUnwritable } from '../../src/process/database.ts';
import { openFileStore } from '../../src/process/files.ts';
import { lookForUploads, tellMissing } from '../../src/process/missing-uploads.ts';
import { type Finding, failed, ok, warning } from './finding.ts';
import { checkKeyFiles, checkKeys } from './keys.ts';
import { checkQueues } from './queues.ts';
import type { Rules } from './rules.ts';

/** A database that is only read. */
interface Source {
  readonly dialect: Dialect;
  readonly name: string;
  readonly reader: Reader;
  ask<Row>(sql: string): Promise<Row[]>;
}

const OLDEST_POSTGRES = 15;
const DAY_MS = 86_400_000;

/** Whether the database answers, fits this program and its keys and has the right time, and when it was backed up. */
export async function checkDatabase(config: Config, rules: Rules): Promise<Finding[]> {
  const found =
    config.DATABASE_URL === undefined
      ? await checkFile(config, rules)
      : await checkPostgres(config, config.DATABASE_URL, rules);
  // Where the database could not be asked for its key, the files remain.
  return found.some(({ check }) => check === 'keys') ? found : [...found, checkKeyFiles(config)];
}

async function checkFile(config: Config, rules: Rules): Promise<Finding[]> {
  const name = databaseFile(config);
  try {
    if (!hasFile(config)) return [ok('database', `${name} is made at the first start.`)];
    refuseUnwritable(config);
    const file = new DatabaseSync(name, { readOnly: true });
    try {
      refuseDamaged(file, name);
      return await checkSource(
        {
          dialect: 'sqlite',
          name,
          reader: {
            dialect: 'sqlite',
            all: async <Row>(sql: string, values: readonly unknown[]) =>
              file.prepare(sql).all(...(values as SQLInputValue[])) as Row[],
          },
          ask: async <Row>(sql: string) => file.prepare(sql).all() as Row[],
        },
        config,
        rules,
      );
    } finally {
      file.close();
    }
  } catch (error) {
    const known = ofFile(error, name);
    if (known instanceof ConfigError || known instanceof DatabaseDamaged)
      return [failed('database', known.message)];
    const { message } = error as Error;
    return [
      failed(
        'database',
        `${name} cannot be read: ${message}. Is it a database of Parley, and may this user read it?`,
      ),
    ];
  }
}

/** Reads the whole file, up to the first fault, without a look at each index. */
function refuseDamaged(file: DatabaseSync, name: string): void {
  const [first = {}] = file.prepare('PRAGMA quick_check(1)').all();
  const [said] = Object.values(first);
  if (said !== 'ok') throw new DatabaseDamaged(name, new Error(String(said).replaceAll(/\s+/g, ' ')));
}

async function checkPostgres(config: Config, url: string, rules: Rules): Promise<Finding[]> {
  const { connectPostgres, ofServer } = await import('../../src/process/postgres.ts');
  try {
    // A replica would be sent a mark to.
    const db = await connectPostgres({ ...config, DATABASE_REPLICA_URL: undefined }, url, () => undefined);
    try {
      await refuseAccountsElsewhere(config, db);
      const ask = <Row>(sql: string) => db.all<Row>(sql, []);
      return [
        ...(await checkSource({ dialect: 'postgres', name: 'PostgreSQL', reader: db, ask }, config, rules)),
        await checkCollation(ask),
        await checkClock(ask, rules.mostDeviationMs),
      ];
    } finally {
      await db.close();
    }
  } catch (error) {
    return [failed('database', (ofServer(error) as Error).message)];
  }
}

async function checkSource(source: Source, config: Config, rules: Rules): Promise<Finding[]> {
  const [row] = await source.ask<{ version: string }>(
    source.dialect === 'sqlite'
      ? 'SELECT sqlite_version() AS version'
      : `SELECT current_setting('server_version') AS version`,
  );
  const { version = '' } = row ?? {};
  const is = `${source.name} answers, version ${version}.`;
  if (source.dialect === 'postgres' && Number.parseInt(version, 10) < OLDEST_POSTGRES)
    return [failed('database', `${is} Parley needs ${OLDEST_POSTGRES} or later: upgrade it.`)];
  const schema = await checkSchema(source);
  const usable = schema.result === 'ok';
  if (!usable) return [ok('database', is), schema];
  return [
    ok('database', is),
    schema,
    await checkBackup(source, config, rules.backups),
    ...(await checkQueues(source.reader, rules)),
    ...(await checkMissing(source, config)),
    await checkKeys(config, source.reader),
  ];
}

/** Whether the uploads are there that the database names. That the store can be used is another check. */
async function checkMissing({ ask }: Source, config: Config): Promise<Finding[]> {
  let files: FileStore | undefined;
  try {
    files = await openFileStore(config);
    const told = tellMissing(await lookForUploads(ask<{ file: string }>, files));
    return told === undefined ? [] : [failed('uploads', told)];
  } catch {
    return [];
  } finally {
    await files?.close();
  }
}

/**
 * An upgrade of the operating system may sort letters in another way. Indexes are then out of order: a unique one takes
 * a second row, and a look-up misses one that is there.
 */
async function checkCollation(ask: Source['ask']): Promise<Finding> {
  const [row] = await ask<{ name: string; made: string | null; has: string | null }>(
    `SELECT datname AS name, datcollversion AS made, pg_database_collation_actual_version(oid) AS has
     FROM pg_database WHERE datname = current_database()`,
  );
  const { name, made = null, has = null } = row ?? {};
  if (made === null || has === null || made === has)
    return ok('collation', 'Its indexes are sorted as the system sorts.');
  return failed(
    'collation',
    `The indexes were sorted by version ${made} of the system's collation, which is ${has} now: an address or a name may be taken twice, or not be found. Stop the servers, run REINDEX DATABASE "${name}", then ALTER DATABASE "${name}" REFRESH COLLATION VERSION.`,
  );
}

interface Applied {
  readonly version: number;
  readonly name: string;
  readonly checksum: string | null;
  /** How many of its statements are done; null for all. */
  readonly done: number | null;
}

async function checkSchema({ dialect, ask }: Source): Promise<Finding> {
  const find =
    dialect === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE name = 'schema_migrations'"
      : "SELECT 1 AS name WHERE to_regclass('schema_migrations') IS NOT NULL";
  if ((await ask(find)).length === 0)
    return warning('schema', 'The database is empty: the first start makes the schema.');
  const applied = await ask<Applied>('SELECT * FROM schema_migrations ORDER BY version');
  if (digestOf(applied) === migrations[0]?.predecessor?.digest[dialect])
    return warning(
      'schema',
      'The database has the schema before 0.1.0. Back it up; the next start, or "parley migrate", upgrades it.',
    );
  const others = applied.some(({ version, checksum }) => {
    const own = migrations[version - 1];
    return own !== undefined && checksum !== checksumOf(own, dialect);
  });
  if (others)
    return failed(
      'schema',
      'Other migrations made the database. Start the program that made it, or restore a backup that a release made.',
    );
  const newest = applied.at(-1)?.version ?? 0;
  if (newest === MOVING) return failed('schema', UNFINISHED);
  if (newest > migrations.length)
    return failed(
      'schema',
      `The database is at version ${newest}, this program knows versions up to ${migrations.length}. Start the newer program, or restore a backup made before the upgrade.`,
    );
  const begun = applied.find(({ done }) => done !== null);
  if (begun)
    return warning(
      'schema',
      `Migration ${begun.name} is under way, or was interrupted. The next start, or "parley migrate", goes on with it.`,
    );
  if (newest < migrations.length)
    return warning(
      'schema',
      `The database is at version ${newest} of ${migrations.length}. Back it up; the next start, or "parley migrate", upgrades it.`,
    );
  return ok('schema', `The newest migration is ${migrations.at(-1)?.name}.`);
}

async function checkBackup(
  { ask }: Source,
  { BACKUP_DIR, BACKUP_EVERY }: Config,
  { readSchedule, latestAt, latest, judge }: Rules['backups'],
): Promise<Finding> {
  if (BACKUP_EVERY === 0) return ok('backup', 'They are made elsewhere, says BACKUP_EVERY=0.');
  const now = Date.now();
  const [audited] = await ask<{ at: number | null }>(
    `SELECT max(at) AS at FROM audit_log WHERE action = 'backup.made' AND at <= ${latestAt(now)}`,
  );
  const [row] = await ask<{ value: string }>(`SELECT value FROM server_state WHERE name = 'backup_schedule'`);
  const [first] = await ask<{ created_at: number }>('SELECT created_at FROM users ORDER BY id LIMIT 1');
  const schedule = readSchedule(row?.value);
  const lastAt = latest(now, audited?.at, schedule);
  const verdict = judge({ now, everyMs: BACKUP_EVERY * 1000, lastAt, since: first?.created_at });
  const step =
    BACKUP_DIR === undefined
      ? 'Make one: parley backup FILE.zip, or set BACKUP_DIR'
      : 'Look into the log of the servers, and at BACKUP_DIR';
  if (lastAt === undefined) return warning('backup', `None is known. ${step}`);
  const text = `The last one was made ${counted(Math.floor((now - lastAt) / DAY_MS), 'day')} ago.`;
  if (BACKUP_DIR !== undefined && schedule?.failed && schedule.until <= now)
    return warning('backup', `${text} The last try failed. ${step}`);
  return verdict === 'late' ? warning('backup', `${text} ${step}`) : ok('backup', text);
}

async function checkClock(ask: Source['ask'], mostDeviationMs: number): Promise<Finding> {
  const begun = Date.now();
  const [row] = await ask<{ now: number }>(
    'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
  );
  const now = (begun + Date.now()) / 2;
  const ahead = Math.round(now - Number(row?.now ?? now));
  const text = `This machine's clock is ${Math.abs(ahead)} ms ${ahead < 0 ? 'behind' : 'ahead of'} that of PostgreSQL.`;
  return Math.abs(ahead) > mostDeviationMs ? warning('clock', `${text} Set it by NTP.`) : ok('clock', text);
}
