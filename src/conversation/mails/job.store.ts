import { insertion, lockedQueue, type MailJobRow, statement } from '#schema';

export const insertJob = statement<MailJobRow>()((q, p) =>
  q.insertInto('mail_jobs').values({
    id: p.id,
    kind: p.kind,
    message_id: p.message_id,
    email_key: p.email_key,
    cursor: p.cursor,
    num_failures: p.num_failures,
    next_attempt_at: p.next_attempt_at,
    created_at: p.created_at,
  }),
);

/** Inserts jobs together: each message comes with one. */
export const insertJobs = insertion('mail_jobs')([
  'id',
  'kind',
  'message_id',
  'email_key',
  'cursor',
  'num_failures',
  'next_attempt_at',
  'created_at',
]);

export const jobQueue = lockedQueue('mail_jobs', { key: 'id', due: 'next_attempt_at' });

/** Puts a job at the end of the queue, so that a large team does not delay all others. */
export const moveJobOn = statement<{ id: string; cursor: string; now: number }>()((q, p) =>
  q.updateTable('mail_jobs').set({ cursor: p.cursor, next_attempt_at: p.now }).where('id', '=', p.id),
);

export const postponeJob = statement<Pick<MailJobRow, 'id' | 'num_failures' | 'next_attempt_at'>>()((q, p) =>
  q
    .updateTable('mail_jobs')
    .set({ num_failures: p.num_failures, next_attempt_at: p.next_attempt_at })
    .where('id', '=', p.id),
);

export const deleteJob = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('mail_jobs').where('id', '=', p.id),
);

/** Deletes old jobs that are not tried any more. */
export const purgeJobs = statement<{ before: number }>()((q, p) =>
  q.deleteFrom('mail_jobs').where('created_at', '<', p.before).where('next_attempt_at', 'is', null),
);

export const deleteResetsOf = statement<{ emailKey: string }>()((q, p) =>
  q.deleteFrom('mail_jobs').where('email_key', '=', p.emailKey),
);
