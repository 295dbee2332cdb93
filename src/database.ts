import { join } from 'node:path';
import { type Database, SqliteDatabase } from '#platform/db/index.ts';
import type { Config } from './config.ts';
import { makeDataFolder } from './keys.ts';

/** Where the embedded database is. */
export function databaseFile(config: Config): string {
  return join(config.DATA_DIR, 'parley.db');
}

/** PostgreSQL when DATABASE_URL is given, else the embedded database in the data folder. */
export async function openDatabase(config: Config, onError: (error: Error) => void): Promise<Database> {
  if (config.DATABASE_URL !== undefined) {
    const { PostgresDatabase } = await import('#platform/db/postgres.ts');
    return new PostgresDatabase(config.DATABASE_URL, config.DATABASE_CONNECTIONS, onError);
  }
  makeDataFolder(config.DATA_DIR);
  return new SqliteDatabase(databaseFile(config));
}
