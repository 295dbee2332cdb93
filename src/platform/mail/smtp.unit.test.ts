import { afterEach, beforeEach, expect, it } from 'vitest';
import { Mailbox } from '../../../test/support/mailbox.ts';
import { type MailTransport, type OutgoingMail, smtpTransport } from './smtp.ts';
import { readSmtpUrl } from './smtp-url.ts';

let mailbox: Mailbox;
let transport: MailTransport;
beforeEach(async () => {
  mailbox = await new Mailbox().start();
  const server = readSmtpUrl(mailbox.url);
  if (!server) throw new Error('no server');
  transport = smtpTransport(server, { name: 'Parley', address: 'parley@example.org' });
});
afterEach(async () => {
  transport.close();
  await mailbox.stop();
});

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
