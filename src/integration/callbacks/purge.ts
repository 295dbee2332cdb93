import type { Database } from '#platform/db/index.ts';
import { lowestIdAt } from '#platform/ids.ts';
import { deleteAttempts, deleteDeliveries, lockFinished } from './delivery.store.ts';

const DAY_MS = 24 * 3600 * 1000;
const BATCH = 500;

/** Deletes the calls to applications that were made longer ago, with their attempts; none when `days` is 0. */
export async function purgeDeliveries(db: Database, now: number, days: number): Promise<void> {
  if (days === 0) return;
  const below = lowestIdAt(now - days * DAY_MS);
  for (;;) {
    const purged = await db.write(async (tx) => {
      const over = await lockFinished.all(tx, { below, limit: BATCH });
      const ids = over.map(({ id }) => id);
      await deleteAttempts.run(tx, { ids });
      await deleteDeliveries.run(tx, { ids });
      return over.length;
    });
    if (purged < BATCH) return;
  }
}
