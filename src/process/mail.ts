import { type MailTransport, readSender } from '#platform/mail/index.ts';
import type { Config } from './config.ts';

/** Loads the client of mail servers only where one is set, to keep an idle server small. */
export async function mailTransportOf({
  SMTP_URL,
  MAIL_FROM,
  BASE_URL,
}: Config): Promise<MailTransport | undefined> {
  const from = MAIL_FROM === undefined ? undefined : readSender(MAIL_FROM);
  if (!SMTP_URL || !from) return undefined;
  const { smtpTransport } = await import('#platform/mail/smtp.ts');
  return smtpTransport(SMTP_URL, from, BASE_URL === undefined ? undefined : new URL(BASE_URL).hostname);
}
