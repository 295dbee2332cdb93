import { pause } from '../pause.ts';
import { DatabaseUnavailable, type Reader } from './database.ts';
import {
  answerMs,
  ask,
  type Connection,
  type PostgresSettings,
  setUpSession,
} from './postgres-connection.ts';
import { Readers } from './readers.ts';

const LOOK_EVERY_MS = 2;

/** A place in PostgreSQL's log (an LSN), as a number. */
export type Place = number;

const REPLAYED = `SELECT pg_is_in_recovery() AS follows, (pg_last_wal_replay_lsn() - '0/0')::bigint AS place`;
const SERVER = 'SELECT CAST(pg_postmaster_start_time() AS text) AS server';

/** The connections to a replica. All must lead to one server, since a place that one replica has reached says nothing of another. */
export class Standby implements Reader {
  readonly dialect = 'postgres';
  readonly #settings: PostgresSettings;
  readonly #readers: Readers;
  #server: string | undefined;
  #replayed: Place = -1;
  #looking: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(settings: PostgresSettings, onIdleError: (error: Error) => void) {
    this.#settings = settings;
    this.#readers = new Readers(settings, settings.connections, onIdleError, (connection) =>
      this.#begin(connection),
    );
  }

  all<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.#readers.all<Row>(sql, parameters);
  }

  /** Waits until the log is replayed up to a place. @returns whether it is, in time @throws DatabaseUnavailable */
  async reaches(place: Place, withinMs: number): Promise<boolean> {
    const end = performance.now() + withinMs;
    const { signal } = this.#closing;
    while (this.#replayed < place) {
      const left = end - performance.now();
      if (left <= 0) return false;
      await Promise.race([this.#look(), pause(left, signal)]);
      if (this.#replayed < place) await pause(LOOK_EVERY_MS, signal);
    }
    return true;
  }

  close(): Promise<void> {
    this.#closing.abort();
    return this.#readers.close();
  }

  /** All who wait share a look. */
  #look(): Promise<void> {
    if (this.#looking) return this.#looking;
    const look = async () => {
      const [row] = await this.all<{ follows: boolean; place: Place }>(REPLAYED, []);
      if (!row?.follows) throw new DatabaseUnavailable('it is not a replica, or was promoted');
      this.#replayed = row.place;
    };
    this.#looking = look().finally(() => {
      this.#looking = undefined;
    });
    this.#looking.catch(() => undefined);
    return this.#looking;
  }

  async #begin(connection: Connection): Promise<void> {
    await setUpSession(connection, this.#settings);
    const [row] = await ask<{ server: string }>(connection, SERVER, [], answerMs(this.#settings));
    this.#server ??= row?.server;
    if (row?.server !== this.#server) throw new DatabaseUnavailable('its address leads to several servers');
  }
}
