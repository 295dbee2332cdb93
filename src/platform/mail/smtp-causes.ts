import type { SmtpServer } from './smtp-url.ts';

export type SmtpError = Error & {
  /** The code of nodemailer or Node. */
  code?: string;
  responseCode?: number;
  command?: string;
  response?: string;
};

const REASON_CHARACTERS = 300;

/** What a mail server said, on one line and not longer than the log needs. */
export const inOneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, REASON_CHARACTERS);

/** The cause of a failure before any mail was offered, in a sentence, and what to do in another. */
export function whyUnusable(error: SmtpError, server: SmtpServer): string {
  return `${inOneLine(error.response ?? error.message).replace(/\.$/, '')}. ${adviceFor(error, server)}`;
}

function adviceFor({ code = '', command, message }: SmtpError, server: SmtpServer): string {
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message))
    return 'The name has no address: check the host in SMTP_URL, and the name servers of this machine.';
  if (code === 'EAUTH' || command?.startsWith('AUTH'))
    return 'Check user and password in SMTP_URL; a character such as @ or : is written as %40 or %3A there.';
  if (/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/.test(message))
    return 'Nobody answers there: check host and port in SMTP_URL, and whether the mail server runs.';
  if (/certificate|CERT_|altnames/i.test(message))
    return 'Its certificate is not trusted: give NODE_EXTRA_CA_CERTS the one that signed it, or put ?tls=optional behind SMTP_URL to take any.';
  if (/wrong version number|packet length too long/i.test(message)) return otherTls(server);
  if (code === 'ETLS' || command === 'STARTTLS')
    return 'It offers no STARTTLS, and a password goes over an encrypted connection alone: use smtps://, or put ?tls=optional behind SMTP_URL.';
  if (code === 'ETIMEDOUT')
    return `It did not answer in time: a firewall may be in between. ${otherTls(server)}`;
  if (command === 'EHLO' || command === 'HELO') {
    const as =
      server.name === undefined ? 'It was greeted by an address' : `It was greeted as ${server.name}`;
    return `${as}: set BASE_URL, whose host is the name in EHLO, or put ?name=chat.example.org behind SMTP_URL.`;
  }
  return 'Check host and port in SMTP_URL, and the log of the mail server.';
}

const otherTls = ({ secure }: SmtpServer) =>
  secure
    ? 'The port may expect STARTTLS: try smtp:// in SMTP_URL.'
    : 'The port may expect TLS from the first byte: try smtps:// in SMTP_URL.';
