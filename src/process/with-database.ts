import { resolve } from 'node:path';
import type { Database } from '#platform/db/index.ts';
import { type Config, readConfig } from './config.ts';
import { databaseFile, hasFile, openDatabase } from './database.ts';
import { Refusal } from './refusal.ts';

/**
 * Opens the database of the settings, brings it up to date, and closes it afterwards. Safe while a server runs.
 * @param mayMake whether it is made where there is none: in a wrong folder, others would report on an empty one
 * @throws Refusal where there is none
 */
export async function withDatabase<T>(
  work: (db: Database, config: Config) => Promise<T>,
  { mayMake = false } = {},
): Promise<T> {
  const config = readConfig(process.env);
  if (!mayMake) expectFile(config);
  // A command reads too little for a replica.
  const { db } = await openDatabase(
    { ...config, DATABASE_REPLICA_URL: undefined },
    () => undefined,
    Date.now(),
    undefined,
    mayMake ? undefined : expectTables,
  );
  try {
    return await work(db, config);
  } finally {
    await db.close();
  }
}

/** Makes the database of the settings where there is none, and brings it up to date. */
export const makeDatabase = () => withDatabase(async () => undefined, { mayMake: true });

function expectFile(config: Config): void {
  if (config.DATABASE_URL !== undefined || hasFile(config)) return;
  throw new Refusal(
    `There is no database ${resolve(databaseFile(config))}: run this in the folder of the server, or set DATA_DIR as the server has it.`,
  );
}

async function expectTables(db: Database): Promise<void> {
  if (db.dialect !== 'postgres') return;
  const [found] = await db.all<{ name: string | null }>(
    "SELECT to_regclass('schema_migrations')::text AS name",
    [],
  );
  if (found?.name === null)
    throw new Refusal(
      'The database of DATABASE_URL has no tables of Parley: run "parley migrate", or look at DATABASE_URL.',
    );
}
