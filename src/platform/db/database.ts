/** The SQL dialect. Code above this folder rarely needs to know more about the database. */
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
 * A transaction in progress. The brand keeps a plain {@link Reader} from being passed where a write must be part of a
 * transaction: forgetting the transaction does not compile.
 */
export interface Tx extends Reader {
  readonly [transactionBrand]: true;
  /** Runs `effect` once the transaction is durable. Skipped on rollback. */
  afterCommit(effect: () => void): void;
  /**
   * Queues a row for insertion at the end of the transaction, batched with the rows of all transactions in the same
   * commit. The row is invisible until then and must not fail: an error rolls back the whole group.
   */
  gather<Row>(insert: InsertRows<Row>, row: Row): void;
}

/** Writes gathered rows. */
export interface InsertRows<Row> {
  (tx: Tx, rows: readonly Row[]): Promise<unknown>;
  /**
   * The table whose rows it locks, and what it does to them where several do. Every transaction writes in the order of
   * these names: two that locked the same rows in opposing orders would deadlock.
   */
  readonly place: string;
  readonly made: Made;
}

/**
 * `at once`: all statements of an insertion are made before its call returns. `last`: so are they, behind all others and in
 * the packet of the COMMIT, since they take a lock that others need soon. `in turn`: one may wait for the other.
 */
type Made = 'in turn' | 'at once' | 'last';

/** @returns `insert`, for {@link Tx.gather} */
export const gathering = <Insert extends (tx: Tx, rows: never) => Promise<unknown>>(
  place: string,
  insert: Insert,
  made: Made = 'in turn',
): Insert & Pick<InsertRows<never>, 'place' | 'made'> => Object.assign(insert, { place, made });

/** @returns an insertion for {@link Tx.gather} that first puts the gathered rows in order, or several of them into one */
export const preparing = <Row, Inserted>(
  insert: ((tx: Tx, rows: readonly Inserted[]) => Promise<unknown>) &
    Pick<InsertRows<never>, 'place' | 'made'>,
  prepare: (rows: readonly Row[]) => readonly Inserted[],
) => gathering(insert.place, (tx: Tx, rows: readonly Row[]) => insert(tx, prepare(rows)), insert.made);

/**
 * Waits for statements that were made at once, and so share a round trip on PostgreSQL. None of them goes on after this
 * has thrown.
 */
