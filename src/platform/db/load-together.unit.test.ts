import { expect, test } from 'vitest';
import { loadTogether } from './load-together.ts';

function table(rows: Map<string, number>) {
  const asked: string[][] = [];
  const lookUp = loadTogether(
    async (keys) => {
      asked.push([...keys]);
      return keys.flatMap((key) => (rows.has(key) ? [{ key, value: rows.get(key) }] : []));
    },
    ({ key }) => key,
  );
  return { asked, lookUp };
}

test('look-ups of one turn are one statement, with each key once', async () => {
  const { asked, lookUp } = table(new Map([['a', 1]]));
  const answers = await Promise.all([lookUp('a'), lookUp('none'), lookUp('a')]);
  expect(answers).toEqual([{ key: 'a', value: 1 }, undefined, { key: 'a', value: 1 }]);
  expect(asked).toEqual([['a', 'none']]);
});

test('an answer is not kept: the next look-up sees what changed', async () => {
  const rows = new Map([['a', 1]]);
  const { lookUp } = table(rows);
  expect(await lookUp('a')).toEqual({ key: 'a', value: 1 });
  const asked = lookUp('a');
  // The statement has not run yet.
  rows.delete('a');
  expect(await asked).toBeUndefined();
});

test('a failure reaches all who asked, and not those who ask later', async () => {
  let fails = true;
  const lookUp = loadTogether(
    async (keys) => {
      if (fails) throw new Error('away');
      return keys;
    },
    (key) => key,
  );
  const answers = await Promise.allSettled([lookUp('a'), lookUp('b')]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await lookUp('a')).toBe('a');
});
