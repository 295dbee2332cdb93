import { join } from 'node:path';
import { type Database, migrate, SqliteDatabase } from '#platform/db/index.ts';
import { migrations } from '#schema';
import { type Config, ConfigError } from './config.ts';
import { makeDataFolder } from './data-folder.ts';

/** The file of the embedded database. */
export function databaseFile(config: Config): string {
  return join(config.DATA_DIR, 'parley.db');
}

/**
 * Opens the database of the settings and brings it up to date: PostgreSQL when DATABASE_URL is given, else the embedded
 * one in the data folder.
 * @returns also the names of the migrations that were applied
 * @throws ConfigError for one that cannot be used
 */
export async function openDatabase(
  config: Config,
  onError: (error: Error) => void,
  now: number,
): Promise<{ db: Database; applied: string[] }> {
  let db: Database | undefined;
  try {
    db = await connect(config, onError);
    return { db, applied: await migrate(db, migrations, now) };
  } catch (error) {
    await db?.close();
    throw config.DATABASE_URL === undefined ? ofFile(error, config) : ofServer(error);
  }
}

const POOLED =
  'DATABASE_URL leads to a connection pooler in transaction or statement mode, which cannot work: prepared statements, ' +
  'time limits and LISTEN belong to a session. Use its session mode (PgBouncer: pool_mode = session), or connect to ' +
  'PostgreSQL itself.';

async function connect(config: Config, onError: (error: Error) => void): Promise<Database> {
  if (config.DATABASE_URL !== undefined) {
    const { PostgresDatabase } = await import('#platform/db/postgres.ts');
    const { sharesSessions } = await import('#platform/db/pooler.ts');
    const settings = {
      url: config.DATABASE_URL,
      connections: config.DATABASE_CONNECTIONS,
      connectMs: config.DATABASE_CONNECT_TIMEOUT * 1000,
      statementMs: config.DATABASE_STATEMENT_TIMEOUT * 1000,
      lockMs: config.DATABASE_LOCK_TIMEOUT * 1000,
      idleMs: config.DATABASE_IDLE_TIMEOUT * 1000,
    };
    if (await sharesSessions(settings)) throw new ConfigError(POOLED);
    return new PostgresDatabase(settings, onError);
  }
  makeDataFolder(config.DATA_DIR);
  return new SqliteDatabase(databaseFile(config));
}

/** SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_NOTADB. */
const UNUSABLE_FILE = new Set([8, 14, 26]);

function ofFile(error: unknown, config: Config): unknown {
  const { message, cause } = error as Error;
  const { errcode } = (cause ?? error) as { errcode?: number };
  if (errcode === undefined || !UNUSABLE_FILE.has(errcode & 0xff)) return error;
  return new ConfigError(
    `The database ${databaseFile(config)} cannot be used: ${message}. Is it a database of Parley, and may the user who ` +
      'starts the server write to it and its folder?',
  );
}

/** No connection, a wrong name or password, no such database, no right to it, no more connections. */
const UNREACHABLE = /^(ECONN|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_|28|3D000|42501|53300|57P)/;

function ofServer(error: unknown): unknown {
  const { code, message, errors, cause } = error as AggregateError & { code?: string };
  const found = code ?? (cause as { code?: string } | undefined)?.code ?? '';
  if (!UNREACHABLE.test(found) && (error as Error).name !== 'DatabaseUnavailable') return error;
  const reason = message || errors?.map((one: Error) => one.message).join('; ') || found;
  return new ConfigError(
    `The database of DATABASE_URL cannot be used: ${reason}. Check its address, user and password, and that PostgreSQL ` +
      'runs there and lets this machine in.',
  );
}
