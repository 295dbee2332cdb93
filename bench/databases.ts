import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '#platform/db/index.ts';
import { readConfig } from '../src/process/config.ts';
import { openDatabase } from '../src/process/database.ts';
import { type PostgresServer, startPostgres } from '../test/support/postgres.ts';

/** How a comparison is made. */
export interface Comparing {
  /** Of each turn. */
  readonly seconds: number;
  readonly rounds: number;
  /** Of each server. */
  readonly settings: NodeJS.ProcessEnv;
}

/** Runs work with a folder, and with a PostgreSQL that syncs its commits; both are gone afterwards. */
export async function withDatabases<T>(
  work: (folder: string, postgres: PostgresServer) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const postgres = await startPostgres({ fsync: true });
  try {
    return await work(folder, postgres);
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a database of PostgreSQL as a server would, migrated. */
export async function openPostgres(DATABASE_URL: string): Promise<Database> {
  const config = readConfig({ DATABASE_URL }, '');
  return (await openDatabase(config, () => undefined, Date.now())).db;
}
