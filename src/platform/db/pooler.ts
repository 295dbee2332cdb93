import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { Connection, connectionOptions, type PostgresSettings } from './postgres-connection.ts';
import { translate } from './postgres-errors.ts';

const MARK = 'parley.session';
/** A pooler that rotates its connections may return the same one twice. */
const LOOKS = 3;

/**
 * Detects a connection pooler in transaction or statement mode in front of PostgreSQL. Such a pooler gives a client's
 * session to another client when a transaction ends, so a client finds another's mark in its session or loses its
 * own. Prepared statements, session limits and LISTEN do not work behind one.
 */
export async function sharesSessions(settings: PostgresSettings): Promise<boolean> {
  const one = new Connection(connectionOptions(settings));
  const other = new Connection(connectionOptions(settings));
  try {
    await one.connect();
    await other.connect();
    for (let look = 0; look < LOOKS; look++) {
      if (await shareOne(one, other)) return true;
    }
    return false;
  } catch (error) {
    throw translate(error as Error);
  } finally {
    one.end(() => undefined);
    other.end(() => undefined);
  }
}

/**
 * `other` pins a session in a transaction. Behind a pooler it is the session of `one`, or `one` moves to another
 * session.
 */
async function shareOne(one: pg.Client, other: pg.Client): Promise<boolean> {
  const mark = randomUUID();
  await one.query(`SELECT set_config('${MARK}', '${mark}', false)`);
  await other.query('BEGIN');
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
