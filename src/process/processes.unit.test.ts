import { describe, expect, it } from 'vitest';
import { countProcesses, environmentOf, ownProcess, sharesOf } from './processes.ts';

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

  it('shares connections out: PostgreSQL has room for all, and each process some for what chance gives it', () => {
    const limits = { DATABASE_CONNECTIONS: 20, MAX_CONNECTIONS: 20_000, MAX_CONNECTIONS_PER_NETWORK: 10 };
    expect(sharesOf(limits, 1)).toBe(limits);
    for (const processes of [2, 3, 4]) {
      const { DATABASE_CONNECTIONS: toDatabase, MAX_CONNECTIONS: all } = sharesOf(limits, processes);
      expect(processes * toDatabase).toBeLessThanOrEqual(20);
      expect(toDatabase).toBeGreaterThanOrEqual(5);
      expect([all * processes > 20_000, all * processes < 26_000]).toEqual([true, true]);
    }
    expect(sharesOf({ ...limits, DATABASE_CONNECTIONS: 2 }, 4)).toEqual({
      DATABASE_CONNECTIONS: 2,
      MAX_CONNECTIONS: 6250,
      MAX_CONNECTIONS_PER_NETWORK: 4,
    });
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
