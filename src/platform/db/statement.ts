import { channel } from 'node:diagnostics_channel';
import {
  type Compilable,
  type DeleteResult,
  DummyDriver,
  type InsertResult,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
  type QueryExecutorProvider,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type UpdateResult,
} from 'kysely';
import { type Dialect, gathering, type Reader, type Tx, together } from './database.ts';
import type { Locked } from './locked.ts';

/** Stands where a value will be, in a statement that is compiled before its values are known. */
class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

interface CompiledStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** What the channel `parley:statements` tells of a statement with a fixed text, and of each query that runs. */
export interface StatementEvent {
  readonly kind: 'made' | 'ran' | 'queried';
  readonly dialect: Dialect;
  /** Its text. Compiled on demand: a statement is made while modules are still loading. */
  readonly sql: () => string;
}

/** Has no subscriber but the suite's, which looks whether each statement ran on PostgreSQL. */
const statements = channel('parley:statements');

function tell(kind: StatementEvent['kind'], dialect: Dialect, sql: () => string): void {
  if (statements.hasSubscribers) statements.publish({ kind, dialect, sql } satisfies StatementEvent);
}

/** A SELECT, from the database or within a transaction. */
export interface Selection<Params, Row> {
  all(db: Reader, params: Params): Promise<Row[]>;
  /** The first row, or undefined. */
  first(db: Reader, params: Params): Promise<Row | undefined>;
}

/** A SELECT that locks the rows it finds: outside a transaction the locks would end with the statement. */
export interface LockingSelection<Params, Row> {
  all(tx: Tx, params: Params): Promise<Row[]>;
  first(tx: Tx, params: Params): Promise<Row | undefined>;
}

/** An INSERT, UPDATE or DELETE. */
export interface Change<Params> {
  run(tx: Tx, params: Params): Promise<void>;
}

/** An INSERT, UPDATE or DELETE with RETURNING: gives the rows that it wrote. */
export interface ReturningChange<Params, Row> extends Change<Params>, LockingSelection<Params, Row> {}

/** A query that changes and locks nothing, as the builder makes it with `selectFrom`. */
export interface Select<Row> extends Compilable<Row> {
  readonly isSelectQueryBuilder: true;
}

/** A hand-written SELECT. The caller vouches that it changes and locks nothing. */
export function rawSelect<Row>(q: QueryExecutorProvider, text: RawBuilder<Row>): Select<Row> {
  return { isSelectQueryBuilder: true, compile: () => text.compile(q) };
}

type RowOf<Query> = Query extends Compilable<infer Row> ? Row : never;

/** The calls that fit a query. A query that is not plainly a SELECT needs a transaction. */
type StatementFor<Params, Query> =
  Query extends Locked<unknown>
    ? LockingSelection<Params, RowOf<Query>>
    : Query extends Select<infer Row>
      ? Selection<Params, Row>
      : RowOf<Query> extends InsertResult | UpdateResult | DeleteResult
        ? Change<Params>
        : ReturningChange<Params, RowOf<Query>>;

/** Builds queries for one dialect; it holds no connection. */
function queryBuilder<Tables>(dialect: Dialect, compiler: () => QueryCompiler): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => (dialect === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) =>
        dialect === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db),
      createQueryCompiler: compiler,
    },
  });
}

/**
 * SQLite looks at the value of a parameter when it may help to plan: in LIMIT, beside an index of some rows only, in LIKE. It
 * then compiles the statement whenever a value is bound, which takes longer than most reads. An expression has no value
 * to look at.
 */
class Sqlite extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/**
 * Writes constants into the text of a statement. A parameter stands for any value, so a condition with one proves no
 * partial index. PostgreSQL looks at values anyway when it plans, and a plan for any value would outlive the sizes of
 * tables that it was made for.
 */
class FixedSqlite extends Sqlite {
  protected override appendValue(value: unknown): void {
    if (value instanceof Placeholder) super.appendValue(value);
    else this.appendImmediateValue(value);
  }
}

/**
 * The two ways to query a schema. `statement` is for SQL with a fixed text: it is compiled once and only values
 * travel afterwards (compiling each time costs more than most reads). `query` is for lists whose shape depends on the
 * request.
 */
