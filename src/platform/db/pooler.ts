import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import {
  Connection,
  connectionOptions,
  listening,
  type Pooler,
  type PostgresSettings,
} from './postgres-connection.ts';
import { translate } from './postgres-errors.ts';

const MARK = 'parley.session';
const PROBE = 'parley_probe';
/** A pooler that rotates its sessions may give a client the same one again. */
const LOOKS = 4;

/** The pooler lends a session for one statement: there are no transactions. */
export class NoTransactions extends Error {}

/**
 * Detects a connection pooler in transaction mode in front of PostgreSQL. Such a pooler gives a client's session to
 * another client when a transaction ends, so a client finds another's mark in its session or loses its own.
 * @returns undefined where each connection has a session of its own
 * @throws NoTransactions
 */
export function findPooler(settings: PostgresSettings): Promise<Pooler | undefined> {
  return withTwo(settings, settings, async (one, other) => {
    for (let look = 0; look < LOOKS; look++) {
      if (await shareOne(one, other, look)) return { keepsStatements: await isRenamed(one) };
    }
    return undefined;
  });
}

/** Whether a notification from a session of `url` arrives at a connection to `listenUrl`. */
export function hears(settings: PostgresSettings): Promise<boolean> {
  return withTwo(listening(settings), settings, async (one, other) => {
    const channel = `${PROBE}_${randomUUID().replaceAll('-', '')}`;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    one.on('notification', () => resolve(true));
    await one.query(`LISTEN ${channel}`);
    await other.query(`NOTIFY ${channel}`);
    const timer = setTimeout(() => resolve(false), settings.connectMs);
    return promise.finally(() => clearTimeout(timer));
  });
}

async function withTwo<T>(
  oneSettings: PostgresSettings,
  otherSettings: PostgresSettings,
  work: (one: Connection, other: Connection) => Promise<T>,
): Promise<T> {
  const one = new Connection({ ...connectionOptions(oneSettings), query_timeout: oneSettings.connectMs });
  const other = new Connection({ ...connectionOptions(otherSettings), query_timeout: oneSettings.connectMs });
  try {
    await one.connect();
    await other.connect();
    return await work(one, other);
  } catch (error) {
    throw error instanceof NoTransactions ? error : translate(error as Error);
  } finally {
    one.end(() => undefined);
    other.end(() => undefined);
  }
}

/**
 * `other` pins a session in a transaction. Behind a pooler it is the session of `one`, or `one` moves to another
 * session. @param turns by how many sessions a pooler that rotates them is turned in between
 */
async function shareOne(one: pg.Client, other: pg.Client, turns: number): Promise<boolean> {
  const mark = randomUUID();
  await one.query(`SELECT set_config('${MARK}', '${mark}', false)`);
  for (let turn = 0; turn < turns; turn++) await other.query('SELECT 1');
  await other.query('BEGIN').catch((error: Error) => {
    throw /statement pooling/.test(error.message) ? new NoTransactions(error.message) : error;
  });
  try {
    const [theirs, own] = [await markOf(other), await markOf(one)];
    return theirs === mark || own !== mark;
  } finally {
    await other.query('COMMIT');
  }
}

async function markOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>(
    `SELECT current_setting('${MARK}', true) AS mark`,
  );
  return rows[0]?.mark ?? null;
}

/**
 * A pooler that knows the prepared statements of its clients gives them names of its own in a session, because two
 * clients may use one name.
 */
async function isRenamed(client: pg.Client): Promise<boolean> {
  const name = `${PROBE}_${randomUUID()}`;
  const text = 'SELECT name FROM pg_prepared_statements';
  await client.query('BEGIN');
  try {
    const { rows } = await client.query<{ name: string }>({ name, text });
    const isOwn = rows.some((row) => row.name === name);
    if (isOwn) await client.query(`DEALLOCATE "${name}"`);
    return !isOwn;
  } finally {
    await client.query('COMMIT');
  }
}
