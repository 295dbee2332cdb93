import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import {
  type Change,
  type Database,
  type Dialect,
  type LockingSelection,
  locked,
  queriesFor,
  type ReturningChange,
  rawSelect,
  type Selection,
  type Tx,
  together,
} from '../db/index.ts';
import type { Clock } from '../ids.ts';
import { LEASE_MS } from './lease.ts';

/**
 * A queue is a table with a row for each piece of work. A row waits while it has a due time. A worker claims it for the
 * length of a lease, works outside of any transaction, renews the lease meanwhile, and settles the row where it still has
 * the lease. After a crash the lease runs out and another worker claims the row.
 */
export interface LeasedQueue<Tables, Table extends keyof Tables, Key, Lease> {
  /** Claims the rows that are due, the first due first. Opens no transaction when there are none. */
  readonly claimDue: ClaimDue<Tables[Table]>;
  /** Claims from a part of the queue, which may depend on parameters. */
  claimDueOf<Params extends object = object>(
    narrow: (due: Due<Tables, Table>, p: Params & Claim, dialect: Dialect) => Due<Tables, Table>,
  ): ClaimDue<Tables[Table], Params>;
  /** Claims rows of a part of the queue that depends on parameters. Skips rows that others have locked. */
  claim<Params extends object>(
    narrow: (due: Due<Tables, Table>, p: Params & Claim) => Due<Tables, Table>,
  ): ReturningChange<Params & Claim & Limit, Tables[Table]>;
  /** Claims one row. Gives none where it is not due any more, or another worker has it. */
  readonly claimOne: ReturningChange<{ id: string } & Claim, Tables[Table]>;
  readonly renew: Renewal;
  readonly state: QueueState;
  /**
   * Writes what came of the work and ends the lease. Changes nothing where the lease is another one by now, or where a
   * column of `unchanged` is.
   */
  settle<Column extends keyof Tables[Table], Same extends keyof Tables[Table] = never>(
    columns: readonly Column[],
    unchanged?: readonly Same[],
  ): Change<Pick<Tables[Table], Column | Same | (Key & keyof Tables[Table]) | (Lease & keyof Tables[Table])>>;
}

/** A queue whose work is done in the transaction that reads it: the row's lock is the lease, and ends with a crash. */
export interface LockedQueue<Row> {
  readonly anyDue: Selection<{ now: number }, object>;
  /** Gives the rows that are due and that no other worker has locked, the first due first. */
  readonly lockDue: LockingSelection<{ now: number } & Limit, Row>;
  readonly state: QueueState;
}

/** A queue in which the sources of its work take turns, within each of its tracks. */
export interface FairQueue<Row> {
  /** One track, for one worker in this process. A queue without lanes has one, and needs no number. */
  track(number?: number): FairTrack<Row>;
}

export interface FairTrack<Row> extends Pick<LockedQueue<Row>, 'anyDue' | 'state'> {
  /**
   * Gives rows of the sources whose turn it is, one of each before the second of any, however much others have waiting.
   * Rows that other workers have locked are skipped.
   */
  readonly lockDue: { all(tx: Tx, p: { now: number } & Limit): Promise<Row[]> };
  /** Ends the turn of the row's source, if it was the first of its rows. */
  onCarriedOut(row: Row): void;
}

/** A queue is counted up to this. */
export const MOST_COUNTED = 10_000;

/**
 * How many rows wait, now or for a later attempt, and when the first of them is due; how often it failed, and until when a
 * worker has it, where the queue knows.
 */
export type QueueState = Selection<
  object,
  { waiting: number; since: number | null; failures?: number | null; held_until?: number | null }
>;

type ClaimDue<Row, Params = object> = (
  db: Database,
  clock: Clock,
  limit: number,
  ...params: object extends Params ? [] : [Params]
) => Promise<Row[]>;
export type Renewal = ReturningChange<
  { id: string; held: number; until: number; now: number },
  { until: number }
>;
type Due<Tables, Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, object>;

interface Claim {
  readonly now: number;
  readonly leaseUntil: number;
}
interface Limit {
  readonly limit: number;
}

interface QueueColumns<Column> {
  readonly key: Column;
  /** Null in a row that waits for nothing. */
  readonly due: Column;
  /** Counts the attempts that failed. */
  readonly failures?: Column;
}
interface FairColumns<Column> extends QueueColumns<Column> {
  readonly lane?: Column;
  /** Who caused the work. */
  readonly source: Column;
  /** Sorts before every source, where the source is no text. */
  readonly lowest?: string;
  /**
   * How many of the rows that are due longest are looked at for the next source; more than one source can have. For a table
   * in which little is due: no index finds the sources of that alone.
   */
  readonly oldest?: number;
}
interface LeaseColumns<Column> extends QueueColumns<Column> {
  readonly lease: Column;
  /** Counts the claims. */
  readonly attempts?: Column;
}

