import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../../src/process/refusal.ts';

const BUSY = 5;

/**
 * Keeps other restores and "keys rotate" out of a data folder: two would write to the same files. The system ends the lock of a
 * process that dies, so nothing has to be cleaned up after it; the empty file stays, since who deletes it could let two in.
 * @returns what ends it @throws Refusal while another restore is under way
 */
export function holdFolder(folder: string): () => void {
  const db = new DatabaseSync(join(folder, 'restore.lock'), { timeout: 0 });
  try {
    db.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 !== BUSY) throw error;
    throw new Refusal(
      `Another restore into ${folder}, or "keys rotate" there, is under way: wait until it ends. This one changed nothing.`,
    );
  }
  return () => db.close();
}
