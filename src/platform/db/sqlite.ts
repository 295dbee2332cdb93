import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { QUIET } from '../quiet.ts';
import { DatabaseDamaged } from './damaged.ts';
import {
  asTransaction,
  type Batch,
  type Database,
  DatabaseClosed,
  DatabaseFull,
  type DatabaseLoad,
  DatabaseUnavailable,
  Gathered,
  type Reader,
  type Tx,
  UniqueViolation,
  UnstorableText,
  type Watcher,
} from './database.ts';
import { GROUP_LIMIT, Group, join, type Member, only } from './group.ts';
import { type Sync, WriteAheadLog } from './write-ahead-log.ts';

const BUSY_TIMEOUT_MS = 5000;
/** 16 MiB, four times the default: pages that change all the time are copied less often. */
const CHECKPOINT_PAGES = 4000;
/** Bytes of a log that a reader, or the copy, kept from being brought into the database: it gives back what is above. */
const LOG_KEPT = 16 * 1024 * 1024;
const COPIED_LOG_KEPT = 64 * 1024 * 1024;

/** Result codes (sqlite.org/rescode.html): busy, locked, out of memory, read only, I/O error, cannot open. */
const UNAVAILABLE = new Set([5, 6, 7, 8, 10, 14]);
const FULL = 13;
/** Corrupt, no database. */
const DAMAGED = new Set([11, 26]);

/**
 * SQLite in WAL mode with two connections: readers see committed data only and do not wait for the writer.
 *
 * Writes use **group commit** ({@link Group}): those that arrive while one group is made durable share the next
 * transaction and its single sync, with a savepoint for each batch that writes. A statement completes synchronously, so
 * a transaction lasts a few microtasks and does not span two turns. Its sync does ({@link WriteAheadLog}), and reads
 * wait for it: what they show is durable.
 */
export class SqliteDatabase implements Database {
  readonly dialect = 'sqlite';
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #file: string;
  readonly #log: WriteAheadLog;
  #queue: Member[] = [];
  #flushing: Promise<void> | undefined;
  #snapshot: NodeJS.Immediate | undefined;
  #closed = false;
  #isFull = false;
  #watcher: Watcher | undefined;
  #committing: Promise<void> | undefined;
  #held: Promise<void> | undefined;
  readonly #keepsLog: boolean;

  /**
   * @param file path of the database; made when it does not exist.
   * @param options.keepsLog leaves it to the copy of the database to bring the log into it
   */
  constructor(file: string, { sync, keepsLog = false }: { sync?: Sync; keepsLog?: boolean } = {}) {
    this.#file = file;
    this.#log = new WriteAheadLog(file, sync);
    this.#writer = new Connection(file, false);
    this.#reader = new Connection(file, true);
    this.#keepsLog = keepsLog;
    if (keepsLog) this.keepLog(true);
    else this.#limitLog(LOG_KEPT);
  }

