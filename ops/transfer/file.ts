import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../../src/process/config.ts';
import { databaseFile, ofFile } from '../../src/process/database.ts';
import { hold, isLocked, release } from '../../src/process/held.ts';
import { Refusal } from '../../src/process/refusal.ts';
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
  progressNameOf,
  refuseVersion,
  type Side,
} from './side.ts';
import { type Column, pageStatement, SQLITE_COLUMNS, SQLITE_TABLES } from './tables.ts';

const FULL = 13;
/** SQLITE_ERROR, as for a table or a column that is not there. */
const NO_SUCH = 1;
const codeOf = (error: unknown) => (error as { errcode?: number }).errcode;

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

/** @throws Refusal while somebody else has the file open, and ConfigError when it cannot be used */
async function using<T>(file: string, work: () => T): Promise<Awaited<T>> {
  try {
    return await work();
  } catch (error) {
    if (!isLocked(error)) throw ofFile(error, file);
    throw new Refusal(
      `${file} is in use (a server, another move, or a tool for databases). Stop what uses it: what it stores meanwhile would be lost.`,
    );
  }
}

/** @param isTarget whether it is written to */
export async function openFile(config: Config, isTarget: boolean): Promise<Side> {
  const file = databaseFile(config);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new Refusal(`${file} is a folder, not a database.`);
  const state = isTarget ? await using(file, () => stateOf(file)) : undefined;
  if (state === 'full') throw new Refusal(`${file} ${NOT_EMPTY}`);
  if (state === 'blank') await using(file, () => migrateTarget(config));
  // The lock keeps everybody else out until the move has ended, so nothing is written that the comparison does not see.
  const db = await using(file, () => hold(file));
  try {
    db.exec(isTarget ? 'COMMIT' : 'PRAGMA query_only = ON');
    return await sideOf(file, db, isTarget);
  } catch (error) {
    release(file, db);
    throw error;
  }
}

async function sideOf(file: string, db: DatabaseSync, isTarget: boolean): Promise<Side> {
  const all = <Row>(sql: string, values: readonly (string | number | null)[] = []) => {
    try {
      return db.prepare(sql).all(...values) as Row[];
    } catch (error) {
      throw ofFile(error, file);
    }
  };
  const write = async (changes: readonly Change[]) => {
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const { sql, values } of changes) db.prepare(sql).run(...values);
      db.exec('COMMIT');
    } catch (error) {
      // A full disk has ended it already.
      if (db.isTransaction) db.exec('ROLLBACK');
      if (codeOf(error) !== FULL) throw ofFile(error, file);
      throw new Refusal(`There is no room for ${file}: make some on its disk, and run it again. It goes on.`);
    }
  };
  const mark = () => '?';
  const note = noteIn(mark);
  if (!isTarget) {
    try {
      const [newest] = all<{ version: number }>('SELECT max(version) AS version FROM schema_migrations');
      refuseVersion(file, newest?.version);
    } catch (error) {
      if (codeOf(error) !== NO_SUCH) throw error;
      throw new Refusal(`There is no database of Parley in ${file}.`);
    }
  }
  return {
    dialect: 'sqlite',
    name: file,
    noted: (table, value) => note(progressNameOf(table), value),
    write,
    tables: async () => all<{ name: string }>(SQLITE_TABLES).map(({ name }) => name),
    columns: async (table) => all<Column>(SQLITE_COLUMNS, [table]),
    page: async (table, last, limit) => all(pageStatement(table, last, limit, mark), last),
    placeholders: ({ columns }) => `(${columns.map(mark).join(', ')})`,
    users: async () => [],
    begin: async (source) => {
      db.exec(PROGRESS);
      const [begun] = all<{ value: string }>("SELECT value FROM parley_move WHERE name = 'source'");
      if (begun && begun.value !== source) throw new Refusal(`${file} ${ANOTHER}`);
      if (!begun) await write([{ sql: LOCK, values: [] }, note('source', source)]);
    },
    progress: async (table) =>
      all<{ value: string }>('SELECT value FROM parley_move WHERE name = ?', [progressNameOf(table)])[0]
        ?.value,
    restoreKeys: async () => {
      const [broken] = all<{ table: string; parent: string }>('PRAGMA foreign_key_check');
      if (broken)
        throw new Error(`a row of ${broken.table} refers to a row of ${broken.parent} that is not there`);
    },
    finish: () => write(FINISH),
    close: async () => release(file, db),
  };
}
