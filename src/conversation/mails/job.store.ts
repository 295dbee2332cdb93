import { locked } from '#platform/db/index.ts';
import { insertion, type MailJobRow, statement } from '#schema';

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

/** The same, for those that come with every message. */
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

/** Tells without a transaction whether there is anything to do. */
export const anyJobDue = statement<{ now: number }>()((q, p) =>
  q
    .selectFrom('mail_jobs')
    .select('id')
    .where('next_attempt_at', 'is not', null)
    .where('next_attempt_at', '<=', p.now)
    .limit(1),
);

/**
 * Jobs that are due and that no other node is at. The lock is their lease: it lasts as long as the transaction, so
 * what a dead node did not finish is free at once, as it was before.
 */
export const holdDueJobs = statement<{ now: number; limit: number }>()((q, p, dialect) => {
  const due = q
    .selectFrom('mail_jobs')
    .selectAll()
    .where('next_attempt_at', 'is not', null)
    .where('next_attempt_at', '<=', p.now)
    .orderBy('next_attempt_at')
    .limit(p.limit);
  return locked(dialect, due, 'skip locked');
});

/** Goes to the end of the queue, so that a large team does not keep everybody else waiting. */
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

/** Of what failed too often nothing will come any more. */
export const purgeJobs = statement<{ before: number }>()((q, p) =>
  q.deleteFrom('mail_jobs').where('created_at', '<', p.before).where('next_attempt_at', 'is', null),
);

export const deleteResetsOf = statement<{ emailKey: string }>()((q, p) =>
  q.deleteFrom('mail_jobs').where('email_key', '=', p.emailKey),
);
