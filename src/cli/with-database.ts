import { type Database, migrate } from '#platform/db/index.ts';
import { type Config, readConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { migrations } from '../schema/index.ts';

/** Opens the database of the settings, brings it up to date, and closes it afterwards. Safe while a server runs. */
export async function withDatabase<T>(work: (db: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const db = openDatabase(config, () => undefined);
  try {
    await migrate(db, migrations, Date.now());
    return await work(db, config);
  } finally {
    await db.close();
  }
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
