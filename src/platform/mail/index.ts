export { isMailAddress } from './address.ts';
export { MAILS_AT_ONCE, type MailOutcome, type MailTransport, type OutgoingMail } from './smtp.ts';
export { readSender, readSmtpUrl, type Sender, type SmtpServer } from './smtp-url.ts';
