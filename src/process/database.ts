import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { DAMAGED, DatabaseDamaged } from '#platform/db/damaged.ts';
import { type Database, migrate, SqliteDatabase } from '#platform/db/index.ts';
import { migrations } from '#schema';
import { type Config, ConfigError } from './config.ts';
import { isThere, makeDataFolder, tellReadOnly } from './data-folder.ts';

/** The file of the embedded database. */
export function databaseFile(config: Config): string {
  return join(config.DATA_DIR, 'parley.db');
}

/** Whether there is an embedded database. @throws ConfigError where nobody can tell, and where one was there that is not whole */
export function hasFile(config: Config): boolean {
  try {
    if (isThere(databaseFile(config))) return true;
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR "${config.DATA_DIR}" cannot be used: ${(error as Error).message}. Run this as the user who starts the server.`,
    );
  }
  refuseParts(config);
  return existsSync(databaseFile(config));
}

interface Opened {
  readonly db: Database;
  /** The names of the migrations that were applied. */
  readonly applied: string[];
}

/**
 * Opens the database of the settings and brings it up to date: PostgreSQL when DATABASE_URL is given, else the embedded
 * one in the data folder.
 * @param onPrimary told of the host and port of another primary of PostgreSQL, after a fail-over
 * @param look looks at the database before it is brought up to date
 * @throws ConfigError for one that cannot be used
 */
export async function openDatabase(
  config: Config,
  onError: (error: Error) => void,
  now: number,
  onPrimary?: (host: string) => void,
  look?: (db: Database) => Promise<void>,
): Promise<Opened> {
  const url = config.DATABASE_URL;
  if (url === undefined) {
    return migrated(() => openFile(config), now, look).catch((error: unknown) => {
      throw ofFile(error, databaseFile(config));
    });
  }
  // Only what is needed is loaded, to keep a small server small.
  const { connectPostgres, ofServer } = await import('./postgres.ts');
  return migrated(() => connectPostgres(config, url, onError, onPrimary), now, look).catch(
    (error: unknown) => {
      throw ofServer(error);
    },
  );
}

async function migrated(
  open: () => Promise<Database>,
  now: number,
  look?: (db: Database) => Promise<void>,
): Promise<Opened> {
  const db = await open();
  try {
    await look?.(db);
    return { db, applied: await migrate(db, migrations, now) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function openFile(config: Config): Promise<Database> {
  makeDataFolder(config.DATA_DIR);
  hasFile(config);
  refuseUnwritable(config);
  return new SqliteDatabase(databaseFile(config), { keepsLog: config.COPY_TO !== undefined });
}

/**
 * SQLite opens a file that it may only read, and fails at the first write.
 * @throws ConfigError naming the file
 */
export function refuseUnwritable(config: Config): void {
  for (const end of ['', '-wal', '-shm']) {
    const file = `${databaseFile(config)}${end}`;
    try {
      if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw new ConfigError(
        tellReadOnly(config.DATA_DIR, error) ??
          `The database cannot be used: ${(error as Error).message}. Let user ${process.getuid?.() ?? userInfo().username} read ` +
            `and write ${file}, as its owner with chmod 600, or start as the user who owns it.`,
      );
    }
  }
}

/** Marks a restore from a continuous copy in progress. The database gets its name last. */
export const arrivingFile = (config: Config) => `${databaseFile(config)}.arriving`;

/** A server would begin with an empty database otherwise, and SQLite would delete the log of the one before. */
function refuseParts(config: Config): void {
  const file = databaseFile(config);
  const arriving = arrivingFile(config);
  const log = `${file}-wal`;
  const isHalf = existsSync(arriving);
  const isLog = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0;
  // Another process may have made it meanwhile.
  if ((!isHalf && !isLog) || existsSync(file)) return;
  throw new ConfigError(
    isHalf
      ? `A restore into DATA_DIR "${config.DATA_DIR}" is under way, or was interrupted: run it again, or delete ${arriving}.`
      : `There is ${log}, with what was committed last to a parley.db that is gone: put parley.db back beside it, or take ` +
          'it away, too, to where parley.db is now.',
  );
}

const RIGHTS =
  'Is it a database of Parley, and may the user who starts the server write to it and its folder?';
const LOCKED =
  'Another program holds it, as a tool for databases or a check of the file does: end it, and start again.';

/** Advice by SQLite error code. */
const ADVICE: Record<number, string> = {
  // SQLITE_BUSY, SQLITE_LOCKED
  5: LOCKED,
  6: LOCKED,
  // SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_NOTADB
  8: RIGHTS,
  14: RIGHTS,
  26: RIGHTS,
  // SQLITE_IOERR
  10: 'Check the disk, and the limits of this user on the size and number of files.',
  // SQLITE_CORRUPT
  11: DAMAGED,
  // SQLITE_FULL
  13: 'Make room on the disk of DATA_DIR, and start again.',
};

/** The error of an embedded database that cannot be used, with what to do. */
export function ofFile(error: unknown, file: string): unknown {
  if (error instanceof DatabaseDamaged) return error;
  const { message, cause } = error as Error;
  const { errcode = 0 } = (cause ?? error) as { errcode?: number };
  const advice = ADVICE[errcode & 0xff];
  if (advice === undefined) return error;
  return new ConfigError(`The database ${file} cannot be used: ${message}. ${advice}`);
}
