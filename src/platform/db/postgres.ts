import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import {
  asTransaction,
  type Database,
  DatabaseUnavailable,
  Gathered,
  type Tx,
  type WriteOptions,
} from './database.ts';
import { Gate, Lanes } from './gate.ts';
import { Listener } from './listener.ts';
import {
  answerMs,
  ask,
  Connection,
  connectionOptions,
  control,
  limitSession,
  type PostgresSettings,
} from './postgres-connection.ts';
import { endsSession, isRetryable, translate } from './postgres-errors.ts';

const MAX_TRIES = 5;
/** A transaction whose session ended before its commit is retried only a few times: the server may be down. */
const MAX_LOST = 2;
/** Random pause before a retry, so that the parties of a deadlock do not collide again. */
const MOST_PAUSE_MS = 20;

/** The session ended before COMMIT was sent, so the transaction was rolled back. */
class LostBeforeCommit extends Error {}

/**
 * PostgreSQL with one connection pool. Part of the pool is reserved for readers: a writer may wait for another node's
 * lock, a reader does not wait. Only some of the writers to one busy row may wait at the same time.
 */
export class PostgresDatabase implements Database {
  readonly dialect = 'postgres';
  readonly #settings: PostgresSettings;
  readonly #pool: pg.Pool;
  readonly #writers: Gate;
  readonly #lanes: Lanes;
  readonly #onIdleError: (error: Error) => void;
  #isFull = false;

  constructor(settings: PostgresSettings, onIdleError: (error: Error) => void) {
    this.#settings = settings;
    this.#onIdleError = onIdleError;
    this.#pool = new pg.Pool({
      ...connectionOptions(settings),
      max: settings.connections,
      Client: Connection,
      onConnect: (client) => limitSession(client, settings),
    });
    // A connection that breaks while idle is replaced by the pool.
    this.#pool.on('error', onIdleError);
    const forReaders = Math.max(1, Math.floor(settings.connections / 4));
    const writers = settings.connections - forReaders;
    this.#writers = new Gate(writers, settings.connectMs);
    this.#lanes = new Lanes(Math.max(1, Math.floor(writers / 3)), settings.connectMs);
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** A read that lost its connection is made once more, on another one. */
  async all<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    const waitMs = answerMs(this.#settings);
    try {
      return await ask<Row>(this.#pool, sql, parameters, waitMs);
    } catch (error) {
      if (!endsSession((error as Error).cause) || isTimeout(error)) throw error;
      return ask<Row>(this.#pool, sql, parameters, waitMs);
    }
  }

  async write<T>(work: (tx: Tx) => Promise<T>, options: WriteOptions = {}): Promise<T> {
    const { lane, ahead } = options;
    const leaveLane = lane === undefined ? undefined : await this.#lanes.enter(lane);
    try {
      await this.#writers.enter(ahead);
      try {
        const value = await this.#persist(work, options);
        this.#isFull = false;
        return value;
      } finally {
        this.#writers.leave();
      }
    } finally {
      leaveLane?.();
    }
  }

  listen(channel: string, heard: () => void): () => void {
    const listener = new Listener(this.#settings, channel, heard, this.#onIdleError);
    return () => listener.stop();
  }

  backup(): Promise<void> {
    return Promise.reject(new Error('Use pg_dump to back up PostgreSQL.'));
  }

  close(): Promise<void> {
    this.#lanes.close();
    this.#writers.close();
    return this.#pool.end();
  }

  /** Runs the transaction, and retries it while PostgreSQL asks for that. */
  async #persist<T>(work: (tx: Tx) => Promise<T>, options: WriteOptions): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#transaction(work, options);
      } catch (error) {
        const isLost = error instanceof LostBeforeCommit;
        const mayRepeat = isLost ? tries < MAX_LOST : isRetryable(error) && tries < MAX_TRIES;
        if (!mayRepeat) throw this.#note(isLost ? error.cause : error);
        await pause(Math.random() * MOST_PAUSE_MS * tries);
      }
    }
  }

  #note(error: unknown): unknown {
    if (error instanceof DatabaseUnavailable && error.isFull) this.#isFull = true;
    return error;
  }

  async #transaction<T>(work: (tx: Tx) => Promise<T>, { patient }: WriteOptions): Promise<T> {
    const client = await this.#connect();
    const waitMs = patient ? undefined : answerMs(this.#settings);
    const effects: (() => void)[] = [];
    const gathered = new Gathered();
    // A connection runs one statement at a time, also when the work asks for several at once.
    let last: Promise<unknown> = Promise.resolve();
    const tx = asTransaction({
      dialect: this.dialect,
      all: <Row>(sql: string, parameters: readonly unknown[]) => {
        const rows = last.then(() => ask<Row>(client, sql, parameters, waitMs));
        last = rows.catch(() => undefined);
        return rows;
      },
      afterCommit: (effect) => void effects.push(effect),
      gather: (insert, row) => gathered.add(insert, row),
    });
    let broken: Error | undefined;
    let isCommitting = false;
    try {
      await control(client, 'BEGIN', waitMs);
      if (patient) await control(client, 'SET LOCAL statement_timeout = 0', waitMs);
      const value = await work(tx);
      await gathered.write(tx);
      if (lostOf(client)) throw lostOf(client);
      isCommitting = true;
      // PostgreSQL answers the COMMIT of a transaction in which a statement failed with ROLLBACK.
      const done = await control(client, 'COMMIT', waitMs);
      if (done !== 'COMMIT') throw new Error('a statement of the transaction failed, and its error was lost');
      for (const effect of effects) effect();
      return value;
    } catch (error) {
      broken = await rollBack(client, error, waitMs);
      const isLost = broken !== undefined && !isCommitting && !isTimeout(error);
      throw isLost ? new LostBeforeCommit('lost', { cause: error }) : error;
    } finally {
      client.release(broken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      const known = translate(error as Error);
      throw known instanceof DatabaseUnavailable
        ? known
        : new DatabaseUnavailable(known.message, { cause: error });
    }
  }
}

/** Every client of the pool is a {@link Connection}. */
const lostOf = (client: pg.PoolClient) => (client as unknown as Connection).lost;

/** @returns why the connection is unusable, or undefined if it can be reused */
async function rollBack(
  client: pg.PoolClient,
  error: unknown,
  waitMs: number | undefined,
): Promise<Error | undefined> {
  const lost = lostOf(client);
  if (lost) return lost;
  if (endsSession(error)) return error as Error;
  try {
    await control(client, 'ROLLBACK', waitMs);
    return undefined;
  } catch (failure) {
    return failure as Error;
  }
}

/** The statement timed out: a retry would take as long. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && /^(Query read timeout|timeout e)/.test(error.message);
}
