import { randomUUID } from 'node:crypto';
import { hostOf } from '#platform/db/addresses.ts';
import type { Database, Reader } from '#platform/db/index.ts';
import type { Config } from '../../src/process/config.ts';
import { connectPostgres, ofServer } from '../../src/process/postgres.ts';
import { IS_CLIENT } from '../../src/process/postgres-clients.ts';
import { Refusal } from '../../src/process/refusal.ts';
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
  progressNameOf,
  refuseVersion,
  type Side,
} from './side.ts';
import { type Column, POSTGRES_COLUMNS, POSTGRES_TABLES, pageStatement, type Table } from './tables.ts';

const LOCK_TIMEOUT = '55P03';
const NO_RIGHTS = '42501';
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
  let present: { name: string }[];
  let isUnfinished: boolean;
  try {
    present = await asked.all<{ name: string }>(POSTGRES_TABLES, []);
    isUnfinished = present.some((table) => table.name === 'parley_move');
    const all = (sql: string) => asked.all<object>(sql, []);
    if (isTarget && !isUnfinished && !(await isBlank(present, all)))
      throw new Refusal(`${name} ${NOT_EMPTY}`);
    if (!isTarget && !present.some((table) => table.name === 'schema_migrations'))
      throw new Refusal(`There is no database of Parley in ${name}.`);
  } catch (error) {
    throw ofServer(inSentence(name, error));
  } finally {
    await asked.close();
  }
  const db = await begun(async () => {
    if (isTarget && !isUnfinished) await migrateTarget(settings);
    return connect();
  }, name);
  const read = isTarget ? undefined : holdAll(db, present);
  try {
    return await sideOf(db, await read?.reader, { name, isTarget, isUnfinished, release: read?.release });
  } catch (error) {
    await read?.release().catch(() => undefined);
    await db.close();
    throw inSentence(name, error);
  }
}

const begun = <T>(work: () => Promise<T>, name: string): Promise<T> =>
  work().catch((error: unknown) => {
    throw inSentence(name, error);
  });

/** The operator is told PostgreSQL's own answer to a statement: it is about their rights, triggers or tables. */
function inSentence(name: string, error: unknown): unknown {
  const { severity, code, message } = error as { severity?: string; code?: string; message: string };
  if (severity === undefined) {
    const isLocked = (error as { cause?: { code?: string } }).cause?.code === LOCK_TIMEOUT;
    return isLocked
      ? new Refusal(`${name} is in use: somebody writes to it. Stop the servers and what else uses it.`)
      : error;
  }
  const advice = code === NO_RIGHTS ? ': run it as the user who owns the tables' : '';
  return new Refusal(`${name} refuses it: ${message}${advice}.`);
}

/**
 * Lets nobody write to the tables, and reads them as they are then, until it is released. A session that ends early, and with it its locks,
 * fails whatever is read after that.
 */
function holdAll(db: Database, tables: readonly { name: string }[]) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: reader, resolve, reject } = Promise.withResolvers<Reader>();
  const ending = db.snapshot(async (from) => {
    // The target may take long over what it was sent.
    await from.all('SET LOCAL idle_in_transaction_session_timeout = 0', []);
    // Before the first SELECT, which decides what all others see (PostgreSQL, LOCK).
    await from.all(`LOCK TABLE ${tables.map((table) => `"${table.name}"`).join(', ')} IN SHARE MODE`, []);
    resolve(from);
    await released;
  });
  ending.catch(reject);
  return {
    reader,
    release: () => {
      release();
      return ending;
    },
  };
}

/** @param from what is read in place of the database, where it is the source */
async function sideOf(
  db: Database,
  from: Reader = db,
  {
    name,
    isTarget,
    isUnfinished,
    release,
  }: { name: string; isTarget: boolean; isUnfinished: boolean; release: (() => Promise<void>) | undefined },
): Promise<Side> {
  const all = <Row>(sql: string, values: readonly unknown[]) => begun(() => from.all<Row>(sql, values), name);
  const mark = (n: number) => `$${n + 1}`;
  const note = noteIn(mark);
  const types = new Map<string, ReadonlyMap<string, string>>();
  const write = (changes: readonly Change[]) =>
    begun(
      () =>
        db.write(
          async (tx) => {
            for (const { sql, values } of changes) await tx.all(sql, values);
          },
          { patient: true },
        ),
      name,
    );
  const keys = () => all<Key>(KEYS, []);
  const storedIn = async (which: string) =>
    (await all<{ value: string }>('SELECT value FROM parley_move WHERE name = $1', [which]))[0]?.value;
  if (!isTarget) {
    const [newest] = await all<{ version: number }>(
      'SELECT max(version) AS version FROM schema_migrations',
      [],
    );
    refuseVersion(name, newest?.version);
    if ((await all('SELECT id FROM events WHERE place IS NULL LIMIT 1', [])).length > 0)
      throw new Refusal(
        `In ${name} events wait that a server left behind when it ended: start one again, and stop it.`,
      );
  }
  return {
    dialect: 'postgres',
    name,
    noted: (table, value) => note(progressNameOf(table), value),
    write,
    tables: async () => (await all<{ name: string }>(POSTGRES_TABLES, [])).map((row) => row.name),
    columns: async (table) => {
      const columns = await all<Column>(POSTGRES_COLUMNS, [table]);
      types.set(table, new Map(columns.map((column) => [column.name, column.type])));
      return columns;
    },
    page: <Row>(table: Table, last: readonly (string | number)[] | undefined, limit: number) =>
      all<Row>(pageStatement(table, last, limit, mark), last ?? []),
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
    progress: (table) => storedIn(progressNameOf(table)),
    restoreKeys: async () => {
      const present = new Set((await keys()).map((key) => key.name));
      const all = JSON.parse((await storedIn('keys')) ?? '[]') as Key[];
      for (const key of all.filter((one) => !present.has(one.name)))
        await write([
          { sql: `ALTER TABLE ${key.table} ADD CONSTRAINT "${key.name}" ${key.definition}`, values: [] },
        ]);
    },
    finish: async () => {
      // The planner knows nothing of tables that were filled a moment ago, and autovacuum comes once a minute.
      for (const { name: table } of await all<{ name: string }>(POSTGRES_TABLES, []))
        await write([{ sql: `ANALYZE "${table}"`, values: [] }]);
      await write(FINISH);
    },
    close: async () => {
      await release?.().catch(() => undefined);
      await db.close();
    },
  };
}

interface Key {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

const KEYS = `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
  FROM pg_constraint WHERE contype = 'f' AND connamespace = quote_ident(current_schema())::regnamespace ORDER BY conname`;
const USERS = `SELECT DISTINCT coalesce(application_name, '') AS name FROM pg_stat_activity
  WHERE ${IS_CLIENT} AND application_name IS DISTINCT FROM '${OWN}'`;
