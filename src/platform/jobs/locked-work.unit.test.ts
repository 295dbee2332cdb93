import { expect, it } from 'vitest';
import { asTransaction, type Database, DatabaseUnavailable, type Tx } from '../db/database.ts';
import { lockedWork } from './locked-work.ts';

it('a job that fails since the database is away is not to blame, and the absence is told as such', async () => {
  const tx = asTransaction({
    dialect: 'postgres',
    all: async () => [],
    afterCommit: () => undefined,
    gather: () => undefined,
  });
  const told: unknown[] = [];
  const round = lockedWork<{ num_failures: number }>({
    db: { write: (work: (tx: Tx) => Promise<unknown>) => work(tx) } as Database,
    clock: () => 0,
    queue: {
      anyDue: { first: async () => undefined },
      lockDue: { all: async () => [{ num_failures: 0 }] },
    } as never,
    limits: { jobs: 1, work: 1 },
    carryOut: () => Promise.reject(new DatabaseUnavailable('lost')),
    postpone: async () => told.push('postponed'),
    onAttempt: (attempt) => told.push(attempt),
    onError: (error) => told.push(error),
  });
  await expect(round(true)).rejects.toThrow(DatabaseUnavailable);
  expect(told).toEqual([]);
});
