import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import { purgeInvitationMails } from './invitation-limits.store.ts';
import { INVITATION_MAILS_PER_MS } from './invitation-limits.ts';
import { purgeJobs } from './job.store.ts';
import { purgeMails } from './mail.store.ts';
import { purgeNotifications } from './notification.store.ts';

/** The tasks that delete what is over and older than `keptMs`, and what counted for a day. */
export const mailCleaning = (db: Database, clock: Clock, keptMs: number) => {
  const old = () => ({ before: clock() - keptMs });
  return [
    cleaning(db, purgeInvitationMails, () => ({ before: clock() - INVITATION_MAILS_PER_MS })),
    cleaning(db, purgeMails, old),
    cleaning(db, purgeNotifications, old),
    cleaning(db, purgeJobs, old),
  ];
};
