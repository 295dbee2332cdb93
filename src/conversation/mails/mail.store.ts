import type { Reader } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { deletion, leasedQueue, type MailRow, query, rewriting, statement } from '#schema';

export const insertMail = statement<MailRow>()((q, p) =>
  q.insertInto('mails').values({
    id: p.id,
    kind: p.kind,
    user_id: p.user_id,
    recipient: p.recipient,
    subject: p.subject,
    body_ciphertext: p.body_ciphertext,
    message_id: p.message_id,
    status: p.status,
    reason: p.reason,
    num_attempts: p.num_attempts,
    num_failures: p.num_failures,
    next_attempt_at: p.next_attempt_at,
    lease_until: p.lease_until,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

export const findMail = statement<{ id: string }>()((q, p) =>
  q.selectFrom('mails').selectAll().where('id', '=', p.id),
);

/** The newest first. */
export function listMails(
  db: Reader,
  page: { limit: number; before: string | undefined },
): Promise<MailRow[]> {
  return query(db, (q) => {
    let found = q.selectFrom('mails').selectAll();
    if (page.before !== undefined) found = found.where('id', '<', page.before);
    return found.orderBy('id', 'desc').limit(page.limit);
  });
}

const queue = leasedQueue('mails', {
  key: 'id',
  due: 'next_attempt_at',
  lease: 'lease_until',
  attempts: 'num_attempts',
  failures: 'num_failures',
});

export const { claimDue: claimDueMails, renew: renewMail, state: mailsState } = queue;

export const settleMail = queue.settle([
  'recipient',
  'subject',
  'status',
  'reason',
  'num_failures',
  'next_attempt_at',
  'updated_at',
]);

export const requeueMail = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('mails')
    .set({ status: 'pending', num_failures: 0, next_attempt_at: p.now, updated_at: p.now })
    .where('id', '=', p.id),
);

/** Keeps mails of any age that wait to be sent. */
export const purgeMails = deletion('mails')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<', p.before).where('next_attempt_at', 'is', null),
);

/** Deletes the mails to an address, of all accounts that had it. */
export const deleteMailsTo = statement<{ emailKey: string }>()((q, p) =>
  q.deleteFrom('mails').where((eb) => eb.fn<string>('lower', ['recipient']), '=', p.emailKey),
);

export const deleteMailsOf = deletion('mails')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

/** Mails about memberships to one person, sent or waiting, newest first. */
export const listMembershipMails = statement<{ userId: string; since: number }>()((q, p) =>
  q
    .selectFrom('mails')
    .select(['id', 'status', 'body_ciphertext', 'updated_at'])
    .where('user_id', '=', p.userId)
    .where('kind', 'in', ['team_removed', 'team_role_changed'])
    .where('created_at', '>', p.since)
    .orderBy('id', 'desc'),
);

/** Deletes a mail that waits, unless a sender has it. */
export const deleteUnsentMail = statement<{ id: string; now: number }>()((q, p) =>
  q
    .deleteFrom('mails')
    .where('id', '=', p.id)
    .where('status', 'in', ['pending', 'kept'])
    .where('lease_until', '<=', p.now)
    .returning('id'),
);

export const rewriteMails = rewriting('mails', { id: LOWEST_ID }, ['body_ciphertext']);

export const forgetMails = statement<object>()((q) => q.deleteFrom('mails'));
