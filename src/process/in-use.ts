import { randomUUID } from 'node:crypto';
import type { Config } from './config.ts';
import { databaseFile } from './database.ts';
import { isServed } from './held.ts';
import { IS_CLIENT } from './postgres-clients.ts';
import { Refusal } from './refusal.ts';

/** @throws Refusal while a server, or anything else, uses the database of the settings */
export async function refuseInUse(config: Config): Promise<void> {
  const url = config.DATABASE_URL;
  const isUsed = url === undefined ? isServed(databaseFile(config)) : await isConnected(config, url);
  if (isUsed) throw new Refusal('A server, or another program, is running on this database: stop it first.');
}

/** Whether another client than this one is connected. */
async function isConnected(config: Config, url: string): Promise<boolean> {
  const { connectPostgres, ofServer } = await import('./postgres.ts');
  const own = `parley-${randomUUID().slice(0, 8)}`;
  const named = `${url}${url.includes('?') ? '&' : '?'}application_name=${own}`;
  const settings = { ...config, DATABASE_REPLICA_URL: undefined, DATABASE_LISTEN_URL: undefined };
  const db = await connectPostgres({ ...settings, DATABASE_URL: named }, named, () => undefined).catch(
    (error: unknown) => {
      throw ofServer(error);
    },
  );
  try {
    const others = await db.all(
      `SELECT pid FROM pg_stat_activity WHERE ${IS_CLIENT} AND application_name IS DISTINCT FROM $1 LIMIT 1`,
      [own],
    );
    return others.length > 0;
  } finally {
    await db.close();
  }
}
