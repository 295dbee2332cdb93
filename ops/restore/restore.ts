import { hash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../../src/process/config.ts';
import { uploadsCounted } from '../../src/process/counted.ts';
import { makeDataFolder, tellOwner } from '../../src/process/data-folder.ts';
import { databaseFile } from '../../src/process/database.ts';
import { filesFolder } from '../../src/process/files.ts';
import { isServed } from '../../src/process/held.ts';
import { print } from '../../src/process/printable.ts';
import { Refusal } from '../../src/process/refusal.ts';
import { inRoomOf } from '../../src/process/room.ts';
import { isArchive, unpackDatabase, unpackUploads } from '../backup/archive.ts';
import { checkBackup, checkFile, openBackup } from '../backup/check.ts';
import type { PageOfUploads } from '../backup/pack.ts';
import type { Side } from '../transfer/side.ts';
import { holdFolder } from './lock.ts';

/** The parts of the product that a restore is handed. */
export interface RestoreParts {
  readonly pageOfUploads: PageOfUploads;
  /** Ends the restore, in the database that is there now. */
  readonly noteRestore: () => Promise<void>;
}

/** Puts a backup in place of the database, or only proves that it could. */
export async function restore(
  file: string,
  options: { check?: boolean },
  { pageOfUploads, noteRestore }: RestoreParts,
): Promise<void> {
  if (options.check) return checkBackup(file, pageOfUploads);
  const config = readConfig(process.env);
  makeDataFolder(config.DATA_DIR);
  const release = holdFolder(config.DATA_DIR);
  let notes: string[];
  try {
    notes = await inRoomOf(config.DATA_DIR, () =>
      config.DATABASE_URL === undefined ? restoreToFile(file, config) : restoreToPostgres(file, config),
    );
    await noteRestore();
  } finally {
    release();
  }
  for (const note of notes) print(note);
  const owner = tellOwner(config.DATA_DIR);
  if (owner !== undefined) print(owner);
  if (config.ENCRYPTION_KEY === undefined && !existsSync(join(config.DATA_DIR, 'encryption.key'))) {
    print(
      `Warning: there is no encryption.key in ${config.DATA_DIR}. Put back the one that belongs to this backup, or the ` +
        'server does not start on it; "parley keys reset" goes on without it.',
    );
  }
}

async function restoreToFile(file: string, config: Config): Promise<string[]> {
  const target = databaseFile(config);
  refuseWhileServing(target);
  const arriving = `${target}.restoring`;
  // Left by a restore that was killed.
  removeArriving(arriving);
  try {
    await bringDatabase(file, arriving);
    const uploads = await bringUploads(file, config);
    // Checks again: reading a large backup takes time, and a server may have started meanwhile.
    refuseWhileServing(target);
    const kept = keepPresent(target);
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(target + suffix, { force: true });
    renameSync(arriving, target);
    return [`Restored ${file} to ${target}.`, ...kept, uploads];
  } finally {
    removeArriving(arriving);
  }
}

function removeArriving(arriving: string): void {
  for (const suffix of ['', '-journal', '.arriving']) rmSync(arriving + suffix, { force: true });
}

/** The target is empty, or what a restore of the same backup has left that was killed. */
async function restoreToPostgres(file: string, config: Config): Promise<string[]> {
  // Only what is needed is loaded.
  const [{ openFile }, { openPostgres }, { migrateTarget }, { transferAll }] = await Promise.all([
    import('../transfer/file.ts'),
    import('../transfer/postgres.ts'),
    import('../transfer/side.ts'),
    import('../transfer/move.ts'),
  ]);
  const folder = join(config.DATA_DIR, 'restoring');
  const unpacked = { ...config, DATABASE_URL: undefined, DATA_DIR: folder };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  try {
    await bringDatabase(file, databaseFile(unpacked));
    const name = `the backup ${await nameOf(databaseFile(unpacked))}`;
    await migrateTarget(unpacked);
    const source = { ...(await openFile(unpacked, false)), name };
    const target = await openPostgres(config, config.DATABASE_URL as string, true);
    try {
      await refuseUsed(target);
      // Before all that takes time: from now on no server starts on it.
      await target.begin(name);
      try {
        await refuseUsed(target);
      } catch (error) {
        // A server that has started in between goes on with its own.
        await target.restoreKeys();
        await target.finish();
        throw error;
      }
      const uploads = await bringUploads(file, config);
      await transferAll(source, target);
      await target.finish();
      return [`Restored ${file} to ${target.name}.`, uploads];
    } finally {
      await source.close();
      await target.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function refuseUsed(target: Side): Promise<void> {
  const users = await target.users();
  if (users.length > 0)
    throw new Refusal(`${target.name} is in use (${users.join(', ')}): stop what uses it first.`);
}

/** By its content, so that a restore that was killed goes on with the same one only. */
async function nameOf(file: string): Promise<string> {
  let all = '';
  for await (const chunk of createReadStream(file)) all = hash('sha256', all + hash('sha256', chunk));
  return all.slice(0, 16);
}

/** Checks all of the backup before it replaces anything. */
async function bringDatabase(file: string, to: string): Promise<void> {
  if (!isArchive(file)) {
    checkFile(file);
    return copyFile(file, to);
  }
  await unpackDatabase(file, to);
  try {
    checkFile(to, file);
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
}

/** @returns a note about them */
async function bringUploads(file: string, config: Config): Promise<string> {
  if (!isArchive(file))
    return config.S3_BUCKET === undefined
      ? `Put the uploads of that backup back too: ${filesFolder(config)}`
      : `The uploads are in the bucket ${config.S3_BUCKET}.`;
  if (config.S3_BUCKET !== undefined) return 'Uploads are in a bucket by your settings: none were put there.';
  const count = await unpackUploads(file, filesFolder(config));
  return `Put ${uploadsCounted(count)} back to ${filesFolder(config)}.`;
}

/**
 * Copies with SQLite: the last writes of a killed server are in the WAL beside the file, which copying one file would
 * lose.
 */
function copyFile(file: string, to: string): void {
  rmSync(to, { force: true });
  const db = openBackup(file);
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}

/**
 * Keeps the replaced database, in case it was the wrong backup, and a log that could not be brought into it. Hard links,
 * so that the database has its name throughout. @returns notes about them
 */
function keepPresent(target: string): string[] {
  const log = `${target}-wal`;
  const has = {
    database: existsSync(target),
    log: (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0,
  };
  const kept = freeName(`${target}.before`);
  if (has.log) keepAs(log, `${kept}-wal`);
  if (!has.database)
    return has.log ? [`There was ${log} without its database: it is in ${kept}-wal now.`] : [];
  keepAs(target, kept);
  return [`The previous database is in ${kept}: delete it once you are sure.`];
}

function keepAs(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    // Not every file system supports hard links.
    copyFileSync(file, name);
  }
}

/** An unused name, so that each restore keeps what it replaces: parley.db.before, parley.db.before.2, … */
function freeName(name: string): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}.${number}`;
    if (!existsSync(free) && !existsSync(`${free}-wal`)) return free;
  }
}

/** Replacing the file under a server would lose its writes. */
function refuseWhileServing(file: string): void {
  if (isServed(file)) throw new Refusal('The server is running on this database: stop it first.');
}