/** Within this file, tables and columns are names; {@link queuesFor} checks those names against the schema. */
type Named = Record<string, Record<string, unknown>>;
const { statement } = queriesFor<Named>();

/** Makes the statements of queues, for the tables of one schema. */
export function queuesFor<Tables>() {
  type Column<Table extends keyof Tables> = keyof Tables[Table] & string;

  function leasedQueue<
    Table extends keyof Tables & string,
    Key extends Column<Table>,
    Lease extends Column<Table>,
  >(
    table: Table,
    columns: LeaseColumns<Column<Table>> & { readonly key: Key; readonly lease: Lease },
  ): LeasedQueue<Tables, Table, Key, Lease> {
    return leasedStatements(table, columns) as unknown as LeasedQueue<Tables, Table, Key, Lease>;
  }

  function lockedQueue<Table extends keyof Tables & string>(
    table: Table,
    columns: QueueColumns<Column<Table>>,
  ): LockedQueue<Tables[Table]> {
    return lockedStatements(table, columns) as unknown as LockedQueue<Tables[Table]>;
  }

  function fairQueue<Table extends keyof Tables & string>(
    table: Table,
    columns: FairColumns<Column<Table>>,
  ): FairQueue<Tables[Table]> {
    return fairStatements(table, columns) as unknown as FairQueue<Tables[Table]>;
  }

  /** Renews a row's lease, where it still ends at `held` and that lies ahead. */
  function renewal<Table extends keyof Tables & string>(
    table: Table,
    columns: { readonly key: Column<Table>; readonly lease: Column<Table> },
  ): Renewal {
    return renewalStatement(table, columns.key, columns.lease) as unknown as Renewal;
  }

  return { leasedQueue, lockedQueue, fairQueue, renewal };
}

type Narrow<Params = object> = (
  due: Due<Named, string>,
  p: Params & Claim,
  dialect: Dialect,
) => Due<Named, string>;

const dueRows = (q: Kysely<Named>, table: string, due: string, p: { now: number }) =>
  q.selectFrom(table).where(due, 'is not', null).where(due, '<=', p.now);

function leasedStatements(table: string, { key, due, lease, attempts, failures }: LeaseColumns<string>) {
  const free = (q: Kysely<Named>, p: { now: number }) =>
    dueRows(q, table, due, p).select(key).where(lease, '<=', p.now);

  const claim = <Params extends object>(narrow: Narrow<Params>) =>
    statement<Params & Claim & Limit>()((q, p, dialect) => {
      const found = narrow(free(q, p).orderBy(due), p, dialect).limit(p.limit);
      return q
        .updateTable(table)
        .set((eb) => ({ [lease]: p.leaseUntil, ...(attempts && { [attempts]: eb(attempts, '+', 1) }) }))
        .where(key, 'in', locked(dialect, found, 'skip locked'))
        .returningAll();
    });

  function claimDueOf(narrow: Narrow) {
    const any = statement<Claim>()((q, p, dialect) => narrow(free(q, p), p, dialect).limit(1));
    const some = claim(narrow);
    return async (db: Database, clock: Clock, limit: number, params?: object) => {
      const now = clock();
      if (!(await any.first(db, { ...params, now, leaseUntil: now }))) return [];
      return db.write((tx) => {
        const begun = clock();
        return some.all(tx, { ...params, now: begun, leaseUntil: begun + LEASE_MS, limit });
      });
    };
  }

  return {
    claimDue: claimDueOf((rows) => rows),
    claimDueOf,
    claim,
    claimOne: statement<{ id: string } & Claim>()((q, p) =>
      q
        .updateTable(table)
        .set({ [lease]: p.leaseUntil })
        .where(key, '=', p.id)
        .where(due, '<=', p.now)
        .where(lease, '<=', p.now)
        .returningAll(),
    ),
    renew: renewalStatement(table, key, lease),
    state: stateStatement(table, { due, failures, lease }),
    settle: (columns: readonly string[], unchanged: readonly string[] = []) =>
      statement<Record<string, unknown>>()((q, p) => {
        const values = Object.fromEntries(columns.map((column) => [column, p[column]]));
        const settled = q.updateTable(table).set({ ...values, [lease]: 0 });
        return [key, lease, ...unchanged].reduce((found, same) => found.where(same, '=', p[same]), settled);
      }),
  };
}

function lockedStatements(table: string, { key, due, failures }: QueueColumns<string>) {
  return {
    anyDue: statement<{ now: number }>()((q, p) => dueRows(q, table, due, p).select(key).limit(1)),
    lockDue: statement<{ now: number } & Limit>()((q, p, dialect) =>
      locked(dialect, dueRows(q, table, due, p).selectAll().orderBy(due).limit(p.limit), 'skip locked'),
    ),
    state: stateStatement(table, { due, failures }),
  };
}

/** Sorts before every source. */
const NO_SOURCE = '';

