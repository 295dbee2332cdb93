import type { PoolLoad } from './database.ts';
import { Gate } from './gate.ts';
import {
  answerMs,
  ask,
  beginSession,
  Connection,
  connectionOptions,
  type PostgresSettings,
  sendTogether,
} from './postgres-connection.ts';
import { endsSession, isPlanStale, isStatementGone, isTimeout, unreachable } from './postgres-errors.ts';

/** The most statements under way on one connection: a slow one delays those behind it. */
const DEPTH = 16;

interface Slot {
  connection: Promise<Connection> | undefined;
  underWay: number;
}

/**
 * Reads outside of transactions, on connections of their own: a read does not wait for a writer. Statements are
 * pipelined (PostgreSQL's protocol, §54.2.4): the next is sent before the answer to the one before, and those of one
 * turn of the event loop leave in one system call. Each goes to the connection with the fewest under way.
 */
export class Readers {
  readonly #settings: PostgresSettings;
  readonly #slots: readonly Slot[];
  readonly #gate: Gate;
  #onWaited: ((ms: number) => void) | undefined;
  readonly #onIdleError: (error: Error) => void;
  readonly #begin: (connection: Connection) => Promise<void>;

  /** @param begin prepares a new connection, or refuses it */
  constructor(
    settings: PostgresSettings,
    connections: number,
    onIdleError: (error: Error) => void,
    begin = (connection: Connection) => beginSession(connection, settings),
  ) {
    this.#settings = settings;
    this.#begin = begin;
    this.#onIdleError = onIdleError;
    this.#slots = Array.from({ length: connections }, () => ({ connection: undefined, underWay: 0 }));
    this.#gate = new Gate(connections * DEPTH, settings.connectMs, (ms) => this.#onWaited?.(ms));
  }

  watch(onWaited: (ms: number) => void): void {
    this.#onWaited = onWaited;
  }

  load(): PoolLoad {
    const used = this.#slots.filter((slot) => slot.underWay > 0).length;
    const open = this.#slots.filter((slot) => slot.connection !== undefined || slot.underWay > 0).length;
    return { used, idle: open - used, waiting: this.#gate.waiting };
  }

  /** A read that lost its connection is made once more, on another one. */
  async all<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    await this.#gate.enter();
    try {
      return await this.#ask<Row>(sql, parameters).catch((error: unknown) => {
        if (!mayRepeat(error)) throw error;
        return this.#ask<Row>(sql, parameters);
      });
    } finally {
      this.#gate.leave();
    }
  }

  hurry(waitMs: number): void {
    this.#gate.hurry(waitMs);
  }

  async close(): Promise<void> {
    this.#gate.close();
    await Promise.all(this.#slots.map(async ({ connection }) => (await connection?.catch(none))?.end()));
  }

  async #ask<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    const slot = this.#slots.reduce((least, one) => (one.underWay < least.underWay ? one : least));
    slot.underWay++;
    try {
      const connection = await this.#connected(slot);
      sendTogether(connection, setImmediate);
      return await ask<Row>(connection, sql, parameters, answerMs(this.#settings));
    } finally {
      slot.underWay--;
    }
  }

  #connected(slot: Slot): Promise<Connection> {
    if (slot.connection) return slot.connection;
    const forget = (error?: Error) => {
      if (slot.connection === opened) slot.connection = undefined;
      if (error && slot.underWay === 0) this.#onIdleError(error);
    };
    const opened = open(this.#settings, this.#begin, forget);
    slot.connection = opened;
    opened.catch(() => forget());
    return opened;
  }
}

async function open(
  settings: PostgresSettings,
  begin: (connection: Connection) => Promise<void>,
  onEnd: (error?: Error) => void,
): Promise<Connection> {
  const connection = new Connection({ ...connectionOptions(settings), pipeline: true });
  connection.once('error', onEnd).once('end', () => onEnd());
  try {
    await connection.connect();
    await begin(connection);
    return connection;
  } catch (error) {
    connection.end(none);
    throw unreachable(error);
  }
}

const none = () => undefined;

/** After a lost connection, or a change of the schema; not after a timeout, which a second try would only double. */
function mayRepeat(error: unknown): boolean {
  if (!(error instanceof Error) || isTimeout(error)) return false;
  return (
    isStatementGone(error) || isPlanStale(error) || (error.cause !== undefined && endsSession(error.cause))
  );
}
