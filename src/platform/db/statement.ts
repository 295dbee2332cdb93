import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Dialect, Reader } from './database.ts';

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

/** A query compiled once for each dialect; the connections keep it prepared. */
export interface Statement<Params, Row> {
  all(db: Reader, params: Params): Promise<Row[]>;
  /** The first row, or undefined. */
  first(db: Reader, params: Params): Promise<Row | undefined>;
}

/** Builds queries for one dialect; it holds no connection. */
function queryBuilder<Tables>(dialect: Dialect): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => (dialect === 'sqlite' ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) =>
        dialect === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db),
      createQueryCompiler: () =>
        dialect === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler(),
    },
  });
}

/**
 * The two ways to query a schema. `statement` is for everything whose SQL does not change: its text is compiled
 * once and only values travel afterwards (compiling each time costs more than most reads). `query` is for lists
 * whose shape depends on the request.
 */
export function queriesFor<Tables>() {
  const builders = {
    sqlite: queryBuilder<Tables>('sqlite'),
    postgres: queryBuilder<Tables>('postgres'),
  };

  function statement<Params extends object>() {
    return <Row>(
      build: (q: Kysely<Tables>, p: Params, dialect: Dialect) => Compilable<Row>,
    ): Statement<Params, Row> => {
      const compiled: Partial<Record<Dialect, CompiledStatement>> = {};
      const names = new Proxy({} as Params, { get: (_, name) => new Placeholder(String(name)) });
      const compile = (dialect: Dialect) => {
        compiled[dialect] ??= build(builders[dialect], names, dialect).compile();
        return compiled[dialect];
      };
      const all = (db: Reader, params: Params) => {
        const { sql, parameters } = compile(db.dialect);
        return db.all<Row>(sql, fill(parameters, params));
      };
      return { all, first: async (db, params) => (await all(db, params))[0] };
    };
  }

  function query<Row>(
    db: Reader,
    build: (q: Kysely<Tables>, dialect: Dialect) => Compilable<Row>,
  ): Promise<Row[]> {
    const { sql, parameters } = build(builders[db.dialect], db.dialect).compile();
    return db.all<Row>(sql, parameters);
  }

  /**
   * Inserts any number of rows, some at once: a statement for each row costs more than its row.
   * @param end what follows the values: a conflict's clause, RETURNING
   */
  function insertion<Table extends keyof Tables & string>(table: Table) {
    return <Column extends keyof Tables[Table] & string, Returned = never>(
      columns: readonly Column[],
      end: (dialect: Dialect) => string = () => '',
    ) => {
      const textsFor = (dialect: Dialect) =>
        ROWS_AT_ONCE.map((count) => `${insertText(dialect, table, columns, count)} ${end(dialect)}`);
      const texts = { sqlite: textsFor('sqlite'), postgres: textsFor('postgres') };
      return async (db: Reader, rows: readonly Pick<Tables[Table], Column>[]): Promise<Returned[]> => {
        const returned: Returned[] = [];
        let at = 0;
        for (const [index, count] of ROWS_AT_ONCE.entries()) {
          for (; at + count <= rows.length; at += count) {
            const values = rows.slice(at, at + count).flatMap((row) => columns.map((column) => row[column]));
            returned.push(...(await db.all<Returned>(texts[db.dialect][index] as string, values)));
          }
        }
        return returned;
      };
    };
  }

  return { statement, query, insertion };
}

/** Few sizes, so that each has a statement that is kept prepared. */
const ROWS_AT_ONCE = [32, 8, 1];

function insertText(dialect: Dialect, table: string, columns: readonly string[], count: number): string {
  const value = (n: number) => (dialect === 'sqlite' ? '?' : `$${n + 1}`);
  const row = (n: number) => `(${columns.map((_, column) => value(n * columns.length + column)).join(', ')})`;
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array.from({ length: count }, (_, n) => row(n)).join(', ')}`;
}

function fill(parameters: readonly unknown[], values: object): unknown[] {
  return parameters.map((parameter) =>
    parameter instanceof Placeholder ? values[parameter.name as keyof typeof values] : parameter,
  );
}
