import { type Compilable, type SelectQueryBuilder, sql } from 'kysely';
import { type Database, type Dialect, locked, queriesFor, type Tx } from '../db/index.ts';
import { pause } from '../pause.ts';

/** Rows in one transaction: few enough that nobody waits noticeably for its locks, or for SQLite's one writer. */
export const ROWS_AT_ONCE = 500;

/** Deletes or changes a part of what it finds. @returns whether there may be more */
export type Portion<Params> = (tx: Tx, params: Params) => Promise<boolean>;

/**
 * Carries out portions until nothing is left, or the server stops. Each is a transaction, followed by a pause of the same
 * length, in which others write.
 */
export async function inPortions(
  db: Database,
  portion: (tx: Tx) => Promise<boolean>,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const begun = performance.now();
    if (!(await db.write(portion))) return;
    await pause(performance.now() - begun, stopping);
  }
}

/** A task of housekeeping: carries out all portions of a clean-up. @param params as they are when it begins */
export const cleaning =
  <Params>(db: Database, portion: Portion<Params>, params: () => Params) =>
  (stopping: AbortSignal): Promise<void> => {
    const given = params();
    return inPortions(db, (tx) => portion(tx, given), stopping);
  };

type Rows<Tables, Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, object>;
type Find<Tables, Table extends keyof Tables, Params> = (
  rows: Rows<Tables, Table>,
  p: Params,
  dialect: Dialect,
) => Rows<Tables, Table>;

/** Within this file, tables and columns are names; {@link portionsFor} checks those names against the schema. */
type Named = Record<string, Record<string, unknown>>;
const { statement } = queriesFor<Named>();

/**
 * The statements that clean up: of all rows that fit, however many, they take {@link ROWS_AT_ONCE}. Rows that somebody else
 * has locked wait for the next time.
 */
export function portionsFor<Tables>() {
  return {
    /** Deletes rows of a table. */
    deletion:
      <Table extends keyof Tables & string>(table: Table) =>
      <Params extends object>(find: Find<Tables, Table, Params>): Portion<Params> =>
        portionOf(table, find as never, (q, rows) => q.deleteFrom<string>(table).where(rows)),
    /** Sets columns of a table, after which the rows must not fit any more. */
    modification:
      <Table extends keyof Tables & string>(table: Table) =>
      <Params extends object>(
        values: (p: Params) => Partial<Tables[Table]>,
        find: Find<Tables, Table, Params>,
      ): Portion<Params> =>
        portionOf(table, find as never, (q, rows, p) =>
          q
            .updateTable<string>(table)
            .set(values(p as Params) as object)
            .where(rows),
        ),
  };
}

/** The database's own address of a row serves for every key. */
const ADDRESS = { sqlite: sql.ref('rowid'), postgres: sql.ref('ctid') } as const;

type Q = Parameters<Parameters<ReturnType<typeof statement>>[0]>[0];

function portionOf(
  table: string,
  find: Find<Named, string, object>,
  change: (
    q: Q,
    rows: ReturnType<typeof sql<boolean>>,
    p: object,
  ) => { returning(one: unknown): Compilable<unknown> },
): Portion<object> {
  const some = statement<object>()((q, p, dialect) => {
    const address = ADDRESS[dialect];
    const found = find(q.selectFrom(table).select(address.as('address')), p, dialect).limit(
      sql.lit(ROWS_AT_ONCE),
    );
    const rows = locked(dialect, found, 'skip locked');
    const fits =
      dialect === 'sqlite'
        ? sql<boolean>`${address} IN ${rows}`
        : sql<boolean>`${address} = ANY(ARRAY${rows})`;
    return change(q, fits, p).returning(sql`1`.as('one'));
  });
  return async (tx, params) => (await some.all(tx, params)).length === ROWS_AT_ONCE;
}
