import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { Mailbox, refusal } from '../support/mailbox.ts';
import { freePort } from '../support/process.ts';

let folder: string;
let mailbox: Mailbox;

beforeEach(async () => {
  folder = newFolder();
  mailbox = await new Mailbox().start();
});
afterEach(async () => {
  await mailbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends a test with a mail server and a database that nobody can reach. */
const send = (address: string, settings: NodeJS.ProcessEnv = {}) =>
  runCommand(['mail', 'test', address], {
    cwd: folder,
    environment: {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Parley <parley@example.org>',
      BASE_URL: 'https://parley.example.org',
      ...settings,
    },
  });

it('sends one mail, and says what the mail server answered', async () => {
  const { code, output } = await send('ops@example.org');
  expect(output).toMatch(
    /^127\.0\.0\.1:\d+ took the mail from Parley <parley@example\.org> to ops@example\.org: 250 .*\n$/,
  );
  expect(code).toBe(0);
  expect(mailbox.received).toHaveLength(1);
  expect(mailbox.received[0]).toMatchObject({ to: 'ops@example.org', from: 'parley@example.org' });
  expect(mailbox.received[0]?.text).toContain('https://parley.example.org can send mails');
});

it('fails with the answer of a mail server that refuses', async () => {
  mailbox.onRecipient = () => refusal(550, '5.1.1 No such user');
  expect(await send('who@example.org')).toEqual({
    code: 1,
    output: expect.stringMatching(
      / did not take the mail to who@example\.org: 550 5\.1\.1 No such user\n.*give such a mail up\.\n$/,
    ),
  });
  mailbox.onRecipient = () => refusal(451, 'Come back later');
  expect((await send('who@example.org')).output).toMatch(/451 Come back later\n.*try again later\.\n$/);
});

it('fails where nobody answers, and never shows the password', async () => {
  const SMTP_URL = `smtp://parley:hidden-word@127.0.0.1:${await freePort()}`;
  const { code, output } = await send('ops@example.org', { SMTP_URL });
  expect([code, output]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
  expect(output).not.toContain('hidden-word');
  expect(output).not.toContain('    at ');
});

it('says which settings are missing', async () => {
  const { code, output } = await send('ops@example.org', { SMTP_URL: '', MAIL_FROM: '' });
  expect([code, output]).toEqual([1, expect.stringMatching(/^No mail server .*SMTP_URL=.*MAIL_FROM=/)]);
});

it.each([
  'ops',
  'ops@example.org\nRCPT TO:<b@example.org>',
  'ops@example.org\r\nBcc: b@example.org',
  'a\u0007b@example.org',
  'a@example.org,b@example.org',
  `${'a'.repeat(300)}@example.org`,
])('refuses what is no address: %j', async (address) => {
  const { code, output } = await send(address);
  expect([code, output]).toEqual([1, expect.stringMatching(/^"\P{Cc}*" is not an email address\.\n$/u)]);
  expect(mailbox.offered).toEqual([]);
});
