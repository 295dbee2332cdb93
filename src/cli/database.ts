import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from '#schema';
import { type Config, readConfig } from '../process/config.ts';
import { makeDataFolder } from '../process/data-folder.ts';
import { databaseFile } from '../process/database.ts';
import { filesFolder } from '../process/files.ts';
import { isArchive, unpackDatabase, unpackUploads } from './backup-archive.ts';
import { Refusal } from './refusal.ts';
import { print, recordCommand, withDatabase } from './with-database.ts';

export async function migrateNow(): Promise<void> {
  await withDatabase((db) => recordCommand(db, 'migrate'));
  print('The database is up to date.');
}

export async function backup(file: string): Promise<void> {
  if (existsSync(file)) throw new Refusal(`${file} is there already; choose another name.`);
  const config = await withDatabase(async (db, config) => {
    refusePostgres(config);
    await recordCommand(db, 'backup');
    await db.backup(file);
    return config;
  });
  checkIntegrity(file);
  print(
    `Backed up to ${file}, and checked. Keep encryption.key from the data folder with it: without it no server starts on the backup.`,
  );
  // The uploads come second: files are immutable, so every file that the copied database names is still there.
  if (config.S3_BUCKET === undefined) print(`Now copy the uploads too: ${filesFolder(config)}`);
  else print(`The uploads are in the bucket ${config.S3_BUCKET}, and not part of this backup.`);
}

export async function restore(file: string): Promise<void> {
  const config = readConfig(process.env);
  refusePostgres(config);
  makeDataFolder(config.DATA_DIR);
  const target = databaseFile(config);
  refuseWhileServing(target);
  const arriving = `${target}.restoring`;
  const uploads = isArchive(file)
    ? await bringArchive(file, arriving, config)
    : bringDatabase(file, arriving, config);
  // Checks again: reading a large backup takes time, and a server may have started meanwhile.
  refuseWhileServing(target);
  const kept = keepPresent(target);
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(target + suffix, { force: true });
  renameSync(arriving, target);
  await withDatabase((db) => recordCommand(db, 'restore'));
  print(`Restored ${file} to ${target}.`);
  if (kept !== undefined) print(`The previous database is in ${kept}: delete it once you are sure.`);
  print(uploads);
  if (config.ENCRYPTION_KEY === undefined && !existsSync(join(config.DATA_DIR, 'encryption.key'))) {
    print(
      `Warning: there is no encryption.key in ${config.DATA_DIR}. Put back the one that belongs to this backup, or the ` +
        'server does not start on it; "parley keys reset" goes on without it.',
    );
  }
}

/**
 * Keeps the replaced database, in case it was the wrong backup. A hard link, so that the database has its name
 * throughout. @returns the name of the copy
 */
function keepPresent(target: string): string | undefined {
  if (!existsSync(target)) return undefined;
  const kept = freeName(`${target}.before`);
  try {
    linkSync(target, kept);
  } catch {
    // Not every file system supports hard links.
    copyFileSync(target, kept);
  }
  return kept;
}

/** An unused name, so that each restore keeps what it replaces: parley.db.before, parley.db.before.2, … */
function freeName(name: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}.${number}`;
    if (!existsSync(free)) return free;
  }
}

/** @returns a note about the uploads */
function bringDatabase(file: string, to: string, config: Config): string {
  checkIntegrity(file);
  copyDatabase(file, to);
  return config.S3_BUCKET === undefined
    ? `Put the uploads of that backup back too: ${filesFolder(config)}`
    : `The uploads are in the bucket ${config.S3_BUCKET}.`;
}

/**
 * Copies with SQLite: the last writes of a killed server are in the WAL beside the file, which copying one file would
 * lose.
 */
function copyDatabase(file: string, to: string): void {
  rmSync(to, { force: true });
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}

/** The same for an archive that an administrator downloaded: all of it is checked before it replaces anything. */
async function bringArchive(file: string, to: string, config: Config): Promise<string> {
  await unpackDatabase(file, to);
  try {
    checkIntegrity(to);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
  if (config.S3_BUCKET !== undefined) return 'Uploads are in a bucket by your settings: none were put there.';
  const count = await unpackUploads(file, filesFolder(config));
  return `Put ${count} files of uploads back to ${filesFolder(config)}.`;
}

function refusePostgres(config: Config): void {
  if (config.DATABASE_URL === undefined) return;
  throw new Refusal('This server uses PostgreSQL: back it up with pg_dump, restore it with pg_restore.');
}

/** @throws Refusal when the file is damaged, not a database of Parley, or of a newer version */
function checkIntegrity(file: string): void {
  if (!existsSync(file)) throw new Refusal(`There is no file ${file}.`);
  const version = versionOf(file);
  if (version === undefined)
    throw new Refusal(`${file} is damaged or not a database of Parley; nothing was changed.`);
  if (version > migrations.length)
    throw new Refusal(`${file} was made by a newer version of Parley: use that one; nothing was changed.`);
}

/** @returns the version of its schema; undefined when the file is damaged or not a database of Parley */
function versionOf(file: string): number | undefined {
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    const [result] = db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
    const [newest] = db.prepare('SELECT max(version) AS version FROM schema_migrations').all() as {
      version: number;
    }[];
    db.close();
    return result?.integrity_check === 'ok' ? newest?.version : undefined;
  } catch {
    // Every error of SQLite means that the file is unusable.
    return undefined;
  }
}

const DAMAGED = [11, 26];

/** Replacing the file under a server would lose its writes. */
function refuseWhileServing(file: string): void {
  if (isServed(file)) throw new Refusal('The server is running on this database: stop it first.');
}

/** Whether a server, or anything else, has the database open. */
export function isServed(file: string): boolean {
  if (!existsSync(file)) return false;
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    // Leaving WAL mode fails while another connection is open.
    db.exec('PRAGMA journal_mode = DELETE');
    return false;
  } catch (error) {
    // A damaged database is a reason to restore (SQLITE_CORRUPT, SQLITE_NOTADB).
    return !DAMAGED.includes((error as { errcode: number }).errcode & 0xff);
  } finally {
    db.close();
  }
}
