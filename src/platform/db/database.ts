/** The two databases speak different dialects of SQL; nothing above this folder needs to know more. */
export type Dialect = 'sqlite' | 'postgres';

/**
 * Something that can be read from: the database itself, or a transaction in progress.
 * `all` runs one statement and gives its rows; a statement that writes gives rows only with RETURNING.
 */
export interface Reader {
  readonly dialect: Dialect;
  all<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
}

declare const transactionBrand: unique symbol;

/**
 * A transaction in progress. The brand keeps a plain {@link Reader} from being passed where a write must be part
 * of a transaction: forgetting the transaction does not compile.
 */
export interface Tx extends Reader {
  readonly [transactionBrand]: true;
  /** Runs `effect` once the transaction is durable; never when it is rolled back. */
  afterCommit(effect: () => void): void;
  /**
   * Writes a row at the end, together with all others that were given to the same `insert`: those of this transaction,
   * and of those that share its commit. The row is invisible until then, and must not fail: an error rolls back the
   * whole group.
   */
  gather<Row>(insert: InsertRows<Row>, row: Row): void;
}

export type InsertRows<Row> = (tx: Tx, rows: readonly Row[]) => Promise<unknown>;

/** What waits for the end of a transaction. */
export class Gathered {
  readonly #rows = new Map<InsertRows<unknown>, unknown[]>();

  add<Row>(insert: InsertRows<Row>, row: Row): void {
    const rows = this.#rows.get(insert as InsertRows<unknown>);
    if (rows) rows.push(row);
    else this.#rows.set(insert as InsertRows<unknown>, [row]);
  }

  /** Takes over what another one has, behind its own. */
  join(other: Gathered): void {
    for (const [insert, rows] of other.#rows) for (const row of rows) this.add(insert, row);
  }

  async write(tx: Tx): Promise<void> {
    for (const [insert, rows] of this.#rows) await insert(tx, rows);
  }
}

/** For the two databases: marks what really is a transaction. */
export function asTransaction(tx: Reader & Pick<Tx, 'afterCommit' | 'gather'>): Tx {
  return tx as Tx;
}

/** How a transaction waits for others, where several can be under way at once. */
export interface WriteOptions {
  /** What many write to at once, such as a team: of those, only some use a connection while they wait for each other. */
  readonly lane?: string | undefined;
  /** Before all writers that wait for a connection. */
  readonly ahead?: boolean;
  /** For work that no request waits for, and of which one statement may take long: no limit for a statement. */
  readonly patient?: boolean;
}

export interface Database extends Reader {
  /**
   * Runs `work` in a transaction and resolves once its writes are durable (on disk, fsync included).
   * When `work` throws, nothing it wrote remains and the error is passed on. `work` may run more than once
   * (PostgreSQL asks for that on deadlocks), so it must do nothing but read and write through `tx`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Calls `heard` when another process, or this one, notifies the channel. Only PostgreSQL carries notifications, and
   * some may be lost with a connection: also look now and then.
   * @returns a function that ends it
   */
  listen(channel: string, heard: () => void): () => void;
  /** Whether the last write failed because there was no room on the disk. */
  readonly isFull: boolean;
  /** Copies a consistent snapshot to `file`, which is new, while serving, and checks it. SQLite only. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}

/** The database cannot take the work now (no free connection, stopping): answered as 5030. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
  /** Whether there is no room left on its disk. */
  readonly isFull: boolean = false;
}

/** There is no room left on the database's disk; what is stored can be read. */
export class DatabaseFull extends DatabaseUnavailable {
  override readonly name = 'DatabaseFull';
  override readonly isFull = true;
}

/** A row that is there already has the same value in columns that must be unique. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  /** As PostgreSQL names a constraint of a table's definition: `users_username_key_key`, `users_pkey`. */
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`another row has this value already: ${constraint}`, { cause });
    this.constraint = constraint;
  }
}

/** PostgreSQL text cannot hold U+0000; SQLite could, so both refuse it alike before the statement runs. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
}
