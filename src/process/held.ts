import { accessSync, constants, existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ofFile } from './database.ts';

/** SQLITE_BUSY, SQLITE_LOCKED. */
const LOCKED = [5, 6];
/** SQLITE_CORRUPT, SQLITE_NOTADB. */
const DAMAGED = [11, 26];
/** Another program may hold the file for a moment only. */
const PATIENCE_MS = 500;

const codeOf = (error: unknown) => ((error as { errcode?: number }).errcode ?? 0) & 0xff;
export const isLocked = (error: unknown) => LOCKED.includes(codeOf(error));

/**
 * Opens a database, in a transaction, and keeps everybody else out of it until it is released: a read transaction would let them write.
 * Nothing of it changes, nor of its log.
 * @throws while anybody has it open
 */
export function hold(file: string): DatabaseSync {
  // SQLite would open a file that can only be read, and let others write.
  accessSync(file, constants.R_OK | constants.W_OK);
  const db = new DatabaseSync(file, { timeout: PATIENCE_MS, enableForeignKeyConstraints: false });
  try {
    // The first read begins to use the log in the usual way. Otherwise the lock could not be given back (sqlite.org/pragma.html#pragma_locking_mode).
    db.exec('SELECT 1 FROM sqlite_schema; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Closes a database that is held, and leaves its log as it is: a copy of each second goes on with it. */
export function release(file: string, db: DatabaseSync): void {
  if (db.isTransaction) db.exec('ROLLBACK');
  db.exec('PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema');
  // The last connection to close brings the log into the database, unless it only reads.
  const reader = new DatabaseSync(file, { readOnly: true });
  try {
    reader.exec('SELECT 1 FROM sqlite_schema');
    db.close();
  } finally {
    reader.close();
  }
}

/**
 * Whether a server, or anything else, has the database open. If not, its log is in the file then: a restore keeps that under another name.
 * @throws ConfigError for one that cannot be used
 */
export function isServed(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const db = new DatabaseSync(file, { timeout: 0 });
    try {
      // Leaving WAL mode fails while another connection is open.
      db.exec('PRAGMA journal_mode = DELETE');
    } finally {
      db.close();
    }
    return false;
  } catch (error) {
    if (isLocked(error)) return true;
    // A damaged database is a reason to restore.
    if (DAMAGED.includes(codeOf(error))) return false;
    throw ofFile(error, file);
  }
}
