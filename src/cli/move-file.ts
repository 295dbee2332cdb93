import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../process/config.ts';
import { type Column, pageStatement, SQLITE_COLUMNS, SQLITE_TABLES } from '../process/copied-tables.ts';
import { databaseFile } from '../process/database.ts';
import { isServed } from './database.ts';
import {
  ANOTHER,
  type Change,
  FINISH,
  isBlank,
  LOCK,
  migrateTarget,
  NOT_EMPTY,
  noteIn,
  PROGRESS,
  placeOf,
  refuseVersion,
  type Side,
} from './move-side.ts';
import { Refusal } from './refusal.ts';

/** SQLITE_BUSY, SQLITE_LOCKED. */
const LOCKED = [5, 6];
const FULL = 13;

/** What a target has: nothing but a schema, an unfinished move, or something else. */
async function stateOf(file: string): Promise<'blank' | 'unfinished' | 'full'> {
  if (!existsSync(file)) return 'blank';
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = db.prepare(SQLITE_TABLES).all() as { name: string }[];
    if (tables.some(({ name }) => name === 'parley_move')) return 'unfinished';
    return (await isBlank(tables, (sql) => db.prepare(sql).all())) ? 'blank' : 'full';
  } finally {
    db.close();
  }
}

/** @throws Refusal while another move holds the file */
async function unlocked<T>(file: string, work: () => T): Promise<Awaited<T>> {
  try {
    return await work();
  } catch (error) {
    if (!LOCKED.includes((error as { errcode: number }).errcode & 0xff)) throw error;
    throw new Refusal(`${file} is in use by another move.`);
  }
}

/** Keeps everybody else out for as long as it is open. */
const HOLD = 'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; COMMIT';

/** @param isTarget whether it is written to */
export async function openFile(config: Config, isTarget: boolean): Promise<Side> {
  const file = databaseFile(config);
  const state = isTarget ? await unlocked(file, () => stateOf(file)) : undefined;
  if (state === 'full') throw new Refusal(`${file} ${NOT_EMPTY}`);
  if (state === 'blank') await unlocked(file, () => migrateTarget(config));
  // Asked first: it fails while we have the database open ourselves.
  const served = isServed(file);
  const db = new DatabaseSync(file, { readOnly: !isTarget, enableForeignKeyConstraints: false });
  if (isTarget && !served) await unlocked(file, () => db.exec(HOLD));
  const all = <Row>(sql: string, values: readonly (string | number | null)[] = []) =>
    db.prepare(sql).all(...values) as Row[];
  const write = async (changes: readonly Change[]) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const { sql, values } of changes) db.prepare(sql).run(...values);
      db.exec('COMMIT');
    } catch (error) {
      // A full disk has ended it already.
      if (db.isTransaction) db.exec('ROLLBACK');
      if ((error as { errcode?: number }).errcode !== FULL) throw error;
      throw new Refusal(`There is no room for ${file}: make some on its disk, and run it again. It goes on.`);
    }
  };
  const mark = () => '?';
  const note = noteIn(mark);
  if (!isTarget) {
    const [newest] = all<{ version: number }>('SELECT max(version) AS version FROM schema_migrations');
    refuseVersion(file, newest?.version);
  }
  return {
    dialect: 'sqlite',
    name: file,
    noted: (table, value) => note(placeOf(table), value),
    write,
    tables: async () => all<{ name: string }>(SQLITE_TABLES).map(({ name }) => name),
    columns: async (table) => all<Column>(SQLITE_COLUMNS, [table]),
    page: async (table, last, limit) => all(pageStatement(table, last, limit, mark), last),
    placeholders: ({ columns }) => `(${columns.map(mark).join(', ')})`,
    users: async () => (served ? ['a server'] : []),
    begin: async (source) => {
      db.exec(PROGRESS);
      const [begun] = all<{ value: string }>("SELECT value FROM parley_move WHERE name = 'source'");
      if (begun && begun.value !== source) throw new Refusal(`${file} ${ANOTHER}`);
      if (!begun) await write([{ sql: LOCK, values: [] }, note('source', source)]);
    },
    progress: async (table) =>
      all<{ value: string }>('SELECT value FROM parley_move WHERE name = ?', [placeOf(table)])[0]?.value,
    restoreKeys: async () => {
      const [broken] = all<{ table: string; parent: string }>('PRAGMA foreign_key_check');
      if (broken)
        throw new Error(`a row of ${broken.table} refers to a row of ${broken.parent} that is not there`);
    },
    finish: () => write(FINISH),
    close: async () => db.close(),
  };
}
