import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import { purgeInvitationMails } from './invitation-limits.store.ts';
import { INVITATION_MAILS_PER_MS } from './invitation-limits.ts';
import { purgeJobs } from './job.store.ts';
import { purgeMails } from './mail.store.ts';
import { purgeNotifications, purgePushed } from './notification.store.ts';
import { MAIL_BACKOFF_MS } from './sender.ts';

/** A mail that is put off is tried for as long, and a little longer. */
const PUSHED_KEPT_MS = MAIL_BACKOFF_MS.reduce((sum, ms) => sum + ms, 0) * 1.1;

/** The tasks that delete what is over and older than `keptMs`, and what counted for a day. */
export const mailCleaning = (db: Database, clock: Clock, keptMs: number) => {
  const old = () => ({ before: clock() - keptMs });
  return [
    cleaning(db, purgeInvitationMails, () => ({ before: clock() - INVITATION_MAILS_PER_MS })),
    cleaning(db, purgeMails, old),
    cleaning(db, purgeNotifications, old),
    cleaning(db, purgePushed, () => ({ before: clock() - PUSHED_KEPT_MS })),
    cleaning(db, purgeJobs, old),
  ];
};
