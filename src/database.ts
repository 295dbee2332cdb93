import { join } from 'node:path';
import { type Database, PostgresDatabase, SqliteDatabase } from '#platform/db/index.ts';
import type { Config } from './config.ts';
import { makeDataFolder } from './keys.ts';

/** Where the embedded database is. */
export function databaseFile(config: Config): string {
  return join(config.DATA_DIR, 'parley.db');
}

/** PostgreSQL when DATABASE_URL is given, else the embedded database in the data folder. */
export function openDatabase(config: Config, onError: (error: Error) => void): Database {
  if (config.DATABASE_URL !== undefined) {
    return new PostgresDatabase(config.DATABASE_URL, config.DATABASE_CONNECTIONS, onError);
  }
  makeDataFolder(config.DATA_DIR);
  return new SqliteDatabase(databaseFile(config));
}
