import { randomUUID } from 'node:crypto';
import { startRounds } from '../jobs/rounds.ts';
import { type Database, DatabaseUnavailable, type Reader, type ReplicaStatus, type Tx } from './database.ts';
import { loadTogether } from './load-together.ts';
import { findPooler } from './pooler.ts';
import type { PostgresSettings } from './postgres-connection.ts';
import { isCancelled } from './postgres-errors.ts';
import { type Place, Standby } from './standby.ts';

/** How long a list waits for the replica to catch up. One that takes longer is left out. */
export const MOST_LAG_MS = 100;
const TRY_EVERY_MS = 1000;
/** A statement that takes longer on the replica is made on the primary. */
export const MOST_STATEMENT_MS = 3000;
/** Another node may overwrite a mark before it is read. */
const MARKS = 3;

/** A mark in the database. A replica that shows it follows this database, and its present history. */
export interface Proof {
  write(tx: Tx, mark: string): Promise<void>;
  read(reader: Reader): Promise<string | undefined>;
}

/**
 * The end of what is committed: a commit is flushed before others see it, unless the database does not wait for the
 * flush. The timeline tells histories apart: a promoted server begins another one.
 */
const POSITION = `SELECT timeline, (lsn - '0/0')::bigint AS place FROM (
  SELECT left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS timeline,
    CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_flush_lsn() END AS lsn) AS position`;

interface Position {
  readonly place: Place;
  readonly timeline: string;
}

/** A replica that was proved to follow the primary. */
interface Proved {
  readonly standby: Standby;
  readonly timeline: string;
  readonly reader: Reader;
}

/**
 * A streaming replica for lists. It is asked only once it has replayed everything that was committed when the list was
 * asked for, by whatever node: so a list on the replica is as new as one on the primary. That matters not only to those
 * who have just written. A removed member must find nothing, and a list that is older than the event stream that a
 * client has opened before would lack what came in between.
 *
 * A replica that is away, far behind, promoted or of another database is left out: lists are read from the primary, and
 * it is tried again every second. What fails on the replica is read from the primary as well.
 */
export class Replica implements ReplicaStatus {
  readonly lists = { replica: 0, primary: 0 };
  readonly #settings: PostgresSettings;
  readonly #primary: Pick<Database, 'all' | 'write' | 'dialect'>;
  readonly #proof: Proof;
  readonly #onError: (error: Error) => void;
  readonly #rounds: { wake(): void; stop(): Promise<void> };
  /** All who ask in one turn of the event loop share a statement. */
  readonly #position: (key: string) => Promise<Position | undefined>;
  #proved: Proved | undefined;
  #reason: string | undefined = 'it was not tried yet';
  #isDirect = false;

  constructor(
    settings: PostgresSettings,
    primary: Pick<Database, 'all' | 'write' | 'dialect'>,
    proof: Proof,
    onError: (error: Error) => void,
  ) {
    this.#settings = {
      ...settings,
      statementMs: Math.min(settings.statementMs, MOST_STATEMENT_MS),
      connectMs: Math.min(settings.connectMs, MOST_STATEMENT_MS),
    };
    this.#primary = primary;
    this.#proof = proof;
    this.#onError = onError;
    this.#position = loadTogether(
      () => primary.all<Position>(POSITION, []),
      () => '',
    );
    const onFailure = (error: unknown) => this.#note((error as Error).message);
    this.#rounds = startRounds({ work: () => this.#admit(), intervalMs: TRY_EVERY_MS, onError: onFailure });
    this.#rounds.wake();
  }

  get leftOut(): string | undefined {
    return this.#reason;
  }

  /** The replica, if it has everything that is committed by now; else the primary. */
  async reader(): Promise<Reader> {
    const proved = this.#proved;
    if (proved && (await this.#isCurrent(proved))) {
      this.lists.replica++;
      return proved.reader;
    }
    this.lists.primary++;
    return this.#primary;
  }

  async close(): Promise<void> {
    await this.#rounds.stop();
    await this.#proved?.standby.close();
  }

  async #isCurrent(proved: Proved): Promise<boolean> {
    try {
      const position = await this.#position('');
      if (!position) return false;
      if (position.timeline !== proved.timeline) throw new DatabaseUnavailable('the primary has changed');
      if (await proved.standby.reaches(position.place, MOST_LAG_MS)) return true;
      throw new DatabaseUnavailable('it is far behind');
    } catch (error) {
      this.#leaveOut(proved.standby, error);
      return false;
    }
  }

  async #admit(): Promise<void> {
    if (this.#proved) return;
    const standby = new Standby(this.#settings, (error) => this.#leaveOut(standby, error));
    try {
      const timeline = await this.#prove(standby);
      this.#proved = { standby, timeline, reader: this.#readerOf(standby) };
      this.#reason = undefined;
    } catch (error) {
      void standby.close();
      throw error;
    }
  }

  /** @returns the timeline that it follows @throws for a replica that cannot be used now */
  async #prove(standby: Standby): Promise<string> {
    if (!this.#isDirect && (await findPooler(this.#settings)))
      throw new Error('its address leads to a pooler in transaction mode');
    this.#isDirect = true;
    for (let tried = 0; tried < MARKS; tried++) {
      const mark = randomUUID();
      await this.#primary.write((tx) => this.#proof.write(tx, mark));
      const [position] = await this.#primary.all<Position>(POSITION, []);
      if (!position || !(await standby.reaches(position.place, MOST_LAG_MS)))
        throw new Error('it is far behind');
      if ((await this.#proof.read(standby)) === mark) return position.timeline;
    }
    throw new Error('it does not follow the database of DATABASE_URL');
  }

  #readerOf(standby: Standby): Reader {
    return {
      dialect: 'postgres',
      all: async <Row>(sql: string, parameters: readonly unknown[]) => {
        try {
          return await standby.all<Row>(sql, parameters);
        } catch (error) {
          if (error instanceof DatabaseUnavailable && !isCancelled(error)) this.#leaveOut(standby, error);
          return this.#primary.all<Row>(sql, parameters);
        }
      },
    };
  }

  #leaveOut(standby: Standby, error: unknown): void {
    if (this.#proved?.standby !== standby) return;
    this.#proved = undefined;
    void standby.close();
    this.#note((error as Error).message);
  }

  /** Tells each reason once. */
  #note(reason: string): void {
    const isNew = reason !== this.#reason;
    this.#reason = reason;
    if (isNew) this.#onError(new DatabaseUnavailable(`The replica is left out: ${reason}`));
  }
}