export async function together<T extends readonly unknown[]>(
  works: readonly [...{ [Index in keyof T]: Promise<T[Index]> }],
): Promise<T> {
  const settled = await Promise.allSettled(works);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

/** Rows queued for the end of a transaction. */
export class Gathered {
  readonly #rows = new Map<InsertRows<unknown>, unknown[]>();

  add<Row>(insert: InsertRows<Row>, row: Row): void {
    const rows = this.#rows.get(insert as InsertRows<unknown>);
    if (rows) rows.push(row);
    else this.#rows.set(insert as InsertRows<unknown>, [row]);
  }

  /** Passes the rows on to the transaction that a group shares. */
  moveTo(tx: Tx): void {
    for (const [insert, rows] of this.#rows) for (const row of rows) tx.gather(insert, row);
  }

  /** Resolves when all statements are made: the next one made comes after them. @returns their end */
  async write(tx: Tx): Promise<{ done: Promise<unknown> }> {
    const inOrder = [...this.#rows].sort(([one], [other]) => (one.place < other.place ? -1 : 1));
    const isLast = ([{ made }]: [InsertRows<unknown>, unknown[]]) => made === 'last';
    const rows = begin(
      tx,
      inOrder.filter((one) => !isLast(one)),
    );
    if (!rows.areMade) await rows.done;
    const last = begin(tx, inOrder.filter(isLast));
    const done = together([rows.done, last.done]);
    if (!last.areMade) await done;
    return { done };
  }
}

function begin(tx: Tx, gathered: readonly [InsertRows<unknown>, unknown[]][]) {
  let areMade = true;
  const writing = gathered.map(([insert, rows]) => {
    // One that fails before its statement has made none.
    let isAsked = false;
    const all: Reader['all'] = (sql, parameters) => {
      isAsked = true;
      return tx.all(sql, parameters);
    };
    const done = insert({ ...tx, all }, rows);
    areMade &&= insert.made !== 'in turn' && isAsked;
    return done;
  });
  return { done: together(writing), areMade };
}

/** Brands a transaction. Only the two database implementations call it. */
export function asTransaction(tx: Reader & Pick<Tx, 'afterCommit' | 'gather'>): Tx {
  return tx as Tx;
}

/** How a transaction queues for a connection, where several run concurrently. */
export interface WriteOptions {
  /**
   * Names a contended resource, such as a team. Only some of its writers occupy a connection while they wait for each
   * other.
   */
  readonly lane?: string | undefined;
  /**
   * Lets the write share a transaction with other such writes of its lane. PostgreSQL only: on SQLite all writes share.
   * For work whose locks are those of its lane, or are taken in one order by everybody: a group holds those of all its
   * members.
   */
  readonly shared?: boolean;
  /** Enters before all other waiting writers. */
  readonly ahead?: boolean;
  /** For background work with slow statements: lifts the statement timeout. */
  readonly patient?: boolean;
}

/** The outcome of one item of a batch: its answer, or the error that refuses it. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Carries out several items together. It gives one outcome for each, in their order; an item that it refuses leaves
 * nothing behind. When it throws, its writes are undone, and the items run again one by one.
 */
export type Batch<Item, T> = (tx: Tx, items: readonly Item[]) => Promise<readonly Outcome<T>[]>;

/** Keeps a refusal as an outcome. */
export async function settle<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

/**
 * Carries out work for each item at once. @param refuse is told of each item whose work throws
 * @returns the results of the others, in their order
 */
export async function settleEach<Item, T>(
  items: readonly Item[],
  work: (item: Item) => Promise<T>,
  refuse: (item: Item, error: unknown) => void,
): Promise<T[]> {
  const results: T[] = [];
  for (const [index, outcome] of (await together(items.map((item) => settle(work(item))))).entries()) {
    if ('error' in outcome) refuse(items[index] as Item, outcome.error);
    else results.push(outcome.value);
  }
  return results;
}

/** A replica from which lists are read. */
export interface ReplicaStatus {
  /** Why it is not used at present; undefined while it is. */
  readonly leftOut: string | undefined;
  /** How many lists were read from it, and from the primary. */
  readonly lists: { readonly replica: number; readonly primary: number };
}

/** `write` is SQLite's COMMIT, `sync` what makes it durable, `commit` both on PostgreSQL. */
export type CommitStep = 'write' | 'sync' | 'commit';

/** Hears how long the work of a database takes, in milliseconds. */
export interface Watcher {
  committed(step: CommitStep, ms: number): void;
  /** Somebody waited for a connection; who finds one free at once does not. */
  waited(ms: number): void;
}

export interface PoolLoad {
  readonly used: number;
  readonly idle: number;
  /** Callers who wait for one. */
  readonly waiting: number;
}

/** The state of a database at this moment. */
export interface DatabaseLoad {
  /** PostgreSQL's connections of this process. */
  readonly pools?: { readonly readers: PoolLoad; readonly writers: PoolLoad };
  /** SQLite's write-ahead log. */
  readonly logBytes?: number;
}

export interface Database extends Reader {
  /**
   * For lists and search: a replica that has everything committed by now, else the database itself. Asked for once the
   * request is there, and for each request.
   */
  forLists(): Reader | Promise<Reader>;
  /** Undefined without one. */
  readonly replica: ReplicaStatus | undefined;
  /**
   * Runs `work` in a transaction and resolves once its writes are durable (on disk, fsync included). When `work`
   * throws, the transaction rolls back and the error is rethrown. `work` may run more than once (PostgreSQL asks for
   * that on deadlocks), so it must only read and write through `tx`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** The same for one item of a batch, which is carried out together with those that share its transaction. */
  batch<Item, T>(batch: Batch<Item, T>, item: Item, options?: WriteOptions): Promise<T>;
  /**
   * Calls `heard` when any process notifies the channel, with what it says, which may be empty, and whether it was this
   * process, as far as is known. Only PostgreSQL carries notifications, and some are lost with a connection, so callers
   * must poll too.
   * @returns a function that stops listening
   */
  listen(channel: string, heard: (said: string, isOwn: boolean) => void): () => void;
  /** From now on `watcher` hears of commits and waits, in place of the one before. */
  watch(watcher: Watcher): void;
  load(): DatabaseLoad;
  /** How many writes wait for their turn, or for a connection. */
  readonly waitingWriters: number;
  /** Whether the last write failed because the disk is full. */
  readonly isFull: boolean;
  /** Copies a consistent snapshot to `file`, which is new, while serving, and checks it. SQLite only. */
  backup(file: string): Promise<void>;
  /**
   * Reads one state of all tables, on a connection of its own and for as long as it takes, while others write. PostgreSQL
   * only. @param signal ends it early: what is asked for then fails
   */
  snapshot<T>(work: (from: Reader) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** From now on nobody waits long for a connection: the server stops. */
  hurry(): void;
  close(): Promise<void>;
}

/** The database cannot take the work at present (no free connection, stopping): answered as 5030. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
  /** Whether the disk is full. */
  readonly isFull: boolean = false;
}

/** The database's disk is full. Reads still work. */
export class DatabaseFull extends DatabaseUnavailable {
  override readonly name = 'DatabaseFull';
  override readonly isFull = true;
}

/** This process closes its database. */
export class DatabaseClosed extends DatabaseUnavailable {
  override readonly name = 'DatabaseClosed';
}

/** Another row has the same value in a unique column. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
  /** The name that PostgreSQL gives the constraint: `users_username_key_key`, `users_pkey`. */
  readonly constraint: string;

  constructor(constraint: string, cause: unknown) {
    super(`another row has this value already: ${constraint}`, { cause });
    this.constraint = constraint;
  }
}

/** PostgreSQL text cannot contain U+0000. SQLite's can, so both refuse it before the statement runs. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
}
