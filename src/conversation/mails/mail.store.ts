import { locked, type Reader } from '#platform/db/index.ts';
import { type MailRow, query, renewal, statement } from '#schema';

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

/** Tells without a transaction whether there is anything to claim. */
export const anyMailDue = statement<{ now: number }>()((q, p) =>
  q
    .selectFrom('mails')
    .select('id')
    .where('next_attempt_at', 'is not', null)
    .where('next_attempt_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .limit(1),
);

/** Takes what is due for as long as the lease; a node that dies loses it and another one goes on. */
export const claimDueMails = statement<{ now: number; leaseUntil: number; limit: number }>()(
  (q, p, dialect) => {
    const due = q
      .selectFrom('mails')
      .select('id')
      .where('next_attempt_at', 'is not', null)
      .where('next_attempt_at', '<=', p.now)
      .where('lease_until', '<=', p.now)
      .orderBy('next_attempt_at')
      .limit(p.limit);
    return q
      .updateTable('mails')
      .set((eb) => ({ lease_until: p.leaseUntil, num_attempts: eb('num_attempts', '+', 1) }))
      .where('id', 'in', locked(dialect, due, 'skip locked'))
      .returningAll();
  },
);

export const renewMail = renewal('mails', ['id', 'lease_until']);

/** Records how an attempt ended; changes nothing when the lease ran out and another node has it. */
export const finishMail = statement<
  Pick<
    MailRow,
    'id' | 'status' | 'reason' | 'num_failures' | 'next_attempt_at' | 'lease_until' | 'updated_at'
  >
>()((q, p) =>
  q
    .updateTable('mails')
    .set({
      status: p.status,
      reason: p.reason,
      num_failures: p.num_failures,
      next_attempt_at: p.next_attempt_at,
      lease_until: 0,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id)
    .where('lease_until', '=', p.lease_until),
);

export const requeueMail = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('mails')
    .set({ status: 'pending', num_failures: 0, next_attempt_at: p.now, updated_at: p.now })
    .where('id', '=', p.id),
);

/** What waits to be sent stays, however old it is. */
export const purgeMails = statement<{ before: number }>()((q, p) =>
  q.deleteFrom('mails').where('created_at', '<', p.before).where('next_attempt_at', 'is', null),
);

/** To an address, whoever had it then. */
export const deleteMailsTo = statement<{ emailKey: string }>()((q, p) =>
  q.deleteFrom('mails').where((eb) => eb.fn<string>('lower', ['recipient']), '=', p.emailKey),
);

export const deleteMailsOf = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('mails').where('user_id', '=', p.userId),
);

/** What told, or will tell, one person about memberships; the newest first. */
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
export const deleteHeldMail = statement<{ id: string; now: number }>()((q, p) =>
  q
    .deleteFrom('mails')
    .where('id', '=', p.id)
    .where('status', 'in', ['pending', 'kept'])
    .where('lease_until', '<=', p.now)
    .returning('id'),
);
