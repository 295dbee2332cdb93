import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

/** A mail as it arrived. */
export interface Arrived {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly raw: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** A refusal with an SMTP status. */
export function refusal(responseCode: number, message = 'refused'): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** A real mail server on loopback that keeps its mails. */
export class Mailbox {
  readonly received: Arrived[] = [];
  /** The recipients offered in RCPT TO, accepted or not. */
  readonly offered: string[] = [];
  /** The names that clients gave in EHLO. */
  readonly greeted = new Set<string>();
  /** Decides about a recipient; undefined accepts the mail. */
  onRecipient: (address: string) => Error | undefined = () => undefined;
  /** Runs when a mail has arrived, before it is acknowledged; an error refuses it. */
  onMail: (mail: Arrived, session: SMTPServerSession) => Promise<void> | void = () => undefined;
  #server: SMTPServer | undefined;
  #waiting: (() => void)[] = [];
  url = '';

  /** @param options where it differs from a server that takes everything in the clear */
  async start(port = 0, options: SMTPServerOptions = {}): Promise<this> {
    const server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      disableReverseLookup: true,
      ...options,
      onRcptTo: ({ address }, session, done) => {
        this.offered.push(address);
        this.greeted.add(session.hostNameAppearsAs);
        for (const wake of this.#waiting.splice(0)) wake();
        done(this.onRecipient(address));
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          this.#take(Buffer.concat(chunks), session).then(
            () => done(),
            (error: Error) => done(error),
          );
        });
      },
    });
    // A client that breaks off is part of the tests.
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    this.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    this.#server = server;
    return this;
  }

  async #take(bytes: Buffer, session: SMTPServerSession): Promise<void> {
    const parsed = await PostalMime.parse(bytes);
    const from = session.envelope.mailFrom;
    const mail: Arrived = {
      to: session.envelope.rcptTo[0]?.address ?? '',
      from: from ? from.address : '',
      subject: parsed.subject ?? '',
      text: parsed.text ?? '',
      html: parsed.html ?? '',
      raw: bytes.toString('utf8'),
      headers: new Map(parsed.headers.map(({ key, value }) => [key.toLowerCase(), value])),
    };
    await this.onMail(mail, session);
    this.received.push(mail);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Closes every connection without a word. */
  hangUp(): void {
    for (const connection of this.#server?.connections ?? []) connection._socket.destroy();
  }

  /** The mails for one address. */
  of(address: string): Arrived[] {
    return this.received.filter(({ to }) => to === address);
  }

  /** Waits for a mail to an address. */
  async next(address: string, fits: (mail: Arrived) => boolean = () => true): Promise<Arrived> {
    for (;;) {
      const found = this.of(address).find(fits);
      if (found) return found;
      await this.#change();
    }
  }

  /** Waits until a mail for an address was offered so often. */
  async offers(address: string, times: number): Promise<void> {
    while (this.offered.filter((one) => one === address).length < times) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  clear(): void {
    this.received.length = 0;
    this.offered.length = 0;
    this.onRecipient = () => undefined;
    this.onMail = () => undefined;
  }

  async stop(): Promise<void> {
    this.hangUp();
    await new Promise<void>((resolve) => {
      if (this.#server) this.#server.close(resolve);
      else resolve();
    });
  }
}

/** Waits until nothing is due any more: every message was looked at, and every mail that can go has gone. */
export async function mailsSettle(server: Pick<TestServer, 'running' | 'clock'>): Promise<void> {
  const anyDue = async (table: string, column: string) => {
    const sql = `SELECT count(*) AS rows FROM ${table} WHERE ${column} <= ${server.clock.now()}`;
    const [row] = await server.running.db.all<{ rows: number }>(sql, []);
    return (row?.rows ?? 0) > 0;
  };
  const steps = [
    ['notice_jobs', 'next_attempt_at'],
    ['mail_jobs', 'next_attempt_at'],
    ['mail_streams', 'due_at'],
    ['mail_batches', 'due_at'],
    ['mails', 'next_attempt_at'],
  ] as const;
  for (const [table, column] of steps) {
    await until(async () => !(await anyDue(table, column)));
  }
}

/** Has the worker look at every message, lets the time pass in which they are collected, and waits for the mails. */
export async function mailsGo(server: TestServer): Promise<void> {
  await mailsSettle(server);
  server.clock.advance(61);
  await mailsSettle(server);
}

/** Follows the verification link mailed to a new user. */
export async function proveAddress(mailbox: Mailbox, person: Person): Promise<void> {
  const mail = await mailbox.next(person.email, ({ text }) => text.includes('/email_verifications/'));
  const token = /email_verifications\/([\w-]+)/.exec(mail.text)?.[1];
  const answer = await person.client.put(`/v1/email_verifications/${token}`);
  if (answer.status !== 200) throw new Error(`not proved: ${answer.text}`);
}
