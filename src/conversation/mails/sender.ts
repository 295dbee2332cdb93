import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type KeepLease, type OnAttempt, type Rounds, retryAt, startTracks } from '#platform/jobs/index.ts';
import { MAILS_AT_ONCE, type MailOutcome, type MailTransport } from '#platform/mail/index.ts';
import type { MailRow } from '#schema';
import type { Compose, Composed } from './compose.ts';
import { claimDueMails, renewMail, settleMail } from './mail.store.ts';
import { render, subjectOf } from './mail.template.ts';

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

/**
 * Sends the mails that are due. No transaction is open while a mail goes out. One that ends makes room for the next: a receiver
 * that is slow delays nothing but its own mail.
 */
export function startMailSender(deps: {
  db: Database;
  clock: Clock;
  compose: Compose;
  transport: MailTransport;
  keepLease: KeepLease;
  onAttempt: OnAttempt;
  onFailure: (mail: Pick<MailRow, 'id' | 'kind'>, reason: string) => void;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { db, clock, compose, transport, keepLease, onAttempt, onFailure, intervalMs, onError } = deps;

  async function attempt(mail: MailRow): Promise<void> {
    const lease = keepLease(mail.lease_until, (tx, to) => renewMail.first(tx, { id: mail.id, ...to }));
    const settled = await composeAndSend(mail).finally(lease.end);
    const lease_until = await lease.end();
    await db.write((tx) => settleMail.run(tx, { ...mail, ...settled, lease_until, updated_at: clock() }));
  }

  /** Composes it at this moment: what was true when it was queued may not be any more. */
  async function composeAndSend(mail: MailRow): Promise<Partial<MailRow>> {
    const made = await compose(db, mail);
    if ('dropped' in made) return { status: 'dropped', reason: made.dropped, next_attempt_at: null };
    const outcome = await send(mail, made);
    // Left as it was, for the next start.
    if (!outcome.ok && outcome.interrupted) return {};
    const next =
      outcome.ok || outcome.permanent ? null : retryAt(clock(), MAIL_BACKOFF_MS, mail.num_failures);
    if (!outcome.ok) onFailure(mail, outcome.reason);
    onAttempt(outcome.ok ? 'succeeded' : next === null ? 'given_up' : 'failed');
    return {
      recipient: made.to,
      // No administrator reads who wrote to whom.
      subject: mail.kind === 'messages' ? '' : subjectOf(made.content),
      status: outcome.ok ? 'sent' : next === null ? 'failed' : 'pending',
      reason: outcome.ok ? null : outcome.reason,
      num_failures: mail.num_failures + (outcome.ok ? 0 : 1),
      next_attempt_at: next,
    };
  }

  function send(mail: MailRow, { to, content }: Composed): Promise<MailOutcome> {
    const { unsubscribe } = content;
    return transport.send({
      to,
      subject: subjectOf(content),
      ...render(content),
      messageId: mail.message_id,
      headers: {
        // RFC 3834: no holiday notice answers it.
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribe && {
          'List-Unsubscribe': `<${unsubscribe.url}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    });
  }

  return startTracks({
    places: [MAILS_AT_ONCE],
    claim: (_, limit) => claimDueMails(db, clock, limit),
    carryOut: attempt,
    before: async () => undefined,
    intervalMs,
    onError,
  });
}
