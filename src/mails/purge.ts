import type { Database } from '#platform/db/index.ts';
import { purgeJobs } from './job.store.ts';
import { purgeMails } from './mail.store.ts';
import { purgeNotifications } from './notification.store.ts';

/** Deletes what is over and older than `before`. */
export function purgeMail(db: Database, before: number): Promise<void> {
  return db.write(async (tx) => {
    await purgeMails.all(tx, { before });
    await purgeNotifications.all(tx, { before });
    await purgeJobs.all(tx, { before });
  });
}
