import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { Connection, connectionOptions, type PostgresSettings } from './postgres-connection.ts';
import { translate } from './postgres-errors.ts';

const MARK = 'parley.session';
/** A pooler that hands its connections out in turn may give the same one twice. */
const LOOKS = 3;

/**
 * Whether a connection pooler in transaction or statement mode stands before PostgreSQL. It hands the session of one
 * client to another as soon as a transaction ends: then a client finds the mark of another in its own session, or its
 * own mark gone. Prepared statements, limits of a session and LISTEN cannot work so.
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

/** `other` holds a session in a transaction: with a pooler it is that of `one`, or `one` goes on in another one. */
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
