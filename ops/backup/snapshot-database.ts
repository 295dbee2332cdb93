import { rm } from 'node:fs/promises';
import {
  type Database,
  Filling,
  migrate,
  type Reader,
  SchemaRefused,
  SqliteDatabase,
} from '#platform/db/index.ts';
import { migrations } from '#schema';
import {
  type Column,
  POSTGRES_COLUMNS,
  POSTGRES_TABLES,
  pageStatement,
  portionsOf,
  QUEUE_FOR_SEARCH,
  type Row,
  SQLITE_COLUMNS,
  SQLITE_TABLES,
  type Table,
  tablesBoth,
} from '../transfer/tables.ts';

/**
 * Copies one state of the database to a file of SQLite, whatever it is itself, while servers go on writing, and checks the
 * file. @param file is new; it is not whole before this resolves @param signal ends a copy of PostgreSQL early
 */
export async function snapshotDatabase(db: Database, file: string, signal?: AbortSignal): Promise<void> {
  try {
    await (db.dialect === 'sqlite' ? db.backup(file) : db.snapshot((from) => copyFrom(from, file), signal));
  } finally {
    // What a copy that failed leaves beside it.
    for (const suffix of ['-wal', '-shm', '-journal']) await rm(file + suffix, { force: true });
  }
}

async function copyFrom(from: Reader, file: string): Promise<void> {
  // First of all: the snapshot is of the time of its first statement.
  await refuseOtherVersion(from);
  const tables = await prepare(from, file).catch((error: Error) => {
    // An error of the file is none of the database.
    throw error.cause ?? error;
  });
  const filling = new Filling(file);
  try {
    for (const table of tables) {
      // What the migrations put there is in the source, if anywhere.
      await filling.begin(table.name, table.columns);
      for await (const rows of rowsOf(from, table))
        await filling.insert(rows.map((row) => table.columns.map((column) => row[column] ?? null)));
    }
    await filling.finish(QUEUE_FOR_SEARCH);
  } finally {
    await filling.close();
  }
}

/** Makes the file with its tables. @returns those to copy */
async function prepare(from: Reader, file: string): Promise<Table[]> {
  const target = new SqliteDatabase(file);
  try {
    await migrate(target, migrations, Date.now());
    return await tablesBoth(
      {
        tables: async () => namesIn(await from.all(POSTGRES_TABLES, [])),
        columns: (table) => from.all<Column>(POSTGRES_COLUMNS, [table]),
      },
      {
        tables: async () => namesIn(await target.all(SQLITE_TABLES, [])),
        columns: (table) => target.all<Column>(SQLITE_COLUMNS, [table]),
      },
    );
  } finally {
    await target.close();
  }
}

const namesIn = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
const mark = (n: number) => `$${n + 1}`;

/** A newer server may have migrated the database while this one still serves: it knows not all of its tables. */
async function refuseOtherVersion(from: Reader): Promise<void> {
  const [row] = await from.all<{ newest: number }>(
    'SELECT max(version) AS newest FROM schema_migrations',
    [],
  );
  if (row?.newest !== migrations.length)
    throw new SchemaRefused(
      `The database is at version ${row?.newest}, this program is made for version ${migrations.length}: back it up with ` +
        'the program that it was migrated with.',
    );
}

async function* rowsOf(from: Reader, table: Table): AsyncGenerator<Row[]> {
  if (table.name === 'events') yield* events(from, table);
  else
    yield* portionsOf(table, (after, limit) =>
      from.all<Row>(pageStatement(table, after, limit, mark), after ?? []),
    );
}

/** On SQLite each event has a place. Those that have none yet come last, in the order in which they would be given one. */
async function* events(from: Reader, { columns }: Table): AsyncGenerator<Row[]> {
  const [top] = await from.all<{ place: number }>('SELECT coalesce(max(place), 0) AS place FROM events', []);
  const given = { columns, key: ['place'] };
  yield* portionsOf(given, (after, limit) =>
    from.all<Row>(
      `SELECT ${columns.join(', ')} FROM events WHERE place > $1 ORDER BY place LIMIT ${limit}`,
      after ?? [-1],
    ),
  );
  let place = top?.place ?? 0;
  const waiting = { columns: [...columns, 'id'], key: ['id'] };
  for await (const rows of portionsOf(waiting, (after, limit) =>
    from.all<Row>(
      `SELECT id, ${columns.join(', ')} FROM events WHERE place IS NULL AND id > $1 ORDER BY id LIMIT ${limit}`,
      after ?? [-1],
    ),
  ))
    yield rows.map((row) => ({ ...row, place: ++place }));
}
