import type { Cipher } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type KeepLease, LEASE_MS, type OnAttempt } from '#platform/jobs/index.ts';
import type { MailOutcome, MailTransport } from '#platform/mail/index.ts';
import type { MailRow } from '#schema';
import { findUser } from '../../people/users/index.ts';
import { decryptBody } from './mail.body.ts';
import { anyMailDue, claimDueMails, finishMail, renewMail } from './mail.store.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long to wait after each failed attempt; after the last one the mail has failed. */
export const MAIL_BACKOFF_MS = [
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];

const AT_ONCE = 8;

/** One round: sends what is due. A row is claimed before its mail goes out, and never held by a transaction meanwhile. */
export function mailSender(deps: {
  db: Database;
  clock: Clock;
  cipher: Cipher;
  transport: MailTransport;
  keepLease: KeepLease;
  onAttempt: OnAttempt;
  onFailure: (mail: Pick<MailRow, 'id' | 'kind'>, reason: string) => void;
  onError: (error: unknown) => void;
}) {
  const { db, clock, cipher, transport, keepLease, onAttempt, onFailure, onError } = deps;

  return async function sendDue(): Promise<boolean> {
    if (!(await anyMailDue.first(db, { now: clock() }))) return false;
    const due = await db.write((tx) => {
      const now = clock();
      return claimDueMails.all(tx, { now, leaseUntil: now + LEASE_MS, limit: AT_ONCE });
    });
    const results = await Promise.allSettled(due.map(attempt));
    for (const result of results) if (result.status === 'rejected') onError(result.reason);
    return due.length === AT_ONCE;
  };

  async function attempt(mail: MailRow): Promise<void> {
    const lease = keepLease(mail.lease_until, (tx, to) => renewMail.first(tx, { id: mail.id, ...to }));
    const outcome = await send(mail).finally(lease.end);
    const lease_until = await lease.end();
    const now = clock();
    const wait = !outcome.ok && !outcome.permanent ? MAIL_BACKOFF_MS[mail.num_failures] : undefined;
    if (!outcome.ok) onFailure(mail, outcome.reason);
    onAttempt(outcome.ok ? 'succeeded' : wait === undefined ? 'given_up' : 'failed');
    await db.write((tx) =>
      finishMail.run(tx, {
        id: mail.id,
        status: outcome.ok ? 'sent' : wait === undefined ? 'failed' : 'pending',
        reason: outcome.ok ? null : outcome.reason,
        num_failures: mail.num_failures + (outcome.ok ? 0 : 1),
        next_attempt_at: wait === undefined ? null : now + wait,
        lease_until,
        updated_at: now,
      }),
    );
  }

  async function send(mail: MailRow): Promise<MailOutcome> {
    if (mail.user_id !== null && (await findUser.first(db, { id: mail.user_id }))?.active !== 1) {
      return { ok: false, permanent: true, reason: 'The account was deactivated' };
    }
    const { text, html, unsubscribeUrl } = decryptBody(cipher, mail.body_ciphertext);
    return transport.send({
      to: mail.recipient,
      subject: mail.subject,
      text,
      html,
      messageId: mail.message_id,
      headers: {
        // RFC 3834: no holiday notice answers it.
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribeUrl !== undefined && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    });
  }
}