/** An index of lane, source and due time finds the next source, and its first rows, without a look at all that waits. */
function fairStatements(
  table: string,
  { key, due, failures, lane: laneColumn, source, lowest = NO_SOURCE, oldest }: FairColumns<string>,
) {
  return { track };

  function track(number = 0) {
    const inTrack = (rows: Due<Named, string>) =>
      laneColumn === undefined ? rows : rows.where(laneColumn, '=', sql.lit(number));
    const dueOfTrack = (q: Kysely<Named>, p: { now: number }) => inTrack(dueRows(q, table, due, p));
    const sourcesOf = (q: Kysely<Named>, p: { now: number }) =>
      oldest === undefined
        ? dueOfTrack(q, p).select(source)
        : q.selectFrom(dueOfTrack(q, p).select(source).orderBy(due).limit(oldest).as('some')).select(source);
    const nextSource = (q: Kysely<Named>, after: unknown, p: { now: number }) =>
      sourcesOf(q, p).where(source, '>', after).orderBy(source).limit(1);
    const listSources = statement<{ after: unknown; now: number } & Limit>()((q, p) =>
      rawSelect(
        q,
        sql<{ source: string }>`WITH RECURSIVE turns (source, place) AS (
          SELECT ${nextSource(q, p.after, p)}, 1
          UNION ALL SELECT ${nextSource(q, sql.ref('turns.source'), p)}, place + 1 FROM turns
            WHERE source IS NOT NULL AND place < ${p.limit})
        SELECT source FROM turns WHERE source IS NOT NULL`,
      ),
    );
    const lockOf = statement<{ source: string; now: number } & Limit>()((q, p, dialect) =>
      locked(
        dialect,
        dueOfTrack(q, p).selectAll().where(source, '=', p.source).orderBy(due).limit(p.limit),
        'skip locked',
      ),
    );
    /** The source that had its turn last, and the row of each source with which its turn is over. */
    let last: unknown = lowest;
    let firsts = new Set<unknown>();

    /** Lists the sources after the last one, then all from the lowest on: none waits for another round while there is room. */
    async function nextSources(tx: Tx, p: { now: number } & Limit): Promise<string[]> {
      const starts = last === lowest ? [lowest] : [last, lowest];
      const found = await together(starts.map((after) => listSources.all(tx, { ...p, after })));
      return [...new Set(found.flat().map(({ source: of }) => of))].slice(0, p.limit);
    }

    async function lockDue(tx: Tx, p: { now: number } & Limit): Promise<unknown[]> {
      const sources = await nextSources(tx, p);
      const limit = Math.ceil(p.limit / Math.max(1, sources.length));
      const rows = await together(sources.map((of) => lockOf.all(tx, { source: of, now: p.now, limit })));
      firsts = new Set(rows.flatMap(([first]) => first ?? []));
      return Array.from({ length: limit }, (_, turn) => rows.flatMap((of) => of[turn] ?? [])).flat();
    }

    function onCarriedOut(row: Record<string, unknown>): void {
      if (firsts.has(row)) last = row[source];
    }

    return {
      anyDue: statement<{ now: number }>()((q, p) => dueOfTrack(q, p).select(key).limit(1)),
      lockDue: { all: lockDue },
      onCarriedOut,
      state: stateStatement(table, { due, failures }, inTrack),
    };
  }
}

const renewalStatement = (table: string, key: string, lease: string) =>
  statement<{ id: string; held: number; until: number; now: number }>()((q, p) =>
    q
      .updateTable(table)
      .set({ [lease]: p.until })
      .where(key, '=', p.id)
      .where(lease, '=', p.held)
      .where(lease, '>', p.now)
      .returning(sql.ref<number>(lease).as('until')),
  );

const firstOf = (rows: Due<Named, string>, due: string, column: string) =>
  rows.select(sql.ref<number | null>(column).as('value')).orderBy(due).limit(1);

const stateStatement = (
  table: string,
  { due, failures, lease }: { due: string; failures?: string | undefined; lease?: string },
  narrow: (rows: Due<Named, string>) => Due<Named, string> = (rows) => rows,
) =>
  statement<object>()((q) => {
    const rows = narrow(q.selectFrom(table).where(due, 'is not', null));
    const time = sql.ref<number>(due);
    return q.selectNoFrom((eb) => [
      eb
        .selectFrom(rows.select(time.as('due')).limit(MOST_COUNTED).as('some'))
        .select(sql<number>`count(*)`.as('count'))
        .as('waiting'),
      rows.select(sql<number | null>`min(${time})`.as('first')).as('since'),
      ...(failures === undefined ? [] : [firstOf(rows, due, failures).as('failures')]),
      ...(lease === undefined ? [] : [firstOf(rows, due, lease).as('held_until')]),
    ]);
  });

/**
 * @param backOffMs how long to wait after each failure
 * @returns when to try again; null after the last attempt
 */
export function retryAt(now: number, backOffMs: readonly number[], failuresBefore: number): number | null {
  const wait = backOffMs[failuresBefore];
  return wait === undefined ? null : now + wait;
}
