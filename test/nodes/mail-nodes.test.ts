import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/app/start.ts';
import { readConfig } from '../../src/process/config.ts';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { Mailbox, mailsSettle } from '../support/mailbox.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, startPlatform } from '../support/process.ts';
import { TestClock } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Several servers with one database, one clock and one mail server; on SQLite they share the folder. */
let settings: NodeJS.ProcessEnv;
let folder: string;
let mailbox: Mailbox;
let clock: TestClock;
let nodes: RunningServer[] = [];

beforeEach(async () => {
  folder = newFolder();
  mailbox = await new Mailbox().start();
  clock = new TestClock();
  settings = {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    REGISTRATION: 'open',
    DATA_DIR: folder,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'parley@example.org',
    ...(process.env.TEST_DATABASE === 'postgres' && {
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    }),
  };
});

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  nodes = [];
  await mailbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<RunningServer> {
  const config = readConfig({ ...settings, PORT: String(await freePort()) }, '');
  const logger = pino({ level: 'silent' });
  const node = await startServer(config, { clock: clock.now, workerIntervalMs: 5, workerRest: 1, logger });
  nodes.push(node);
  return node;
}

const urlOf = (url: string) => url.replace('localhost', '127.0.0.1');
const signUpAt = (url: string, name: string) => signUp({ url } as never, name);

it('two nodes send every mail once, and announce every message once to each recipient', async () => {
  const running = [await start(), await start()] as const;
  const urls = running.map(({ url }) => urlOf(url));
  const people: Person[] = [];
  for (let n = 0; n < 24; n++) people.push(await signUpAt(urls[n % 2] as string, `Person ${n}`));
  const [author, ...members] = people as [Person, ...Person[]];
  const team = await makeTeam(author, [], 'Engine room');
  const emails = members.map(({ email }) => email);
  const invited = await author.client.post(`/v1/teams/${team}/invitations`, { emails });
  // An invitation that was accepted is not mailed any more.
  await mailsSettle({ running: running[0], clock });
  for (const { client, email } of members)
    await client.put(`/v1/invitations/${invited.data.find((one) => one.email === email).token}`);
  for (const member of members) {
    const subjects = mailbox.of(member.email).map(({ subject }) => subject);
    expect(subjects).toEqual([
      'Is this your address?',
      expect.stringMatching(/ invites you to Engine room$/),
    ]);
  }
  mailbox.clear();

  for (const round of [1, 2, 3]) {
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        author.client.at(urls[n % 2] as string).post('/v1/messages', {
          text: `round ${round}, message ${n}.`,
          addressed_teams: [team],
        }),
      ),
    );
    await mailsSettle({ running: running[0], clock });
    clock.advance(61);
    await mailsSettle({ running: running[0], clock });
  }
  expect(mailbox.received).toHaveLength(3 * members.length);
  for (const member of members) {
    const text = mailbox
      .of(member.email)
      .map((mail) => mail.text)
      .join();
    for (const round of [1, 2, 3]) {
      for (let n = 0; n < 10; n++) expect(text.split(`round ${round}, message ${n}.`)).toHaveLength(2);
    }
  }
  const [row] = await running[0].db.all<{ most: number }>('SELECT max(num_attempts) AS most FROM mails', []);
  expect(row?.most).toBe(1);
});

it('another server sends the claimed mails of a killed one after the lease, and its unclaimed ones', async () => {
  const platform = await startPlatform({ ...settings, PORT: '0' });
  const url = urlOf(platform.found);
  const [ada, bob] = [await signUpAt(url, 'Ada'), await signUpAt(url, 'Bob')];
  const team = await makeTeam(ada, [bob], 'Engine room');
  const unsent = async () =>
    (await ada.client.get('/v1/admin/mails')).data.filter(({ status }) => status === 'pending');
  await until(async () => (await unsent()).length === 0);
  mailbox.clear();
  // The server gives the mail away and never learns what became of it.
  mailbox.onMail = () => new Promise(() => undefined);
  await new Client(url).post('/v1/password_resets', { email: bob.email });
  await mailbox.offers(bob.email, 1);
  await ada.client.post('/v1/messages', { text: 'before the end', addressed_teams: [team] });
  await platform.end('SIGKILL');
  mailbox.clear();

  const next = await start();
  clock.advance(61);
  await mailsSettle({ running: next, clock });
  expect(
    mailbox
      .of(bob.email)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(['Ada Test wrote in Engine room', 'Set a new password']);
  const mails = await next.db.all<{ num_attempts: number; status: string }>(
    "SELECT num_attempts, status FROM mails WHERE kind = 'password_reset'",
    [],
  );
  expect(mails).toEqual([{ num_attempts: 2, status: 'sent' }]);
});