export function queriesFor<Tables>() {
  const builders = {
    sqlite: queryBuilder<Tables>('sqlite', () => new Sqlite()),
    postgres: queryBuilder<Tables>('postgres', () => new PostgresQueryCompiler()),
  };
  const fixedBuilders = {
    sqlite: queryBuilder<Tables>('sqlite', () => new FixedSqlite()),
    postgres: builders.postgres,
  };

  function statement<Params extends object>() {
    return <Query extends Compilable<unknown>>(
      build: (q: Kysely<Tables>, p: Params, dialect: Dialect) => Query,
    ): StatementFor<Params, Query> => {
      const compiled: Partial<Record<Dialect, CompiledStatement>> = {};
      const names = new Proxy({} as Params, { get: (_, name) => new Placeholder(String(name)) });
      const compile = (dialect: Dialect) => {
        compiled[dialect] ??= build(fixedBuilders[dialect], names, dialect).compile();
        return compiled[dialect];
      };
      tell('made', 'postgres', () => compile('postgres').sql);
      const all = (db: Reader, params: Params) => {
        const { sql, parameters } = compile(db.dialect);
        tell('ran', db.dialect, () => sql);
        return db.all<RowOf<Query>>(sql, fill(parameters, params));
      };
      const first = async (db: Reader, params: Params) => (await all(db, params))[0];
      const run = async (tx: Tx, params: Params) => void (await all(tx, params));
      return { all, first, run } as unknown as StatementFor<Params, Query>;
    };
  }

  type Build<Query> = (q: Kysely<Tables>, dialect: Dialect) => Query;

  function query<Row>(tx: Tx, build: Build<Compilable<Row>>): Promise<Row[]>;
  function query<Row>(db: Reader, build: Build<Select<Row> & { readonly isLocked?: never }>): Promise<Row[]>;
  function query<Row>(db: Reader, build: Build<Compilable<Row>>): Promise<Row[]> {
    const { sql, parameters } = build(builders[db.dialect], db.dialect).compile();
    tell('queried', db.dialect, () => sql);
    return db.all<Row>(sql, parameters);
  }

  /**
   * Inserts any number of rows: in batches on SQLite, where a statement per row costs more than the row itself, and in
   * one round trip on PostgreSQL.
   * @param end the clause after the values: ON CONFLICT, RETURNING
   */
  function insertion<Table extends keyof Tables & string>(table: Table) {
    return <Column extends keyof Tables[Table] & string, Returned = never>(
      columns: readonly Column[],
      end: (dialect: Dialect) => string = () => '',
    ) => {
      const texts = ROWS_AT_ONCE.map((count) => `${valuesText(table, columns, count)} ${end('sqlite')}`);
      const recordsText = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.join(', ')}
        FROM json_populate_recordset(CAST(NULL AS ${table}), CAST($1 AS json)) ${end('postgres')}`;
      tell('made', 'postgres', () => recordsText);
      return gathering(
        table,
        async (tx: Tx, rows: readonly Pick<Tables[Table], Column>[]): Promise<Returned[]> => {
          if (rows.length === 0) return [];
          if (tx.dialect === 'postgres') {
            tell('ran', 'postgres', () => recordsText);
            return tx.all<Returned>(recordsText, [JSON.stringify(rows, wellFormed)]);
          }
          // All statements at once, so that a caller may make another one that runs after them.
          const returned: Promise<Returned[]>[] = [];
          let at = 0;
          for (const [index, count] of ROWS_AT_ONCE.entries()) {
            for (; at + count <= rows.length; at += count) {
              const values = rows
                .slice(at, at + count)
                .flatMap((row) => columns.map((column) => row[column]));
              returned.push(tx.all<Returned>(texts[index] as string, values));
            }
          }
          return (await together(returned)).flat();
        },
        'at once',
      );
    };
  }

  return { statement, query, insertion };
}

/** Few batch sizes, so that each statement stays prepared. */
const ROWS_AT_ONCE = [32, 16, 8, 4, 2, 1];

function valuesText(table: string, columns: readonly string[], count: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`;
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(count).fill(row).join(', ')}`;
}

/** JSON keeps half of a surrogate pair, which PostgreSQL refuses; as a parameter it becomes U+FFFD. */
const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);

function fill(parameters: readonly unknown[], values: object): unknown[] {
  return parameters.map((parameter) =>
    parameter instanceof Placeholder ? values[parameter.name as keyof typeof values] : parameter,
  );
}
