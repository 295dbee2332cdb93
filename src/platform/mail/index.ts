export { type MailOutcome, type MailTransport, type OutgoingMail, smtpTransport } from './smtp.ts';
export { readSender, readSmtpUrl, type Sender, type SmtpServer } from './smtp-url.ts';
