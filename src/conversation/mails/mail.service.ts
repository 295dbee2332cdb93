import { attribute, Conflict, listPageById, lookUp, type Origin, type Page, timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { MailRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import type { Compose } from './compose.ts';
import type { Mail } from './mail.schema.ts';
import { findMail, listMails, requeueMail } from './mail.store.ts';
import { escapeHtml, render, subjectOf } from './mail.template.ts';

/**
 * Administrators do not see mails about messages: what people write to each other, and who wrote to whom, is private.
 */
const PRIVATE = {
  subject: 'New messages',
  text: '(messages of others)',
  html: '<p>(messages of others)</p>',
};
const MASK = '(hidden)';

const isKept = ({ status }: MailRow) => status === 'kept';

export type MailService = ReturnType<typeof mailService>;

/**
 * The mails of the server for its administrators. A mail that was not sent is shown as it would be sent now.
 * @param deps.canSend whether there is a mail server: without one, mails are kept
 */
export function mailService(deps: {
  db: Database;
  clock: Clock;
  compose: Compose;
  canSend: boolean;
  wakeSender: () => void;
  record: Recorder;
}) {
  const { db, clock, compose, canSend, wakeSender, record } = deps;

  /** Kept mails are told of, and before they are shown: they hold links that open accounts. */
  async function tell(origin: Origin, entry: Parameters<Recorder>[1]): Promise<void> {
    await db.write(async (tx) => {
      attribute(tx, origin);
      await record(tx, entry);
    });
  }

  async function list(page: Page, origin: Origin) {
    const { rows, next } = await listPageById(page, (bounds) => listMails(db, bounds));
    const kept = rows.filter(isKept).length;
    if (kept > 0) await tell(origin, { action: 'mail.read', detail: { kept } });
    return { mails: await Promise.all(rows.map(present)), next };
  }

  const access = (id: string): Promise<MailRow> => lookUp(id, (known) => findMail.first(db, { id: known }));

  async function get(id: string, origin: Origin): Promise<Mail> {
    const row = await access(id);
    if (isKept(row)) await tell(origin, { action: 'mail.read', target: ['mail', row.id] });
    return present(row);
  }

  /**
   * Sends it now, also if it was sent or failed before, as what is true now has it. It has the same Message-ID, and goes
   * nowhere when there is nothing to tell any more.
   */
  async function resend(id: string, origin: Origin): Promise<Mail> {
    const row = await access(id);
    if (!canSend) throw new Conflict('no_mail_server', 'This server has no SMTP_URL to send mails with');
    await db.write(async (tx) => {
      attribute(tx, origin);
      await requeueMail.run(tx, { id: row.id, now: clock() });
      await record(tx, { action: 'mail.resent', target: ['mail', row.id] });
      tx.afterCommit(wakeSender);
    });
    return present(await access(row.id));
  }

  async function present(row: MailRow): Promise<Mail> {
    return {
      id: row.id,
      to: row.recipient,
      kind: row.kind,
      status: row.status,
      num_attempts: row.num_attempts,
      reason: row.reason,
      created_at: timestamp(row.created_at),
      ...(row.kind === 'messages' ? PRIVATE : await show(row)),
    };
  }

  async function show(
    row: MailRow,
  ): Promise<Pick<Mail, 'subject' | 'text' | 'html'> & Partial<Pick<Mail, 'to' | 'status' | 'reason'>>> {
    const made = await compose(db, row);
    if ('dropped' in made) {
      const text = `(not shown: ${made.dropped})`;
      return {
        subject: row.status === 'sent' ? row.subject : text,
        text,
        html: `<p>${escapeHtml(text)}</p>`,
        ...(row.status === 'kept' && { status: 'dropped', reason: made.dropped }),
      };
    }
    const { to, content, secret } = made;
    const { text, html } = render(content);
    const hide = (shown: string) =>
      secret === undefined || row.status === 'kept' ? shown : shown.replaceAll(secret, MASK);
    const hasGone = row.status === 'sent' || row.status === 'failed';
    return { subject: subjectOf(content), text: hide(text), html: hide(html), ...(!hasGone && { to }) };
  }

  return { list, get, resend };
}
