import type { Database } from '#platform/db/index.ts';
import { endInstances } from './consumer.store.ts';
import { endCalls } from './webhook.store.ts';

/**
 * The embedded database has one server: at its start no call to a webhook is under way, and no stream is open. What a killed
 * one was sending goes on at once, and not when its leases run out.
 */
export async function recoverAtStart(db: Database): Promise<void> {
  if (db.dialect !== 'sqlite') return;
  await db.write(async (tx) => {
    await endCalls.run(tx, {});
    await endInstances.run(tx, {});
  });
}
