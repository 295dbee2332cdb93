import { domainToASCII } from 'node:url';
import { createTransport } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { waitAtMost } from '../pause.ts';
import { isMailAddress } from './address.ts';
import { inOneLine, type SmtpError, whyUnusable } from './smtp-causes.ts';
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
  | {
      readonly ok: false;
      readonly permanent: boolean;
      readonly reason: string;
      /** The transport was closed before the mail server had answered. */
      readonly interrupted?: true;
    };

export interface MailTransport {
  /** Makes one attempt. Reports failures of the network or the server as an outcome and does not throw for them. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** @returns why the mail server cannot be used, with what to do, or undefined */
  check(): Promise<string | undefined>;
  /** Gives attempts in progress a moment, then closes the connections. */
  close(): void;
}

const SECOND = 1000;
/** For a whole attempt. */
const ATTEMPT_MS = 60 * SECOND;
const CLOSING_MS = 250;
/** As many mails are sent at once: one that waited for a connection would use up its time. */
export const MAILS_AT_ONCE = 4;

/** Commands whose refusal concerns this mail. A refused sign-in concerns the settings, and may be corrected. */
const ABOUT_THE_MAIL = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/** Bad sequence (RFC 5321 §4.2.2), and that one has to sign in first (RFC 4954 §6). */
const ABOUT_THE_SESSION = new Set([503, 530, 534, 535, 538]);
/** Failures that nodemailer itself raises: an impossible address, or a mail over the server's size limit. */
const UNSENDABLE = new Set(['EENVELOPE', 'EMESSAGE']);

const NO_ADDRESS = 'This spelling of an address is not sent to: it could be read as another one';

const NO_LETTERS =
  'The mail server takes no address with letters beyond ASCII before the @ (SMTPUTF8, RFC 6531)';

/**
 * @param ownName the name of this server, for EHLO: many relays refuse one without a dot
 * @param attemptMs how long an attempt may take in all, whatever the mail server goes on saying
 */
export function smtpTransport(
  server: SmtpServer,
  from: Sender,
  ownName?: string,
  attemptMs = ATTEMPT_MS,
): MailTransport {
  const name = server.name ?? (ownName?.includes('.') ? ownName : undefined);
  const connection = {
    ...(name !== undefined && { name }),
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.requireTLS,
    tls: { rejectUnauthorized: !server.anyCertificate },
    connectionTimeout: 10 * SECOND,
    greetingTimeout: 10 * SECOND,
    socketTimeout: 30 * SECOND,
    dnsTimeout: 10 * SECOND,
  };
  const transport = createTransport({
    ...connection,
    ...(server.auth && { auth: server.auth }),
    pool: true,
    maxConnections: MAILS_AT_ONCE,
    // Our own queue schedules retries; a hidden retry could send a mail twice.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const closing = new AbortController();
  let isClosing = false;

  const check = () =>
    inTime(attemptMs, transport.verify()).then(
      () => undefined,
      (error: SmtpError) => whyUnusable(error, { ...server, name }),
    );

  /** The library sends such an address to any server. */
  let takesLetters: Promise<boolean> | undefined;

  async function send(mail: OutgoingMail): Promise<MailOutcome> {
    const { to, subject, text, html, messageId, headers } = mail;
    // The library would read another address in it than the one that limits were counted for.
    if (!isMailAddress(to)) return { ok: false, permanent: true, reason: NO_ADDRESS };
    const address = inAscii(to);
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(attemptMs)]);
    try {
      if (!ASCII.test(address) || !ASCII.test(from.address)) {
        // The signal is that of the first mail that asks.
        takesLetters ??= hasExtension(connection, 'SMTPUTF8', signal);
        if (!(await takesLetters)) return { ok: false, permanent: true, reason: NO_LETTERS };
      }
      const { response } = await transport.sendMail({
        from,
        to: { name: '', address },
        envelope: { from: from.address, to: [address] },
        subject,
        text,
        html,
        messageId: `<${messageId}>`,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asIs(value)])),
        signal,
      });
      return { ok: true, answer: inOneLine(response) };
    } catch (error) {
      // A relay may have been replaced, or was not there to be asked.
      takesLetters = undefined;
      const failed = failure(error as SmtpError);
      const isAnswered = (error as SmtpError).responseCode !== undefined;
      return isClosing && !isAnswered ? { ...failed, permanent: false, interrupted: true } : failed;
    }
  }

  return {
    send,
    check,
    close: () => {
      isClosing = true;
      transport.close();
      setTimeout(() => closing.abort(), CLOSING_MS).unref();
    },
  };
}

/** A program cannot read an address that is encoded or folded in a header. */
function asIs(value: string) {
  return { prepared: true, foldLines: false, value: value.replaceAll(/\p{Cc}/gu, '') };
}

function failure({
  code,
  responseCode,
  command,
  response,
  message,
}: SmtpError): Extract<MailOutcome, { ok: false }> {
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

const ASCII = /^\p{ASCII}*$/u;

/** With the ASCII form of the domain (RFC 5891), which every server takes. */
function inAscii(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at));
}

/** @throws when it takes longer: the timeouts of the library begin again with each line that comes */
async function inTime(ms: number, work: Promise<unknown>): Promise<void> {
  const isOver = work.then(() => true);
  if (!(await waitAtMost(ms, isOver))) throw new Error('It goes on answering without an end');
}

/** Whether a server offers an extension: the library keeps to itself what it learns from EHLO. */
function hasExtension(
  options: ConstructorParameters<typeof SMTPConnection>[0],
  extension: string,
  signal: AbortSignal,
): Promise<boolean> {
  const connection = new SMTPConnection(options);
  return new Promise<boolean>((resolve, reject) => {
    signal.addEventListener('abort', () => {
      connection.close();
      reject(new Error('The mail server did not say in time what it can do'));
    });
    connection.on('error', reject);
    connection.connect((error) => {
      const known: unknown = Reflect.get(connection, '_supportedExtensions');
      if (error) reject(error);
      else resolve(Array.isArray(known) && known.includes(extension));
      connection.quit();
    });
  });
}
