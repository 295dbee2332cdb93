import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Database, MOVING } from '#platform/db/index.ts';
import { type Config, ConfigError } from './config.ts';
import { counted } from './counted.ts';
import { databaseFile } from './database.ts';

/**
 * Refuses an empty PostgreSQL beside an embedded database with accounts: to its people a server on it looks as if everything
 * were lost, and who signs up there is missing in the other one. After a move PostgreSQL has the accounts.
 * @throws ConfigError naming both ways out
 */
export async function refuseAccountsElsewhere(config: Config, db: Database): Promise<void> {
  const file = resolve(databaseFile(config));
  if (db.dialect !== 'postgres' || !existsSync(file) || !(await isWithoutAccounts(db))) return;
  const found = lookInto(file);
  if (found === undefined) return;
  throw new ConfigError(
    `The database of DATABASE_URL has no accounts, and ${file} ${found}: to take everything along, remove DATABASE_URL ` +
      `and run "parley move --to" with its address; to begin with an empty server, take that file out of DATA_DIR, ` +
      'and with it the parley.db-wal beside it, which has the last of its content after a crash.',
  );
}

/** Tables of another program, and half of a move, are left to the migrations, which refuse them. */
async function isWithoutAccounts(db: Database): Promise<boolean> {
  const [made] = await db.all<{ migrations: string | null; users: string | null }>(
    `SELECT to_regclass('schema_migrations')::text AS migrations, to_regclass('users')::text AS users`,
    [],
  );
  if (!made?.migrations) return !made?.users;
  const moving = await db.all(`SELECT 1 FROM schema_migrations WHERE version = ${MOVING}`, []);
  if (moving.length > 0) return false;
  return !made.users || (await db.all('SELECT 1 FROM users LIMIT 1', [])).length === 0;
}

/** One that cannot be read may have accounts. @returns undefined for one without them */
function lookInto(file: string): string | undefined {
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const [table] = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'users'").all();
      const [row] = table ? db.prepare('SELECT count(*) AS users FROM users').all() : [];
      const users = Number(row?.users ?? 0);
      return users === 0 ? undefined : `has ${counted(users, 'account')}`;
    } finally {
      db.close();
    }
  } catch (error) {
    return `cannot be read (${(error as Error).message})`;
  }
}
