import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { QueueFull } from './fair-queue.ts';
import { Turns } from './turns.ts';

/** Pieces of work that end when they are told to, and the order in which they began. */
function pieces(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (source: string, name: string, target?: string) =>
    turns.run(
      source,
      () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      target,
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    await nextTurn();
  };
  return { begun, add, end };
}

it('sources take turns, and one has no more than its share', async () => {
  const turns = new Turns({ atOnce: 3, ofSource: 2 });
  const { begun, add, end } = pieces(turns);
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => add(name.charAt(0), name));
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  expect([turns.countOf('a'), turns.countOf('b'), turns.countOf('x')]).toEqual([4, 2, 0]);
  await end('b1');
  expect(begun.at(-1)).toBe('b2');
  await end('b2');
  expect(begun.at(-1)).toBe('c1');
  await end('c1');
  // There is room, but not for more of one source.
  expect(begun).toHaveLength(5);
  await end('a1');
  expect(begun.at(-1)).toBe('a3');
  await end('a2');
  await end('a3');
  await end('a4');
  await Promise.all(all);
  expect(turns.countOf('a')).toBe(0);
});

it('what fails gives its place to the next', async () => {
  const turns = new Turns({ atOnce: 1, ofSource: 1 });
  const failing = turns.run('a', () => Promise.reject(new Error('of this one alone')));
  const next = turns.run('a', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('of this one alone');
  expect(await next).toBe('done');
});

it('what would wait beyond the limits is refused, and takes no place', async () => {
  const turns = new Turns({ atOnce: 1, ofSource: 1, waitingOfSource: 2, waiting: 3 });
  const { begun, add, end } = pieces(turns);
  const all = ['a1', 'a2', 'a3'].map((name) => add('a', name));
  await expect(add('a', 'a4')).rejects.toThrow(new QueueFull(true));
  all.push(add('b', 'b1'));
  await expect(add('b', 'b2')).rejects.toThrow(new QueueFull(false));
  await end('a1');
  all.push(add('b', 'b3'));
  for (const name of ['a2', 'b1', 'a3', 'b3']) await end(name);
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b3']);
});

it('what waits for its target lets others of its source pass', async () => {
  const turns = new Turns({ atOnce: 3, ofSource: 3, ofTarget: 1 });
  const { begun, add, end } = pieces(turns);
  const all = [add('a', 'a1', 'crowded'), add('b', 'b1', 'crowded'), add('b', 'b2', 'quiet')];
  expect(begun).toEqual(['a1', 'b2']);
  await end('b2');
  all.push(add('b', 'b3', 'quiet'));
  expect(begun).toEqual(['a1', 'b2', 'b3']);
  await end('a1');
  expect(begun.at(-1)).toBe('b1');
  for (const name of ['b1', 'b3']) await end(name);
  await Promise.all(all);
});

it('what waits too long is refused, and leaves its place in the queue to the next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const turns = new Turns({ ofSource: 1, longestWaitMs: 1000 });
  const { begun, add, end } = pieces(turns);
  const first = add('a', 'a1');
  const second = add('a', 'a2');
  const refused = expect(second).rejects.toThrow(new QueueFull(true));
  vi.advanceTimersByTime(500);
  const third = add('a', 'a3');
  vi.advanceTimersByTime(500);
  await refused;
  await end('a1');
  expect(begun).toEqual(['a1', 'a3']);
  await end('a3');
  await Promise.all([first, third]);
  expect(turns.countOf('a')).toBe(0);
  vi.useRealTimers();
});
