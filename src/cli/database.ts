import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { print, recordCommand, withDatabase } from './with-database.ts';

export async function migrateNow(): Promise<void> {
  await withDatabase((db) => recordCommand(db, 'migrate'));
  print('The database is up to date.');
}

const DAMAGED = [11, 26];

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
