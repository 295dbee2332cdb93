import { afterEach, beforeEach, expect, it } from 'vitest';
import { Mailbox, mailsSettle, refusal } from '../support/mailbox.ts';
import { ApplicationHost, install, makeTeam, type Person, register, signUp } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const TOKEN = 'let-me-see';
let mailbox: Mailbox;
let host: ApplicationHost;
let server: TestServer;

beforeEach(async () => {
  mailbox = await new Mailbox().start();
  host = await new ApplicationHost().start();
});
afterEach(async () => {
  await server.stop();
  await host.stop();
  await mailbox.stop();
});

async function start(environment: NodeJS.ProcessEnv = {}): Promise<void> {
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'parley@example.org' };
  server = await startTestServer({ METRICS_TOKEN: TOKEN, ...mail, ...environment });
}

/** The value of one series. */
async function read(series: string): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const { text } = await server.anonymous().get('/metrics', { headers });
  const line = text.split('\n').find((one: string) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

it('count mails that went, that failed, and that are given up', async () => {
  await start();
  const mails = (outcome: string) => read(`parley_mail_attempts_total{outcome="${outcome}"}`);
  expect([await mails('succeeded'), await mails('failed'), await mails('given_up')]).toEqual([0, 0, 0]);
  await signUp(server, 'Ada');
  await mailsSettle(server);
  mailbox.onRecipient = () => refusal(451);
  await signUp(server, 'Bob');
  await mailsSettle(server);
  mailbox.onRecipient = () => refusal(550);
  await signUp(server, 'Cleo');
  await mailsSettle(server);
  await expect.poll(() => mails('given_up')).toBe(1);
  expect([await mails('succeeded'), await mails('failed')]).toEqual([1, 1]);
  expect(await read('parley_queue_failures_total{queue="mails"}')).toBe(2);
});

it('count calls to applications alike', async () => {
  await start();
  const calls = (outcome: string) => read(`parley_callback_attempts_total{outcome="${outcome}"}`);
  const ada: Person = await signUp(server, 'Ada');
  const team = await makeTeam(ada);
  for (const [status, outcome] of [
    [500, 'failed'],
    [410, 'given_up'],
  ] as const) {
    host.status = 200;
    const application = await register(ada, host);
    await install(ada, team, application);
    host.status = status;
    expect(await calls(outcome)).toBe(0);
    await ada.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    await expect.poll(() => calls(outcome)).toBe(1);
  }
  expect(await calls('succeeded')).toBe(2);
  expect(await read('parley_queue_failures_total{queue="callbacks"}')).toBe(2);
});

it('count failures of icons, mail jobs and erasures', async () => {
  await start({ ALLOW_LOOPBACK_APPS: 'yes' });
  const failures = (queue: string) => read(`parley_queue_failures_total{queue="${queue}"}`);
  const without = async (table: string, work: () => Promise<unknown>) => {
    const { db } = server.running;
    await db.write((tx) => tx.all(`ALTER TABLE ${table} RENAME TO away`, []));
    await work();
    await db.write((tx) => tx.all(`ALTER TABLE away RENAME TO ${table}`, []));
  };
  expect(await Promise.all(['icons', 'mail_jobs', 'erasures'].map(failures))).toEqual([0, 0, 0]);
  const ada = await signUp(server, 'Ada');
  await register(ada, host, { icon: `${host.url}/no-picture.png` });
  await expect.poll(() => failures('icons')).toBe(1);
  const bob = await signUp(server, 'Bob');
  await without('account_tokens', async () => {
    await server.anonymous().post('/v1/password_resets', { email: bob.email });
    await expect.poll(() => failures('mail_jobs')).toBe(1);
  });
  await without('deliveries', async () => {
    expect((await ada.client.delete(`/v1/admin/users/${bob.id}`)).status).toBe(200);
    await expect.poll(() => failures('erasures')).toBe(1);
  });
});

it('count refused sign-ins, and the requests that each limit refused', async () => {
  await start({ RATE_LIMIT: 'on', RATE_LIMIT_SIGN_IN: '3' });
  const ada = await signUp(server, 'Ada');
  server.clock.toNextMinute();
  const signIn = (email: string) =>
    server.anonymous().post('/v1/sessions', { email, password: 'a wrong password' });
  for (const email of [ada.email, ada.email, 'nobody@example.org'])
    expect((await signIn(email)).status).toBe(401);
  for (let times = 0; times < 2; times++) expect((await signIn(ada.email)).status).toBe(429);
  expect(await read('parley_sign_ins_refused_total{reason="wrong_password"}')).toBe(2);
  expect(await read('parley_sign_ins_refused_total{reason="unknown_account"}')).toBe(1);
  expect(await read('parley_rate_limited_total{limit="sign_in"}')).toBe(2);
});

it('count faults of a route, and of the work that no request asks for', async () => {
  await start();
  expect(await read('parley_background_errors_total{kind="failed"}')).toBe(0);
  expect(await read('parley_database_up')).toBe(1);
  const ada = await signUp(server, 'Ada');
  await server.running.db.write((tx) => tx.all('DROP TABLE mail_jobs', []));
  await expect.poll(() => read('parley_background_errors_total{kind="failed"}')).toBeGreaterThan(0);
  expect(await read('parley_database_up')).toBe(0);
  const answer = await server.anonymous().post('/v1/password_resets', { email: ada.email });
  expect(answer.status).toBe(500);
  const route = 'method="POST",route="/v1/password_resets",status="500"';
  expect(await read(`parley_http_request_seconds_count{${route}}`)).toBe(1);
});
