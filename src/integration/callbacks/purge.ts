import type { Database } from '#platform/db/index.ts';
import { type Clock, lowestIdAt } from '#platform/ids.ts';
import { cleaning, type Portion, ROWS_AT_ONCE } from '#platform/jobs/index.ts';
import { deleteAttempts, deleteDeliveries, lockFinished } from './delivery.store.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The tasks that delete calls to applications, with their attempts, after some days; none when `days` is 0. */
export const deliveryCleaning = (db: Database, clock: Clock, days: number) =>
  days === 0 ? [] : [cleaning(db, purgeDeliveries, () => ({ below: lowestIdAt(clock() - days * DAY_MS) }))];

const purgeDeliveries: Portion<{ below: string }> = async (tx, { below }) => {
  const over = await lockFinished.all(tx, { below, limit: ROWS_AT_ONCE });
  const ids = over.map(({ id }) => id);
  await deleteAttempts.run(tx, { ids });
  await deleteDeliveries.run(tx, { ids });
  return over.length === ROWS_AT_ONCE;
};
