export { isMailAddress } from './address.ts';
export type { MailOutcome, MailTransport, OutgoingMail } from './smtp.ts';
export { readSender, readSmtpUrl, type Sender, type SmtpServer } from './smtp-url.ts';
