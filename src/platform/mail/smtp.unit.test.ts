import { createServer, type Server } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Mailbox } from '../../../test/support/mailbox.ts';
import { type MailTransport, type OutgoingMail, smtpTransport } from './smtp.ts';
import { readSmtpUrl } from './smtp-url.ts';

let mailbox: Mailbox;
let transport: MailTransport;
beforeEach(async () => {
  mailbox = await new Mailbox().start();
  transport = to(mailbox.url);
});
afterEach(async () => {
  transport.close();
  await mailbox.stop();
});

function to(url: string, name?: string, attemptMs?: number): MailTransport {
  const server = readSmtpUrl(url);
  if (!server) throw new Error('no server');
  return smtpTransport(server, { name: 'Parley', address: 'parley@example.org' }, name, attemptMs);
}

/** A server in the place of the first one. */
async function restart(options: SMTPServerOptions, url = (given: string) => given): Promise<void> {
  transport.close();
  await mailbox.stop();
  mailbox = await new Mailbox().start(0, options);
  transport = to(url(mailbox.url));
}

let server: Server | undefined;
afterEach(() => server?.close());

const heard: string[] = [];
beforeEach(() => heard.splice(0));

/** A server that gives one answer to each line. @returns its host and port */
async function answering(...answers: readonly string[]): Promise<string> {
  const listening = createServer((socket) => {
    const left = [...answers];
    const next = () => socket.write(`${left.shift() ?? '500 no more'}\r\n`);
    next();
    socket.on('data', (bytes) => heard.push(String(bytes).trim()));
    socket.on('data', next).on('error', () => undefined);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(listening.address() as { port: number }).port}`;
}

const mail = (fields: object): OutgoingMail => ({
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  messageId: 'one@example.org',
  headers: {},
  ...fields,
});

it('an address that could be read as another one is not sent to', async () => {
  for (const to of ['x1:v@example.org', '"v"@example.org', 'v(x)@example.org'])
    expect(await transport.send(mail({ to }))).toMatchObject({ ok: false, permanent: true });
  expect(mailbox.offered).toEqual([]);
});

it('a mail of a later release, which stores no text, is left for a server that can compose it', async () => {
  const later = { path: 'composed when it is sent' };
  const outcome = await transport.send(mail({ text: later, html: later }));
  expect(outcome).toMatchObject({ ok: false, permanent: false });
  expect(mailbox.received).toEqual([]);
  expect(await transport.send(mail({}))).toMatchObject({ ok: true });
});

describe('it greets', () => {
  it.each([
    ['chat.example.org', '', 'chat.example.org'],
    ['chat.example.org', '?name=relay.example.net', 'relay.example.net'],
  ])('as %s, with %j behind the address as %s', async (name, query, greeted) => {
    const named = to(`${mailbox.url}${query}`, name);
    expect(await named.send(mail({}))).toMatchObject({ ok: true });
    named.close();
    expect([...mailbox.greeted]).toEqual([greeted]);
  });
});

describe('a server whose certificate nobody has signed', () => {
  const SELF_SIGNED = { hideSTARTTLS: false };

  it('is used where it is on this machine', async () => {
    await restart(SELF_SIGNED);
    expect(await transport.send(mail({}))).toMatchObject({ ok: true });
  });

  it('is refused elsewhere, unless the address says that encryption is optional', async () => {
    // The address of this machine, which the transport does not know for one.
    const elsewhere = (url: string) => url.replace('127.0.0.1', '0.0.0.0');
    await restart(SELF_SIGNED, elsewhere);
    expect(await transport.send(mail({}))).toMatchObject({ ok: false, permanent: false });
    expect(await transport.check()).toMatch(/certificate.*tls=optional/);
    await restart(SELF_SIGNED, (url) => `${elsewhere(url)}?tls=optional`);
    expect(await transport.send(mail({}))).toMatchObject({ ok: true });
  });
});

describe('an address with letters beyond ASCII', () => {
  const TAKEN = ['250 ok', '250 ok', '354 go on', '250 taken'];

  it('goes as it is to a server that takes them (RFC 6531)', async () => {
    const hello = ['220 hello', '250-hello\r\n250 SMTPUTF8'];
    // The first connection asks what the server offers.
    const sender = to(`smtp://${await answering(...hello, ...TAKEN)}`);
    expect(await sender.send(mail({ to: 'jörg@bücher.example' }))).toMatchObject({ ok: true });
    sender.close();
    expect(heard).toContain('MAIL FROM:<parley@example.org> SMTPUTF8');
    expect(heard).toContain('RCPT TO:<jörg@bücher.example>');
  });

  it('is refused where the server takes none, but for a domain alone', async () => {
    const sender = to(`smtp://${await answering('220 hello', '250 hello', ...TAKEN)}`);
    expect(await sender.send(mail({ to: 'jörg@example.org' }))).toEqual({
      ok: false,
      permanent: true,
      reason: expect.stringContaining('SMTPUTF8'),
    });
    expect(heard.filter((line) => /^(?:MAIL|RCPT)/.test(line))).toEqual([]);
    expect(await sender.send(mail({ to: 'joerg@bücher.example' }))).toMatchObject({ ok: true });
    sender.close();
    expect(heard).toContain('MAIL FROM:<parley@example.org>');
    expect(heard).toContain('RCPT TO:<joerg@xn--bcher-kva.example>');
  });
});

