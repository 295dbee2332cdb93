import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Pace } from './pace.ts';

/** Begins pieces of work. @returns what has begun, in order */
function begin(pace: Pace, pieces: readonly (readonly [source: string, cost: number, isBegun?: boolean])[]) {
  const begun: string[] = [];
  pieces.forEach(([source, cost, isBegun], at) => {
    void pace.turn(source, cost, isBegun).then(() => begun.push(`${source}${at}`));
  });
  return begun;
}

/** What has begun in each of some turns, until nothing more begins. */
async function turns(begun: readonly string[]): Promise<string[][]> {
  const found: string[][] = [];
  await Promise.resolve();
  for (let before = 0; begun.length > before; await nextTurn()) {
    found.push(begun.slice(before));
    before = begun.length;
  }
  return found;
}

it('what fits begins at once, and the rest in the next turns', async () => {
  const begun = begin(new Pace(10), [
    ['a', 5],
    ['a', 5],
    ['a', 5],
    ['a', 6],
  ]);
  await Promise.resolve();
  expect(begun).toEqual(['a0', 'a1']);
  expect(await turns(begun)).toEqual([['a0', 'a1'], ['a2'], ['a3']]);
});

it('what is larger than a turn has one of its own', async () => {
  const begun = begin(new Pace(10), [
    ['a', 100],
    ['a', 100],
    ['b', 1],
  ]);
  expect(await turns(begun)).toEqual([['a0'], ['a1'], ['b2']]);
});

it('sources take turns, however much one of them has', async () => {
  const begun = begin(new Pace(10), [
    ['a', 10],
    ['a', 10],
    ['a', 10],
    ['b', 10],
    ['a', 10],
    ['c', 10],
  ]);
  expect((await turns(begun)).flat()).toEqual(['a0', 'a1', 'b3', 'c5', 'a2', 'a4']);
});

it('what was begun goes on before others of its source', async () => {
  const begun = begin(new Pace(10), [
    ['a', 10],
    ['a', 10],
    ['a', 10, true],
  ]);
  expect((await turns(begun)).flat()).toEqual(['a0', 'a2', 'a1']);
});

it('nothing overtakes what waits, though it would fit', async () => {
  const begun = begin(new Pace(10), [
    ['a', 4],
    ['b', 8],
    ['c', 1],
  ]);
  expect((await turns(begun)).flat()).toEqual(['a0', 'b1', 'c2']);
});
