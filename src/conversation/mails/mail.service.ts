import { Conflict, listPageById, lookUp, type Page, timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { MailRow } from '#schema';
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
}) {
  const { db, clock, compose, canSend, wakeSender } = deps;

  async function list(page: Page) {
    const { rows, next } = await listPageById(page, (bounds) => listMails(db, bounds));
    return { mails: await Promise.all(rows.map(present)), next };
  }

  const access = (id: string): Promise<MailRow> => lookUp(id, (known) => findMail.first(db, { id: known }));

  const get = async (id: string) => present(await access(id));

  /**
   * Sends it now, also if it was sent or failed before, as what is true now has it. It has the same Message-ID, and goes
   * nowhere when there is nothing to tell any more.
   */
  async function resend(id: string): Promise<Mail> {
    const row = await access(id);
    if (!canSend) throw new Conflict('no_mail_server', 'This server has no SMTP_URL to send mails with');
    await db.write(async (tx) => {
      await requeueMail.run(tx, { id: row.id, now: clock() });
      tx.afterCommit(wakeSender);
    });
    return get(row.id);
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
