import type { Database } from '#platform/db/index.ts';
import { purgeInvitationMails } from './invitation-limits.store.ts';
import { INVITATION_MAILS_PER_MS } from './invitation-limits.ts';
import { purgeJobs } from './job.store.ts';
import { purgeMails } from './mail.store.ts';
import { purgeNotifications } from './notification.store.ts';

/** Deletes what is over and older than `before`, and what counted for a day. */
export function purgeMail(db: Database, before: number, now: number): Promise<void> {
  return db.write(async (tx) => {
    await purgeInvitationMails.run(tx, { before: now - INVITATION_MAILS_PER_MS });
    await purgeMails.run(tx, { before });
    await purgeNotifications.run(tx, { before });
    await purgeJobs.run(tx, { before });
  });
}
