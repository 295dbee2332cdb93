import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/app/start.ts';
import { readConfig } from '../../src/process/config.ts';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { Mailbox, mailsSettle } from '../support/mailbox.ts';
import { ApplicationHost, install, makeTeam, type Person, register, signUp } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { startPlatform } from '../support/process.ts';
import { TestClock } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Several servers on one database; on SQLite they share the folder. */
let settings: NodeJS.ProcessEnv;
let folder: string;
let mailbox: Mailbox;
let host: ApplicationHost;
let clock: TestClock;
let nodes: RunningServer[] = [];

beforeEach(async () => {
  folder = newFolder();
  mailbox = await new Mailbox().start();
  host = await new ApplicationHost().start();
  clock = new TestClock();
  settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    ALLOW_LOOPBACK_APPS: 'yes',
    CALLBACK_TIMEOUT: '60',
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    REGISTRATION: 'open',
    DATA_DIR: folder,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'parley@example.org',
    MAIL_NOTIFICATIONS: 'off',
    ...(process.env.TEST_DATABASE === 'postgres' && {
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    }),
  };
});

afterEach(async () => {
  await host.stop();
  await Promise.all(nodes.map((node) => node.stop()));
  nodes = [];
  await mailbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(): Promise<RunningServer> {
  const node = await startServer(readConfig(settings, ''), {
    clock: clock.now,
    workerIntervalMs: 5,
    workerRest: 0,
    leaseRenewalMs: 5,
    logger: pino({ level: 'silent' }),
  });
  nodes.push(node);
  return node;
}

const urlOf = (url: string) => url.replace('localhost', '127.0.0.1');

/** A callback, a mail, an installation and a request with a key are all under way, and none of them is answered. */
async function beginAll(url: string, answered: Promise<unknown>) {
  const ada = await signUp({ url } as never, 'Ada');
  await mailbox.next(ada.email);
  mailbox.clear();
  const team = await makeTeam(ada);
  const [removed, added] = [await register(ada, host), await register(ada, host)];
  await install(ada, team, removed);
  host.received.length = 0;
  host.beforeAnswer = () => answered;
  mailbox.onMail = async () => void (await answered);
  await ada.client.delete(`/v1/teams/${team}/applications/${removed.id}`);
  await new Client(url).post('/v1/password_resets', { email: ada.email });
  const installing = installAt(ada, url, team, added.id).catch(() => undefined);
  await host.next(({ path }) => path === '/uninstall');
  await host.next(({ path }) => path === '/install');
  await mailbox.offers(ada.email, 1);
  return { ada, team, removed, added, installing };
}

const installAt = (admin: Person, url: string, team: string, application: string) =>
  admin.client
    .at(url)
    .post(`/v1/teams/${team}/applications`, { application }, { 'Idempotency-Key': 'install it' });

async function rowsOf({ db }: RunningServer, rows: string): Promise<number> {
  return (await db.all(`SELECT 1 FROM ${rows}`, [])).length;
}

const WAITING = 'deliveries WHERE next_attempt_at IS NOT NULL';

const callsTo = (path: string) => host.received.filter((call) => call.path === path);

it('a slow node keeps its work, however long it takes: others neither send it again nor give it up (claim: renewed-leases)', async () => {
  const [one, two] = [await start(), await start()];
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { ada, team, added, installing } = await beginAll(urlOf(one.url), answered);
  for (let passed = 0; passed < 40; passed += 8) {
    clock.advance(8);
    await until(async () => (await firstToEnd(one)) >= clock.now() + 8000);
  }
  const again = await installAt(ada, urlOf(two.url), team, added.id);
  expect(again).toMatchObject({ status: 409, body: { errors: [{ reason: 'in_progress' }] } });
  answer();
  expect((await installing)?.status).toBe(200);
  expect((await installAt(ada, urlOf(two.url), team, added.id)).status).toBe(200);
  await mailsSettle({ running: two, clock });
  await until(async () => (await rowsOf(one, WAITING)) === 0);
  expect([callsTo('/uninstall').length, callsTo('/install').length]).toEqual([1, 1]);
  expect(mailbox.of(ada.email)).toHaveLength(1);
  for (const table of ['deliveries', 'mails']) {
    const [row] = await one.db.all<{ most: number }>(`SELECT max(num_attempts) AS most FROM ${table}`, []);
    expect([table, row?.most]).toEqual([table, 1]);
  }
});

/** When the first lease expires; each queue has one. */
async function firstToEnd({ db }: RunningServer): Promise<number> {
  const [row] = await db.all<{ first: number }>(
    `SELECT min(ends) AS first FROM (
       SELECT lease_until AS ends FROM deliveries WHERE next_attempt_at IS NOT NULL
       UNION ALL SELECT lease_until FROM mails WHERE next_attempt_at IS NOT NULL
       UNION ALL SELECT pending_until FROM installations WHERE status = 'pending'
       UNION ALL SELECT expires_at FROM idempotency_keys
     ) AS leases`,
    [],
  );
  return Number(row?.first);
}

it('another node takes over the work of a killed one after 15 seconds (claim: renewed-leases)', async () => {
  const platform = await startPlatform(settings);
  const never = new Promise(() => undefined);
  const { ada, team, added } = await beginAll(urlOf(platform.found), never);
  await platform.end('SIGKILL');
  const [first] = callsTo('/uninstall');
  host.beforeAnswer = undefined;
  host.received.length = 0;
  mailbox.clear();

  const next = await start();
  const erased = '00000000-0000-7000-8000-000000000001';
  const now = clock.now();
  await next.db.write((tx) =>
    tx.all(
      `INSERT INTO erasures (subject_id, kind, step, place, due_at, lease_until)
       VALUES ('${erased}', 'person', 0, '${erased}', ${now}, ${now + 15_000})`,
      [],
    ),
  );
  // The only server of the embedded database makes the calls at its start; the others of PostgreSQL after the lease.
  if (next.db.dialect === 'sqlite') await until(async () => (await rowsOf(next, WAITING)) === 0);
  clock.advance(16);
  const second = await host.next(({ path }) => path === '/uninstall');
  expect(second.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect((await mailbox.next(ada.email)).subject).toBe('Set a new password');
  expect((await installAt(ada, urlOf(next.url), team, added.id)).status).toBe(200);
  await mailsSettle({ running: next, clock });
  await until(async () => (await rowsOf(next, 'erasures WHERE step = 0')) === 0);
  expect([callsTo('/uninstall').length, callsTo('/install').length]).toEqual([1, 1]);
  expect(mailbox.of(ada.email)).toHaveLength(1);
});

it('a node that stops breaks its work off and leaves it to another one at once (claim: stops-at-once)', async () => {
  const one = await start();
  const never = new Promise(() => undefined);
  const { ada, team, added, installing } = await beginAll(urlOf(one.url), never);
  await one.stop();
  expect(await installing).toMatchObject({ status: 424, body: { errors: [{ reason: 'closed' }] } });
  const [first] = callsTo('/uninstall');
  host.beforeAnswer = undefined;
  host.received.length = 0;
  mailbox.clear();

  const next = await start();
  const second = await host.next(({ path }) => path === '/uninstall');
  expect(second.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect((await mailbox.next(ada.email)).subject).toBe('Set a new password');
  await until(async () => (await rowsOf(next, 'deliveries WHERE next_attempt_at IS NOT NULL')) === 0);
  // It says nothing about the receiver.
  for (const table of ['deliveries', 'mails'])
    expect(await rowsOf(next, `${table} WHERE num_failures > 0`)).toBe(0);
  expect((await installAt(ada, urlOf(next.url), team, added.id)).status).toBe(200);
});
