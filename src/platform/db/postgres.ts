import pg from 'pg';
import {
  asTransaction,
  type Database,
  DatabaseUnavailable,
  Gathered,
  type Tx,
  UniqueViolation,
  UnstorableText,
} from './database.ts';

const RETRYABLE = new Set(['40001', '40P01']); // serialization failure, deadlock
const UNREACHABLE = new Set(['57P01', '57P02', '57P03', '53300', '08000', '08003', '08006', '08001']);
const UNSTORABLE = new Set(['22021', '22P05']);
const UNIQUE = '23505';
const MAX_TRIES = 5;
const WAIT_FOR_CONNECTION_MS = 10_000;
const RECONNECT_MS = 1000;

/** Numbers, not strings, for bigint: our times and counters stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8
      ? (Number as (text: string) => number)
      : pg.types.getTypeParser(oid, format as 'text'),
};

export class PostgresDatabase implements Database {
  readonly dialect = 'postgres';
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #onIdleError: (error: Error) => void;

  /** @param url `postgres://…` @param connections the most this process opens at once. */
  constructor(url: string, connections: number, onIdleError: (error: Error) => void) {
    this.#url = url;
    this.#onIdleError = onIdleError;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: WAIT_FOR_CONNECTION_MS,
      types,
      application_name: 'parley',
    });
    // A connection that breaks while idle is replaced by the pool; unheard, the event would end the process.
    this.#pool.on('error', onIdleError);
  }

  all<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return run<Row>(this.#pool, sql, parameters);
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#transaction(work);
      } catch (error) {
        if (tries === MAX_TRIES || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
      }
    }
  }

  listen(channel: string, heard: () => void): () => Promise<void> {
    const listener = new Listener(this.#url, channel, heard, this.#onIdleError);
    return () => listener.stop();
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('Use pg_dump to back up PostgreSQL.'));
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch((error: Error) => {
      throw new DatabaseUnavailable(error.message, { cause: error });
    });
    const effects: (() => void)[] = [];
    const gathered = new Gathered();
    // A connection runs one statement at a time, also when the work asks for several at once.
    let last: Promise<unknown> = Promise.resolve();
    const tx = asTransaction({
      dialect: this.dialect,
      all: <Row>(sql: string, parameters: readonly unknown[]) => {
        const rows = last.then(() => run<Row>(client, sql, parameters));
        last = rows.catch(() => undefined);
        return rows;
      },
      afterCommit: (effect) => void effects.push(effect),
      gather: (insert, row) => gathered.add(insert, row),
    });
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const value = await work(tx);
      await gathered.write(tx);
      await client.query('COMMIT');
      for (const effect of effects) effect();
      return value;
    } catch (error) {
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

/** A connection of its own, made anew whenever it breaks. */
class Listener {
  readonly #url: string;
  readonly #channel: string;
  readonly #heard: () => void;
  readonly #onError: (error: Error) => void;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(url: string, channel: string, heard: () => void, onError: (error: Error) => void) {
    this.#url = url;
    this.#channel = channel;
    this.#heard = heard;
    this.#onError = onError;
    void this.#connect();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'parley',
      keepAlive: true,
    });
    this.#client = client;
    client.on('notification', this.#heard);
    client.on('error', this.#onError);
    client.on('end', () => this.#connectLater());
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#channel}`);
      // What was said while nobody listened.
      this.#heard();
    } catch (error) {
      if (!this.#stopped) this.#onError(error as Error);
      await client.end();
    }
  }

  #connectLater(): void {
    if (this.#stopped) return;
    this.#retry = setTimeout(() => void this.#connect(), RECONNECT_MS);
    this.#retry.unref();
  }
}

const names = new Map<string, string>();

/** A named statement is parsed and planned once for each connection. */
function nameOf(sql: string): string | undefined {
  let name = names.get(sql);
  if (!name && names.size < 1000) {
    name = `s${names.size}`;
    names.set(sql, name);
  }
  return name;
}

async function run<Row>(
  on: pg.Pool | pg.PoolClient,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  try {
    const name = nameOf(sql);
    const result = await on.query({ ...(name && { name }), text: sql, values: [...parameters] });
    return result.rows as Row[];
  } catch (error) {
    throw translate(error as Error & { code?: string });
  }
}

function translate(error: Error & { code?: string; constraint?: string }): Error {
  if (error.code === UNIQUE) return new UniqueViolation(error.constraint ?? '', error);
  if (UNSTORABLE.has(error.code ?? '')) return new UnstorableText(error.message, { cause: error });
  const lost =
    UNREACHABLE.has(error.code ?? '') ||
    /ECONNREFUSED|ECONNRESET|timeout exceeded|terminated/.test(error.message);
  return lost ? new DatabaseUnavailable(error.message, { cause: error }) : error;
}
