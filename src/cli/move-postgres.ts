import { randomUUID } from 'node:crypto';
import { hostOf } from '#platform/db/addresses.ts';
import type { Config } from '../process/config.ts';
import {
  type Column,
  POSTGRES_COLUMNS,
  POSTGRES_TABLES,
  pageStatement,
  type Table,
} from '../process/copied-tables.ts';
import { connectPostgres, ofServer } from '../process/postgres.ts';
import {
  ANOTHER,
  type Change,
  FINISH,
  isBlank,
  LOCK,
  migrateTarget,
  NOT_EMPTY,
  noteIn,
  PROGRESS,
  placeOf,
  refuseVersion,
  type Side,
} from './move-side.ts';
import { Refusal } from './refusal.ts';

const APPLICATION = 'parley-move';
/** This move, among others. */
const OWN = `${APPLICATION}-${randomUUID().slice(0, 8)}`;

/** @param isTarget whether it is written to */
export async function openPostgres(config: Config, url: string, isTarget: boolean): Promise<Side> {
  const own = `${url}${url.includes('?') ? '&' : '?'}application_name=${OWN}`;
  const settings = { ...config, DATABASE_URL: own, DATABASE_REPLICA_URL: undefined };
  const connect = () =>
    connectPostgres(settings, own, () => undefined).catch((error: unknown) => {
      throw ofServer(error);
    });
  const name = `PostgreSQL at ${hostOf(url)}${new URL(url.replace(hostOf(url), 'host')).pathname}`;
  const asked = await connect();
  const present = await asked.all<{ name: string }>(POSTGRES_TABLES, []).catch((error: unknown) => {
    throw ofServer(error);
  });
  const isBlankTarget = isTarget && (await isBlank(present, (sql) => asked.all(sql, [])));
  await asked.close();
  const isUnfinished = present.some((table) => table.name === 'parley_move');
  if (isTarget && !isUnfinished) {
    if (!isBlankTarget) throw new Refusal(`${name} ${NOT_EMPTY}`);
    await migrateTarget(settings);
  }
  if (!isTarget && present.length === 0) throw new Refusal(`There is no database of Parley in ${name}.`);
  const db = await connect();
  const mark = (n: number) => `$${n + 1}`;
  const note = noteIn(mark);
  const types = new Map<string, ReadonlyMap<string, string>>();
  const write = (changes: readonly Change[]) =>
    db.write(
      async (tx) => {
        for (const { sql, values } of changes) await tx.all(sql, values);
      },
      { patient: true },
    );
  const keys = () => db.all<Key>(KEYS, []);
  const storedIn = async (which: string) =>
    (await db.all<{ value: string }>('SELECT value FROM parley_move WHERE name = $1', [which]))[0]?.value;
  if (!isTarget) {
    const [newest] = await db.all<{ version: number }>(
      'SELECT max(version) AS version FROM schema_migrations',
      [],
    );
    refuseVersion(name, newest?.version);
    if ((await db.all('SELECT id FROM events WHERE place IS NULL LIMIT 1', [])).length > 0)
      throw new Refusal(
        `In ${name} events wait that a server left behind when it ended: start one again, and stop it.`,
      );
  }
  return {
    dialect: 'postgres',
    name,
    noted: (table, value) => note(placeOf(table), value),
    write,
    tables: async () => (await db.all<{ name: string }>(POSTGRES_TABLES, [])).map((row) => row.name),
    columns: async (table) => {
      const columns = await db.all<Column>(POSTGRES_COLUMNS, [table]);
      types.set(table, new Map(columns.map((column) => [column.name, column.type])));
      return columns;
    },
    page: <Row>(table: Table, last: readonly (string | number)[] | undefined, limit: number) =>
      db.all<Row>(pageStatement(table, last, limit, mark), last ?? []),
    placeholders: ({ name: table, columns }, from) =>
      `(${columns.map((column, n) => `${mark(from + n)}::${types.get(table)?.get(column)}`).join(', ')})`,
    users: async () =>
      (await db.all<{ name: string }>(USERS, []))
        // Another move from the same source only reads it, too.
        .filter((row) => isTarget || !row.name.startsWith(APPLICATION))
        .map((row) =>
          row.name.startsWith(APPLICATION) ? 'another move' : row.name || 'a client without a name',
        ),
    begin: async (source) => {
      if (!isUnfinished) {
        const all = await keys();
        await write([
          { sql: PROGRESS, values: [] },
          { sql: LOCK, values: [] },
          note('source', source),
          note('keys', JSON.stringify(all)),
          ...all.map((key) => ({
            sql: `ALTER TABLE ${key.table} DROP CONSTRAINT "${key.name}"`,
            values: [],
          })),
        ]);
      } else if ((await storedIn('source')) !== source) throw new Refusal(`${name} ${ANOTHER}`);
    },
    progress: (table) => storedIn(placeOf(table)),
    restoreKeys: async () => {
      const present = new Set((await keys()).map((key) => key.name));
      const all = JSON.parse((await storedIn('keys')) ?? '[]') as Key[];
      for (const key of all.filter((one) => !present.has(one.name)))
        await write([
          { sql: `ALTER TABLE ${key.table} ADD CONSTRAINT "${key.name}" ${key.definition}`, values: [] },
        ]);
    },
    finish: () => write(FINISH),
    close: () => db.close(),
  };
}

interface Key {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

const KEYS = `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY conname`;
const USERS = `SELECT DISTINCT application_name AS name FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND application_name <> '${OWN}'`;
