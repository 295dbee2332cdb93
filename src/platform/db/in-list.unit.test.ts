import { expect, it } from 'vitest';
import { asTransaction, type Dialect } from './database.ts';
import { inIdList, inTextList } from './in-list.ts';
import { queriesFor } from './statement.ts';

const { query, statement } = queriesFor<{ things: { id: string; name: string } }>();

const findAmong = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('things')
    .selectAll()
    .where(inIdList(dialect, 'id', p.ids)),
);

it.each<Dialect>(['sqlite', 'postgres'])('on %s, a list of any length is one parameter', async (dialect) => {
  const asked: [string, readonly unknown[]][] = [];
  const db = asTransaction({
    dialect,
    all: async (text, parameters) => {
      asked.push([text, parameters]);
      return [];
    },
    afterCommit: () => undefined,
    gather: () => undefined,
  });
  for (const list of [['a'], ['a', 'b', 'c']]) {
    await findAmong.all(db, { ids: list });
    await query(db, (q) =>
      q
        .selectFrom('things')
        .selectAll()
        .where(inTextList(dialect, 'name', list)),
    );
  }
  const [ids, names, moreIds, moreNames] = asked;
  expect(ids?.[1]).toEqual([['a']]);
  expect(names?.[1]).toEqual([['a']]);
  expect(moreIds).toEqual([ids?.[0], [['a', 'b', 'c']]]);
  expect(moreNames).toEqual([names?.[0], [['a', 'b', 'c']]]);
});
