import { closeSync, fdatasync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseUnavailable } from './database.ts';

const MAYBE = { throwIfNoEntry: false } as const;

export type Sync = (file: number) => Promise<void>;

/**
 * The file that SQLite appends commits to. Its sync takes most of the time of a COMMIT, and SQLite would stop the thread
 * for it. With `synchronous = NORMAL` SQLite leaves it to others (sqlite.org/pragma.html#pragma_synchronous), and so it
 * runs in the thread pool, while this thread reads requests. One sync makes all earlier commits durable.
 */
export class WriteAheadLog {
  readonly #database: string;
  readonly #path: string;
  readonly #sync: Sync;
  /** The identities of the files named as the database and its log. */
  #inodes: string | undefined;
  #file: number | undefined;
  #syncing: Promise<unknown> | undefined;
  #failure: DatabaseUnavailable | undefined;

  /** @param database the file of the database, whose connections stay open: SQLite then keeps the log */
  constructor(database: string, sync: Sync = promisify(fdatasync)) {
    this.#database = database;
    this.#path = `${database}-wal`;
    this.#sync = sync;
  }

  /** Settles when nothing waits to be durable. Undefined when that is so now. */
  get syncing(): Promise<unknown> | undefined {
    return this.#syncing;
  }

  /**
   * @throws DatabaseUnavailable after a failed sync. The next one would succeed without what this one has lost (fsync(2),
   * EIO), and SQLite shows the commit that may be lost.
   */
  check(): void {
    if (this.#failure) throw this.#failure;
  }

  /** Makes all commits so far durable. */
  async sync(): Promise<void> {
    const done = this.#syncFile();
    this.#syncing = Promise.allSettled([done]);
    try {
      await done;
    } catch (cause) {
      throw this.#fail('the disk did not keep what was written: check it, and start the server again', cause);
    } finally {
      this.#syncing = undefined;
    }
    this.#expectSameFiles();
  }

  /** What is written to a file that was removed or replaced is kept by nobody, without an error of any call. */
  #expectSameFiles(): void {
    const inodes = [this.#database, this.#path].map((path) => statSync(path, MAYBE)?.ino).join();
    this.#inodes ??= inodes;
    if (inodes !== this.#inodes)
      throw this.#fail(
        `${this.#database} was removed or replaced while the server ran: put it back, or restore a backup, and start the server again`,
      );
  }

  #fail(message: string, cause?: unknown): DatabaseUnavailable {
    this.#failure = new DatabaseUnavailable(message, { cause });
    return this.#failure;
  }

  /** The first sync also keeps the name of the file, which SQLite has just made (fsync(2)). */
  async #syncFile(): Promise<void> {
    const isNew = this.#file === undefined;
    this.#file ??= openSync(this.#path, 'r+');
    await this.#sync(this.#file);
    if (isNew && process.platform !== 'win32') await this.#syncFolder();
  }

  async #syncFolder(): Promise<void> {
    const folder = openSync(dirname(this.#path), 'r');
    try {
      await this.#sync(folder);
    } finally {
      closeSync(folder);
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
