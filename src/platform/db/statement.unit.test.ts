import { constants, DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { asTransaction, type Dialect, type Reader, type Tx } from './database.ts';
import { locked } from './locked.ts';
import { queriesFor, rawSelect } from './statement.ts';

interface Tables {
  things: { id: string; name: string };
}
const { statement, query, insertion } = queriesFor<Tables>();

const find = statement<{ id: string }>()((q, p) => q.selectFrom('things').selectAll().where('id', '=', p.id));
const hold = statement<{ id: string }>()((q, p, dialect) =>
  locked(dialect, q.selectFrom('things').selectAll().where('id', '=', p.id)),
);
const rename = statement<{ id: string; name: string }>()((q, p) =>
  q.updateTable('things').set({ name: p.name }).where('id', '=', p.id),
);
const findCalled = statement<{ id: string }>()((q, p) =>
  q.selectFrom('things').selectAll().where('name', '=', "the one's").where('id', '>', p.id).limit(5),
);
const findSome = statement<{ after: string; limit: number }>()((q, p) =>
  q.selectFrom('things').select('id').where('id', '>', p.after).orderBy('id').limit(p.limit),
);
const remove = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('things').where('id', '=', p.id).returning('name'),
);
const insertThings = insertion('things')(['id', 'name']);

/** A fake database that records its statements and returns one row. */
function pretend(dialect: Dialect = 'postgres'): {
  db: Reader;
  tx: Tx;
  asked: string[];
  given: (readonly unknown[])[];
} {
  const asked: string[] = [];
  const given: (readonly unknown[])[] = [];
  const db: Reader = {
    dialect,
    all: async <Row>(text: string, values: readonly unknown[]) => {
      asked.push(text);
      given.push(values);
      return [{ id: '1', name: 'one' }] as Row[];
    },
  };
  const tx = asTransaction({ ...db, afterCommit: () => undefined, gather: () => undefined });
  return { db, tx, asked, given };
}

it('a change runs in a transaction and gives rows only with RETURNING', async () => {
  const { tx, asked } = pretend();
  expect(await rename.run(tx, { id: '1', name: 'two' })).toBeUndefined();
  expect(await remove.first(tx, { id: '1' })).toMatchObject({ name: 'one' });
  expect(await remove.all(tx, { id: '1' })).toHaveLength(1);
  expect(asked[0]).toMatch(/^update "things"/);
  expect(asked[1]).toMatch(/^delete from "things" .* returning "name"$/);
});

it('a selection reads from a database and within a transaction, a locking one only within', async () => {
  const { db, tx, asked } = pretend();
  expect(await find.first(db, { id: '1' })).toEqual({ id: '1', name: 'one' });
  expect(await find.all(tx, { id: '1' })).toHaveLength(1);
  await hold.first(tx, { id: '1' });
  expect(asked[2]).toMatch(/ for update$/);
});

it('constants are part of the text for SQLite, which then uses a partial index; values are parameters', async () => {
  const { db, asked, given } = pretend('sqlite');
  await findCalled.all(db, { id: '1' });
  expect(asked[0]).toMatch(/ "name" = 'the one''s' and "id" > \+\? limit 5$/);
  expect(given[0]).toEqual(['1']);
});

it('SQLite compiles a statement once, whatever its values and its limit are', async () => {
  const { db, asked, given } = pretend('sqlite');
  await findSome.all(db, { after: '1', limit: 1 });
  await query(db, (q) => q.selectFrom('things').selectAll().where('name', 'like', 'o%').limit(2));
  const real = new DatabaseSync(':memory:');
  real.exec('CREATE TABLE things (id TEXT PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE)');
  real.exec("INSERT INTO things VALUES ('1', 'one'), ('2', 'other')");
  let compiled = 0;
  // Is asked about all that a statement reads, each time one is compiled.
  real.setAuthorizer(() => {
    compiled++;
    return constants.SQLITE_OK;
  });
  const prepared = asked.map((text) => real.prepare(text));
  const first = compiled;
  const found = prepared.map((one, at) => one.all(...(given[at] as string[])));
  expect(found).toEqual([
    [{ id: '2' }],
    [
      { id: '1', name: 'one' },
      { id: '2', name: 'other' },
    ],
  ]);
  expect(first).toBeGreaterThan(0);
  expect(compiled).toBe(first);
});

/** Never called: the compiler is the test, and an error that is missing is an error (`npm test` checks the types). */
async function wrongUses({ db, tx }: { db: Reader; tx: Tx }): Promise<void> {
  // @ts-expect-error a change needs a transaction
  await rename.run(db, { id: '1', name: 'two' });
  // @ts-expect-error a change with RETURNING needs a transaction
  await remove.first(db, { id: '1' });
  // @ts-expect-error so does one whose rows are all read
  await remove.all(db, { id: '1' });
  // @ts-expect-error and one whose rows are not read
  await remove.run(db, { id: '1' });
  // @ts-expect-error a change without RETURNING has no rows
  await rename.all(tx, { id: '1', name: 'two' });
  // @ts-expect-error a lock outside a transaction ends with its statement
  await hold.first(db, { id: '1' });
  // @ts-expect-error a selection is not run
  await find.run(tx, { id: '1' });
  // @ts-expect-error several rows are a change as well
  await insertThings(db, [{ id: '1', name: 'one' }]);
  // @ts-expect-error a change whose shape depends on the request is a change
  await query(db, (q) => q.deleteFrom('things'));
  // @ts-expect-error and a lock is a lock
  await query(db, (q, dialect) => locked(dialect, q.selectFrom('things').selectAll()));
  // @ts-expect-error every value is given
  await rename.run(tx, { id: '1' });
  await query(db, (q) => q.selectFrom('things').selectAll());
  await query(tx, (q) => q.deleteFrom('things'));
  await query(db, (q) => rawSelect(q, sql<{ id: string }>`SELECT id FROM things`));
}
void wrongUses;
