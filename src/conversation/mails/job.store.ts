import { deletion, lockedQueue, type MailJobRow, statement } from '#schema';

/** Of the columns for messages, which have a queue of their own now, the cursor may not be null. */
export const insertJob = statement<Omit<MailJobRow, 'cursor'>>()((q, p) =>
  q.insertInto('mail_jobs').values({
    id: p.id,
    kind: p.kind,
    email_key: p.email_key,
    cursor: '',
    num_failures: p.num_failures,
    next_attempt_at: p.next_attempt_at,
    created_at: p.created_at,
  }),
);

export const jobQueue = lockedQueue('mail_jobs', {
  key: 'id',
  due: 'next_attempt_at',
  failures: 'num_failures',
});

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
export const purgeJobs = deletion('mail_jobs')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<', p.before).where('next_attempt_at', 'is', null),
);

export const deleteResetsOf = statement<{ emailKey: string }>()((q, p) =>
  q.deleteFrom('mail_jobs').where('email_key', '=', p.emailKey),
);