describe('a server that says what it wants, line after line, without an end', () => {
  /** Goes on before the answer to the line of this number. @returns its host and port */
  async function dripping(at: number): Promise<string> {
    const answers = ['220 hi', '250 hi', '250 ok', '250 ok', '354 go on', '250 taken'];
    const listening = createServer((socket) => {
      let line = 0;
      const next = () => {
        const answer = answers[line] ?? '250 ok';
        if (line > at) return undefined;
        if (line++ !== at) return socket.write(`${answer}\r\n`);
        const drip = setInterval(() => socket.write(answer.replace(' ', '-').concat('\r\n')), 20);
        return socket.on('close', () => clearInterval(drip));
      };
      next();
      socket.on('data', next).on('error', () => undefined);
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(listening.address() as { port: number }).port}`;
  }

  it.each([
    [0, 'ada@example.org'],
    [1, 'ada@example.org'],
    [3, 'ada@example.org'],
    [5, 'ada@example.org'],
    [0, 'jörg@example.org'],
    [1, 'jörg@example.org'],
  ])('holds a mail up for the time of an attempt: line %i, for %s', async (at, address) => {
    const sender = to(await dripping(at), undefined, 300);
    expect(await sender.send(mail({ to: address }))).toMatchObject({ ok: false, permanent: false });
    // The same again, for the answer of the first one is not kept.
    expect(await sender.send(mail({ to: address }))).toMatchObject({ ok: false, permanent: false });
    sender.close();
  });

  it('and holds up no start', async () => {
    const checked = to(await dripping(1), undefined, 300);
    expect(await checked.check()).toContain('without an end');
    checked.close();
  });
});

describe('a check names the cause', () => {
  const causeAt = async (url: string) => {
    const checked = to(url, 'chat');
    const cause = await checked.check();
    checked.close();
    return cause;
  };

  it('a name that has no address', async () => {
    expect(await causeAt('smtp://mail.invalid')).toMatch(/name .*host/i);
  });

  it('a port where nobody listens', async () => {
    const at = await answering();
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
    expect(await causeAt(`smtp://${at}`)).toMatch(/ECONNREFUSED.*port/);
  });

  it('a name in EHLO that is refused', async () => {
    const at = await answering('220 hello', '421 4.7.0 Try again later', '421 4.7.0 Try again later');
    expect(await causeAt(`smtp://${at}`)).toMatch(/421 4\.7\.0.*BASE_URL.*\?name=/);
  });

  it('a password that is refused', async () => {
    const at = await answering('220 hello', '250-hello\r\n250 AUTH PLAIN', '535 5.7.8 wrong');
    expect(await causeAt(`smtp://u:p@${at}`)).toMatch(/535 5\.7\.8.*user and password/);
  });

  it('a server without encryption, where a password would go in the clear', async () => {
    const at = await answering('220 hello', '250 hello', '454 no TLS');
    expect(await causeAt(`smtp://u:p@${at.replace('127.0.0.1', '0.0.0.0')}`)).toMatch(/STARTTLS/);
  });

  it('a server that expects TLS at once, and the other way around', async () => {
    const at = await answering('220 hello');
    expect(await causeAt(`smtps://${at}`)).toMatch(/smtp:\/\//);
  });
});