  /** SQLite shortens the log when it begins it again. */
  #limitLog(bytes: number): void {
    this.#writer.handle.exec(`PRAGMA journal_size_limit = ${bytes}`);
  }

  /** Whether a commit leaves a long log as it is. */
  keepLog(isKept: boolean): void {
    this.#writer.handle.exec(`PRAGMA wal_autocheckpoint = ${isKept ? 0 : CHECKPOINT_PAGES}`);
    this.#limitLog(isKept ? COPIED_LOG_KEPT : LOG_KEPT);
  }

  /** Waits for the write under way; those that follow wait until the returned function is called. */
  async hold(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    await this.#committing;
    return () => {
      if (this.#held === promise) this.#held = undefined;
      resolve();
    };
  }

  readonly replica = undefined;

  watch(watcher: Watcher): void {
    this.#watcher = watcher;
  }

  load(): DatabaseLoad {
    return { logBytes: statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0 };
  }

  get waitingWriters(): number {
    return this.#queue.length;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  async all<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    if (this.#log.syncing) await this.#log.syncing;
    this.#log.check();
    this.#beginSnapshot();
    return this.#reader.all(sql, parameters);
  }

  /**
   * Taking SQLite's read lock costs as much as a small read, so the reads of one turn of the event loop share a
   * snapshot. A commit of ours ends it early, so that clients see their own writes.
   */
  #beginSnapshot(): void {
    if (this.#snapshot) return;
    // One that could not be ended.
    if (this.#reader.handle.isTransaction) this.#reader.exec('COMMIT');
    this.#reader.exec('BEGIN');
    this.#snapshot = setImmediate(() => this.#endSnapshot());
  }

  #endSnapshot(): void {
    if (!this.#snapshot) return;
    clearImmediate(this.#snapshot);
    this.#snapshot = undefined;
    // An error of the disk has ended it already.
    if (!this.#reader.handle.isTransaction) return;
    try {
      this.#reader.exec('COMMIT');
    } catch {
      // The database is damaged. The reads of this snapshot said so, and those of the next one will.
    }
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.batch(only(work), undefined);
  }

  batch<Item, T>(batch: Batch<Item, T>, item: Item): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseClosed('the database is closed'));
    return join(batch, item, (member) => {
      this.#queue.push(member);
      this.#flushing ??= this.#flushSoon();
    });
  }

  forLists(): Reader {
    return this;
  }

  listen(): () => void {
    return () => undefined;
  }

  /** Uses VACUUM INTO: SQLite's own backup restarts with each commit and so might not finish on a busy server. */
  backup(file: string): Promise<void> {
    const workerData = { from: this.#file, to: file };
    const thread = new URL(import.meta.resolve('#platform/db/copy.worker.ts'));
    const worker = new Worker(thread, { workerData, execArgv: QUIET });
    return new Promise((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`copying ended with ${code}`)),
      );
    });
  }

  snapshot(): Promise<never> {
    return Promise.reject(new Error('SQLite is copied by backup().'));
  }

  /** Its queue is as short as the event loop's turn. */
  hurry(): void {}

  async close(): Promise<void> {
    this.#closed = true;
    await this.#flushing;
    this.#endSnapshot();
    // The last connection to close brings the log into the database, unless it only reads.
    if (this.#keepsLog) {
      this.#reader.exec('SELECT 1 FROM sqlite_schema');
      this.#writer.close();
      this.#reader.close();
    } else {
      this.#reader.close();
      this.#writer.close();
    }
    this.#log.close();
  }

  async #flushSoon(): Promise<void> {
    while (this.#queue.length > 0) {
      // The rest of this turn's requests join the group.
      await new Promise((resolve) => setImmediate(resolve));
      while (this.#held) await this.#held;
      this.#committing = this.#commitGroup(this.#queue.splice(0, GROUP_LIMIT));
      await this.#committing;
    }
    this.#flushing = undefined;
  }

  async #commitGroup(members: Member[]): Promise<void> {
    const effects: (() => void)[] = [];
    const gathered = new Gathered();
    const writer = this.#writer;
    const tx = asTransaction({
      dialect: this.dialect,
      all: (sql, parameters) => writer.all(sql, parameters),
      afterCommit: (effect) => void effects.push(effect),
      gather: (insert, row) => gathered.add(insert, row),
    });
    const group = new Group(tx, savepointsOf(writer));
    try {
      this.#log.check();
      writer.exec('BEGIN IMMEDIATE');
      await group.run(members);
      await (await gathered.write(tx)).done;
      const begun = performance.now();
      writer.exec('COMMIT');
      const written = performance.now();
      await this.#log.sync();
      this.#watcher?.committed('write', written - begun);
      this.#watcher?.committed('sync', performance.now() - written);
      this.#isFull = false;
      this.#endSnapshot();
    } catch (error) {
      this.#isFull = error instanceof DatabaseFull;
      if (writer.handle.isTransaction) writer.exec('ROLLBACK');
      for (const member of members) member.reject(error);
      return;
    }
    for (const effect of effects) effect();
  }
}

/** Reads a database that nobody writes to, as a copy is. */
export function readFrozen(file: string): Reader & { close(): void } {
  const connection = new Connection(file, true);
  return {
    dialect: 'sqlite',
    all: (sql, parameters) => connection.all(sql, parameters),
    close: () => connection.close(),
  };
}

