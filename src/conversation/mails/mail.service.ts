import { Conflict, listPageById, lookUp, type Page, timestamp } from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { MailRow } from '#schema';
import { decryptBody, encryptBody, type Standing, withoutSecret } from './mail.body.ts';
import type { MailKind } from './mail.facts.ts';
import type { Mail } from './mail.schema.ts';
import { findMail, insertMail, listMails, requeueMail } from './mail.store.ts';
import { type MailContent, oneLine, render } from './mail.template.ts';

export interface NewMail {
  readonly kind: MailKind;
  readonly to: { readonly email: string; readonly userId: string | null };
  readonly content: MailContent;
  /** A token in its links that only the recipient may see. */
  readonly secret?: string;
  readonly standing?: Standing;
  /** Not sent before; now, where it is absent. */
  readonly dueAt?: number;
}

/**
 * Administrators do not see mails about messages: what people write to each other, and who wrote to whom, is private.
 */
const PRIVATE = {
  subject: 'New messages',
  text: '(messages of others)',
  html: '<p>(messages of others)</p>',
};
const MAX_SUBJECT = 200;

export type MailService = ReturnType<typeof mailService>;

/** @param deps.canSend whether there is a mail server: without one, mails are kept */
export function mailService(deps: {
  db: Database;
  clock: Clock;
  cipher: Cipher;
  baseUrl: () => string;
  canSend: boolean;
  wakeSender: () => void;
}) {
  const { db, clock, cipher, baseUrl, canSend, wakeSender } = deps;

  /**
   * Makes a mail that is sent once this transaction is durable, and retried. Without a mail server it is kept for an
   * administrator to pass on, unless it quotes messages: those are not for other eyes.
   */
  async function enqueue(tx: Tx, { kind, to, content, secret, standing, dueAt }: NewMail): Promise<void> {
    if (!canSend && kind === 'messages') return;
    const now = clock();
    const id = newId();
    const body = { ...render(content), secret, standing, unsubscribeUrl: content.unsubscribe?.url };
    await insertMail.run(tx, {
      id,
      kind,
      user_id: to.userId,
      recipient: to.email,
      subject: oneLine(content.subject, MAX_SUBJECT),
      body_ciphertext: encryptBody(cipher, body),
      message_id: `${id}@${new URL(baseUrl()).hostname}`,
      status: canSend ? 'pending' : 'kept',
      reason: null,
      num_attempts: 0,
      num_failures: 0,
      next_attempt_at: canSend ? (dueAt ?? now) : null,
      lease_until: 0,
      created_at: now,
      updated_at: now,
    });
    if (canSend) tx.afterCommit(wakeSender);
  }

  async function list(page: Page) {
    const { rows, next } = await listPageById(page, (bounds) => listMails(db, bounds));
    return { mails: rows.map(present), next };
  }

  const access = (id: string): Promise<MailRow> => lookUp(id, (known) => findMail.first(db, { id: known }));

  const get = async (id: string) => present(await access(id));

  /** Sends it now, also if it was sent or failed before. It is the same mail, with the same Message-ID. */
  async function resend(id: string): Promise<Mail> {
    const row = await access(id);
    if (!canSend) throw new Conflict('no_mail_server', 'This server has no SMTP_URL to send mails with');
    await db.write(async (tx) => {
      await requeueMail.run(tx, { id: row.id, now: clock() });
      tx.afterCommit(wakeSender);
    });
    return get(row.id);
  }

  function present(row: MailRow): Mail {
    const body = decryptBody(cipher, row.body_ciphertext);
    const shown = row.status === 'kept' ? body : withoutSecret(body);
    const { subject, text, html } = row.kind === 'messages' ? PRIVATE : { ...shown, subject: row.subject };
    return {
      id: row.id,
      to: row.recipient,
      subject,
      text,
      html,
      kind: row.kind,
      status: row.status,
      num_attempts: row.num_attempts,
      reason: row.reason,
      created_at: timestamp(row.created_at),
    };
  }

  return { enqueue, list, get, resend };
}
