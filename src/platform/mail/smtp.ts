import { createTransport } from 'nodemailer';
import { isMailAddress } from './address.ts';
import type { Sender, SmtpServer } from './smtp-url.ts';

export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Without angle brackets. Stable across attempts, so that a receiver can detect duplicates. */
  readonly messageId: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A permanent failure would recur on the next attempt; a temporary one may not. */
export type MailOutcome =
  | { readonly ok: true /** What the mail server said last. */; readonly answer: string }
  | { readonly ok: false; readonly permanent: boolean; readonly reason: string };

export interface MailTransport {
  /** Makes one attempt. Reports failures of the network or the server as an outcome and does not throw for them. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** @returns why the mail server cannot be used, or undefined */
  check(): Promise<string | undefined>;
  /** Gives attempts in progress a few seconds, then closes the connections. */
  close(): void;
}

const SECOND = 1000;
/** For a whole attempt. */
const ATTEMPT_MS = 60 * SECOND;
const CLOSING_MS = 5 * SECOND;
const CONNECTIONS = 4;
const REASON_CHARACTERS = 300;

/** Commands whose refusal concerns this mail. A refused sign-in concerns the settings, and may be corrected. */
const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/** Bad sequence (RFC 5321 §4.2.2), and that one has to sign in first (RFC 4954 §6). */
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);
/** Failures that nodemailer itself raises: an impossible address, or a mail over the server's size limit. */
const UNSENDABLE = new Set(['EENVELOPE', 'EMESSAGE']);

const NO_ADDRESS = 'This spelling of an address is not sent to: it could be read as another one';

export function smtpTransport(server: SmtpServer, from: Sender): MailTransport {
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    // Our own queue schedules retries; a hidden retry could send a mail twice.
    maxRequeues: 0,
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTLS,
    ...(server.auth && { auth: server.auth }),
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
    dnsTimeout: 10 * SECOND,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const closing = new AbortController();

  const check = () =>
    transport.verify().then(
      () => undefined,
      (error: Error) => error.message.slice(0, REASON_CHARACTERS),
    );

  async function send(mail: OutgoingMail): Promise<MailOutcome> {
    const { to, subject, text, html, messageId, headers } = mail;
    // The library would read another address in it than the one that limits were counted for.
    if (!isMailAddress(to)) return { ok: false, permanent: true, reason: NO_ADDRESS };
    try {
      const { response } = await transport.sendMail({
        from,
        to: { name: '', address: to },
        envelope: { from: from.address, to: [to] },
        subject,
        text,
        html,
        messageId: `<${messageId}>`,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asIs(value)])),
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(ATTEMPT_MS)]),
      });
      return { ok: true, answer: inOneLine(response) };
    } catch (error) {
      return failure(error as SmtpError);
    }
  }

  return {
    send,
    check,
    close: () => {
      transport.close();
      setTimeout(() => closing.abort(), CLOSING_MS).unref();
    },
  };
}

/** A program cannot read an address that is encoded or folded in a header. */
function asIs(value: string) {
  return { prepared: true, foldLines: false, value: value.replaceAll(/\p{Cc}/gu, '') };
}

type SmtpError = Error & { code?: string; responseCode?: number; command?: string; response?: string };

function failure({ code, responseCode, command, response, message }: SmtpError): MailOutcome {
  const text = response ?? (code ? `${code}: ${message}` : message);
  return {
    ok: false,
    permanent:
      responseCode === undefined
        ? UNSENDABLE.has(code ?? '')
        : responseCode >= 500 && !ABOUT_THE_SESSION.has(responseCode) && ABOUT_THE_MAIL.has(command ?? ''),
    reason: inOneLine(text),
  };
}

const inOneLine = (text: string) => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, REASON_CHARACTERS);