const savepointsOf = (writer: Connection) => ({
  begin: () => writer.exec('SAVEPOINT one'),
  end: () => writer.exec('RELEASE one'),
  undo: () => {
    // A full disk makes SQLite roll the whole transaction back by itself.
    if (!writer.handle.isTransaction) return false;
    writer.exec('ROLLBACK TO one');
    writer.exec('RELEASE one');
    return true;
  },
});

const UNIQUE = 2067;
const PRIMARY_KEY = 1555;

/** SQLite names the columns, "users.username_key"; PostgreSQL names the constraint after them. */
function uniqueViolation(error: Error & { errcode?: number }): UniqueViolation {
  const columns = (/failed: (.+)$/.exec(error.message)?.[1] ?? '').split(', ').map((one) => one.split('.'));
  const parts = [columns[0]?.[0], ...columns.map(([, column]) => column)];
  const constraint = error.errcode === UNIQUE ? `${parts.join('_')}_key` : `${parts[0]}_pkey`;
  return new UniqueViolation(constraint, error);
}

class Connection {
  readonly handle: DatabaseSync;
  readonly #file: string;
  readonly #prepared = new Map<string, Prepared>();

  constructor(file: string, readOnly: boolean) {
    this.#file = file;
    this.handle = new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS });
    // NORMAL: SQLite syncs at checkpoints, and WriteAheadLog after commits.
    if (!readOnly) this.handle.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    this.handle.exec('PRAGMA foreign_keys = ON; PRAGMA cache_size = -16384;');
    this.handle.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
  }

  exec(sql: string): void {
    try {
      this.#prepare(sql).statement.run();
    } catch (error) {
      throw translate(error as Error, this.#file);
    }
  }

  /** SQLite answers at once: the promise is settled before the caller's next turn. */
  async all<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    const values = parameters.map(bindable) as string[];
    try {
      return this.#prepare(sql).all<Row>(values);
    } catch (error) {
      throw translate(error as Error, this.#file);
    }
  }

  close(): void {
    this.handle.close();
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      prepared = new Prepared(this.handle.prepare(sql));
      // Texts whose shape depends on a request are many: forget the oldest rather than grow.
      if (this.#prepared.size > 500) this.#prepared.delete(this.#prepared.keys().next().value as string);
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

/** A statement whose rows come as lists. Objects made of them here take a third less time than those that Node makes. */
class Prepared {
  readonly statement: StatementSync;
  #names: readonly string[] = [];
  /** Copied for each row, so that all rows share one shape. */
  #empty: Readonly<Record<string, unknown>> = {};

  constructor(statement: StatementSync) {
    this.statement = statement;
    statement.setReturnArrays(true);
  }

  all<Row>(values: readonly string[]): Row[] {
    const rows = this.statement.all(...values) as unknown as unknown[][];
    const columns = rows[0]?.length ?? 0;
    // A migration may have added columns to those that * stands for.
    if (columns > 0 && columns !== this.#names.length) this.#readNames();
    return rows.map((row) => this.#objectOf(row) as Row);
  }

  #readNames(): void {
    this.#names = this.statement.columns().map(({ name }) => name);
    this.#empty = Object.fromEntries(this.#names.map((name) => [name, null]));
  }

  #objectOf(values: readonly unknown[]) {
    const names = this.#names;
    const row: Record<string, unknown> = { ...this.#empty };
    for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index];
    return row;
  }
}

/** A list becomes JSON, as `inIdList` reads it. */
function bindable(value: unknown): unknown {
  if (typeof value === 'string' && value.includes('\0')) throw new UnstorableText('U+0000 in text');
  return Array.isArray(value) ? JSON.stringify(value.map(bindable)) : value;
}

function translate(error: Error & { errcode?: number }, file: string): Error {
  if (error.errcode === UNIQUE || error.errcode === PRIMARY_KEY) return uniqueViolation(error);
  const code = (error.errcode ?? 0) & 0xff;
  if (code === FULL) return new DatabaseFull(error.message, { cause: error });
  if (DAMAGED.has(code)) return new DatabaseDamaged(file, error);
  return UNAVAILABLE.has(code) ? new DatabaseUnavailable(error.message, { cause: error }) : error;
}
