import { describe, expect, it } from 'vitest';
import { FairQueue, QueueFull, type QueueLimits } from './fair-queue.ts';

const LIMITS = { atOnce: 1, waitingOfSource: 3, waitingInLane: 8 };

/** Work that ends when it is told to, and tells the order in which it was begun. */
function bench(limits: QueueLimits = LIMITS) {
  const queue = new FairQueue(limits);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, source: string, known = false) =>
    queue.run({ source, known }, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const finish = async (jobs: readonly Promise<unknown>[]) => {
    let settled = false;
    const all = Promise.allSettled(jobs).then(() => {
      settled = true;
    });
    while (!settled) {
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return all;
  };
  return { add, begun, finish };
}

describe('a queue of several sources', () => {
  it('lets each have its turn, however many another one has waiting', async () => {
    const { add, begun, finish } = bench();
    const jobs = ['a1', 'a2', 'a3', 'a4'].map((name) => add(name, 'a'));
    jobs.push(add('b1', 'b'), add('c1', 'c'), add('b2', 'b'));
    await finish(jobs);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('has a lane for the known ones, which takes turns with the other', async () => {
    const { add, begun, finish } = bench();
    const jobs = ['a', 'b', 'c', 'd'].map((source) => add(source, source));
    jobs.push(add('known', 'a', true), add('known too', 'a', true));
    await finish(jobs);
    expect(begun).toEqual(['a', 'known', 'b', 'known too', 'c', 'd']);
  });

  it('refuses more than may wait of one source, or in a lane, and goes on', async () => {
    const { add, begun, finish } = bench();
    const jobs = ['a1', 'a2', 'a3', 'a4'].map((name) => add(name, 'a'));
    await expect(add('a5', 'a')).rejects.toMatchObject({ ofSource: true });
    for (const source of ['b', 'c', 'd', 'e', 'f']) jobs.push(add(source, source));
    await expect(add('g', 'g')).rejects.toThrow(QueueFull);
    jobs.push(add('known', 'g', true));
    await finish(jobs);
    expect(begun).toHaveLength(10);
    const later = add('later', 'a');
    await finish([later]);
    expect(begun.at(-1)).toBe('later');
  });

  it('refuses what waits too long, and goes on with what has just come', async () => {
    const { add, begun, finish } = bench({ ...LIMITS, longestWaitMs: 1 });
    const first = add('first', 'a');
    await expect(add('late', 'a')).rejects.toMatchObject({ ofSource: false });
    await expect(add('late too', 'b', true)).rejects.toThrow(QueueFull);
    await finish([first]);
    await finish([add('next', 'b')]);
    expect(begun).toEqual(['first', 'next']);
  });

  it('goes on after work that fails', async () => {
    const queue = new FairQueue({ atOnce: 1, waitingOfSource: 1, waitingInLane: 1 });
    const origin = { source: 'a', known: false };
    const failing = queue.run(origin, () => Promise.reject(new Error('no')));
    const next = queue.run(origin, async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
