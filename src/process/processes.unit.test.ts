import { describe, expect, it } from 'vitest';
import { countProcesses, environmentOf, ownProcess, shareOf } from './processes.ts';

const GIB = 2 ** 30;
const config = { PROCESSES: 'auto', DATABASE_URL: 'postgres://x', PORT: 3000 } as const;

describe('PROCESSES=auto', () => {
  it.each([
    [1, 16, 1],
    [2, 16, 1],
    [3, 16, 2],
    [5, 16, 4],
    [64, 256, 4],
    [8, 1.9, 1],
    [8, 2, 2],
    [8, 0.5, 1],
  ])('with %d processors and %d GiB is %d', (processors, gib, count) => {
    expect(countProcesses(config, { processors, memory: gib * GIB })).toBe(count);
  });

  it('is one on the embedded database, and where the system chooses the port', () => {
    const machine = { processors: 8, memory: 16 * GIB };
    expect(countProcesses({ ...config, DATABASE_URL: undefined }, machine)).toBe(1);
    expect(countProcesses({ ...config, PORT: 0 }, machine)).toBe(1);
    expect(countProcesses({ ...config, PROCESSES: 6 }, machine)).toBe(6);
  });

  it('leaves room in a PostgreSQL with its usual settings: connections are shared out', () => {
    for (const processes of [1, 2, 3, 4]) {
      expect(processes * shareOf(20, processes)).toBeLessThanOrEqual(20);
      expect(shareOf(20, processes)).toBeGreaterThanOrEqual(5);
    }
    expect(shareOf(2, 4)).toBe(2);
  });
});

it('an environment alone makes no process one of several: a supervisor has a channel to it', () => {
  const environment = environmentOf({ number: 2, of: 3 });
  const { send } = process;
  try {
    process.send = undefined;
    expect(ownProcess(environment)).toBeUndefined();
    process.send = () => true;
    expect(ownProcess(environment)).toEqual({ number: 2, of: 3 });
    expect(ownProcess({})).toBeUndefined();
  } finally {
    process.send = send;
  }
});
