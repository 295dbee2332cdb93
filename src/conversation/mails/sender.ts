import type { Cipher } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type KeepLease, type OnAttempt, retryAt } from '#platform/jobs/index.ts';
import type { MailOutcome, MailTransport } from '#platform/mail/index.ts';
import type { MailRow } from '#schema';
import { findUser } from '../../people/users/index.ts';
import { decryptBody } from './mail.body.ts';
import { claimDueMails, renewMail, settleMail } from './mail.store.ts';

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

/** One round: claims the mails that are due and sends them. No transaction is open while a mail goes out. */
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
    const due = await claimDueMails(db, clock, AT_ONCE);
    const results = await Promise.allSettled(due.map(attempt));
    for (const result of results) if (result.status === 'rejected') onError(result.reason);
    return due.length === AT_ONCE;
  };

  async function attempt(mail: MailRow): Promise<void> {
    const lease = keepLease(mail.lease_until, (tx, to) => renewMail.first(tx, { id: mail.id, ...to }));
    const outcome = await send(mail).finally(lease.end);
    const lease_until = await lease.end();
    const now = clock();
    const isFinal = outcome.ok || outcome.permanent;
    const next_attempt_at = isFinal ? null : retryAt(now, MAIL_BACKOFF_MS, mail.num_failures);
    if (!outcome.ok) onFailure(mail, outcome.reason);
    onAttempt(outcome.ok ? 'succeeded' : next_attempt_at === null ? 'given_up' : 'failed');
    await db.write((tx) =>
      settleMail.run(tx, {
        id: mail.id,
        status: outcome.ok ? 'sent' : next_attempt_at === null ? 'failed' : 'pending',
        reason: outcome.ok ? null : outcome.reason,
        num_failures: mail.num_failures + (outcome.ok ? 0 : 1),
        next_attempt_at,
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
