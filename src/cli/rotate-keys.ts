import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { attribute } from '#api';
import { Cipher } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { holdFolder } from '../../ops/restore/lock.ts';
import { encryptAgain } from '../app/new-key.ts';
import { type Config, readConfig } from '../process/config.ts';
import { counted } from '../process/counted.ts';
import { makeDataFolder } from '../process/data-folder.ts';
import { databaseFile } from '../process/database.ts';
import { refuseInUse } from '../process/in-use.ts';
import { beginRotation, encryptionFile, endRotation, keyAt, nextFile, rotationOf } from '../process/keys.ts';
import { print } from '../process/printable.ts';
import { withDatabase } from '../process/with-database.ts';
import { OPERATOR, record } from './as-operator.ts';

const PATIENCE_MS = 5000;

/**
 * Replaces the encryption key. The new one is in a file before anything is encrypted with it, and the former one stays, so that
 * however this ends, each text can be read with one of them; run again, it goes on.
 */
export async function rotateKeys(): Promise<void> {
  const config = readConfig(process.env);
  makeDataFolder(config.DATA_DIR);
  const release = holdFolder(config.DATA_DIR);
  try {
    await refuseInUse(config);
    await withDatabase(begin);
    // A server that started before the beginning was noted goes on with the former key.
    await refuseInUse(config);
    await withDatabase(goOn);
    dropReplaced(config);
    for (const line of keep(config)) print(line);
  } finally {
    release();
  }
}

const keysOf = (config: Config) => ({
  former: config.ENCRYPTION_KEY ?? keyAt(encryptionFile(config)),
  next: keyAt(nextFile(config)),
});

/** From now on no server starts. */
async function begin(db: Database, config: Config): Promise<void> {
  const { former, next } = keysOf(config);
  if ((await rotationOf(db, former, next)) !== 'none') return;
  // The last rotation left the file, and ENCRYPTION_KEY was set to its key.
  if (former && next?.equals(former)) rmSync(nextFile(config));
  const key = keyAt(nextFile(config)) ?? makeKey(nextFile(config));
  await db.write(async (tx) => {
    attribute(tx, OPERATOR);
    await record(tx, { action: 'operator.command', detail: { command: 'keys rotate' } });
    await beginRotation(tx, key);
  });
}

/** Makes a key, which is on the disk before it is used: without it, all that it encrypts is lost. */
function makeKey(file: string): Buffer {
  const key = randomBytes(32);
  const arriving = `${file}.arriving`;
  rmSync(arriving, { force: true });
  writeFileSync(arriving, key.toString('base64'), { flag: 'wx', mode: 0o600, flush: true });
  renameSync(arriving, file);
  flush(file);
  return key;
}

/** Keeps the name of a file, which is in its folder. */
function flush(file: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

async function goOn(db: Database, config: Config): Promise<void> {
  const { former, next } = keysOf(config);
  if ((await rotationOf(db, former, next)) !== 'under way' || !former || !next) return;
  await encryptAgain(db, new Cipher(former), new Cipher(next), (what, { now, lost }) => {
    print(`${what}: ${counted(now, 'text')} encrypted with the new key`);
    if (lost > 0)
      print(`${what}: ${counted(lost, 'text')} could be read with neither key before, and stay as they are`);
  });
  await db.write(endRotation);
}

/**
 * SQLite leaves replaced rows in the unused parts of its file, and a copy of the pages brings them along: there, the former
 * key would still open client secrets that are in use.
 */
function dropReplaced(config: Config): void {
  if (config.DATABASE_URL !== undefined) return;
  // A server that is refused looks at the file for a moment.
  const db = new DatabaseSync(databaseFile(config), { timeout: PATIENCE_MS });
  try {
    db.exec('VACUUM');
  } catch (error) {
    // No reason to keep the server from starting.
    print(
      `Warning: ${(error as Error).message}. Unused parts of ${databaseFile(config)} may hold what the former key can read: make ` +
        'room for a copy of it, and run this again.',
    );
  } finally {
    db.close();
  }
}

/** Gives the new key its name, and the former one another. @returns what the operator has to do */
function keep(config: Config): string[] {
  const next = nextFile(config);
  if (config.ENCRYPTION_KEY)
    return [
      `The new encryption key is in ${next}: set ENCRYPTION_KEY of all servers to it, and delete that file.`,
      'Keep the former key with the backups that were made before: they need it.',
    ];
  const file = encryptionFile(config);
  const former = unusedName(`${file}.before`);
  // In between there is no key, and no server starts without one.
  if (existsSync(file)) renameSync(file, former);
  renameSync(next, file);
  flush(file);
  return [
    `The new encryption key is in ${file}: other servers on this database need the same file.`,
    `Keep ${basename(former)} with the backups that were made before: they need it. Take it out of DATA_DIR.`,
  ];
}

/** With a number where the name is used, by an earlier key. */
function unusedName(name: string): string {
  if (!existsSync(name)) return name;
  for (let n = 2; ; n++) if (!existsSync(`${name}.${n}`)) return `${name}.${n}`;
}
