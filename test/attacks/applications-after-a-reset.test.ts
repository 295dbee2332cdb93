/*
 * An attacker got into an account and let an application of theirs act for it. The owner takes the account back with a
 * mailed link and a new password. The attacker hopes that the application's tokens go on. A reset ends everything that
 * applications may do, unless the person keeps it; each can be seen and ended at any time, which ends codes, access and
 * refresh tokens at once.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeEach, expect, it } from 'vitest';
import { proveAddress } from '../support/mailbox.ts';
import {
  authorize,
  exchangeForm,
  install,
  makeTeam,
  openForCode,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
  type Tokens,
} from '../support/people.ts';
import { compiled, main } from '../support/process.ts';
import { scene } from '../support/scene.ts';
import { dumpTables } from '../support/tables.ts';

const { server, host, mailbox, admin } = scene({ people: ['Admin'], mail: true });
let ada: Person;
let team: string;
let application: RegisteredApplication;
let plain: RegisteredApplication;
let tokens: Tokens;

beforeEach(async () => {
  ada = await signUp(server, 'Ada');
  team = await makeTeam(admin, [ada], 'Harbour');
  application = await register(admin, host, { scopes: ['messages:read'], name: 'Reader' });
  plain = await register(admin, host, { name: 'Plain' });
  await install(admin, team, application);
  await install(admin, team, plain);
  tokens = await authorize(ada, team, application);
});

const isGood = async (given = tokens) =>
  (await server.anonymous().withToken(given.access_token).get('/v1/users/me')).status === 200;
const refresh = (of: RegisteredApplication, { refresh_token }: Tokens) =>
  of.credentials.ask('POST', '/v1/oauth2/token', { form: { grant_type: 'refresh_token', refresh_token } });
const grants = async () => (await ada.client.get('/v1/users/me/grants')).data;

it('every application that holds a token is listed, also one without content scopes', async () => {
  expect(await grants()).toMatchObject([
    {
      application: { id: application.id, name: 'Reader' },
      team: { id: team, name: 'Harbour' },
      scopes: ['messages:read'],
      last_used_at: expect.any(Number),
    },
  ]);
  await authorize(ada, team, plain);
  const names = (await grants()).map((one) => [one.application.name, one.scopes]);
  expect(names.sort()).toEqual([
    ['Plain', []],
    ['Reader', ['messages:read']],
  ]);
});

it('ending one ends its codes and tokens at once, and no other (claim: grants-end-at-once)', async () => {
  const other = await authorize(ada, team, plain);
  const code = await openForCode(ada, team, application);
  const [grant] = (await grants()).filter((one) => one.application.id === application.id);
  const { client: foreign } = await signUp(server, 'Foreign');
  expect((await foreign.delete(`/v1/users/me/grants/${grant.id}`)).code).toBe(4040);
  expect((await server.anonymous().withToken(tokens.access_token).get('/v1/users/me/grants')).code).toBe(
    4031,
  );
  expect((await ada.client.delete(`/v1/users/me/grants/${grant.id}`)).status).toBe(200);
  expect([await isGood(), await isGood(other)]).toEqual([false, true]);
  expect((await refresh(application, tokens)).body).toEqual({ error: 'invalid_grant' });
  const exchange = await server
    .anonymous()
    .ask('POST', '/v1/oauth2/token', { form: exchangeForm(application, code) });
  expect(exchange.body).toEqual({ error: 'invalid_grant' });
  expect((await grants()).map((one) => one.application.id)).toEqual([plain.id]);
  expect((await ada.client.delete(`/v1/users/me/grants/${grant.id}`)).code).toBe(4040);
  // To use it again is to be asked again, and does not bring the old tokens back.
  await authorize(ada, team, application);
  expect(await isGood()).toBe(false);
});

it('exchanging, refreshing and ending at the same moment leaves no living token', async () => {
  for (let round = 0; round < 5; round++) {
    const given = await authorize(ada, team, application);
    const code = await openForCode(ada, team, application);
    const [grant] = (await grants()).filter((one) => one.application.id === application.id);
    const form = exchangeForm(application, code);
    const [ended, ...answers] = await Promise.all([
      ada.client.delete(`/v1/users/me/grants/${grant.id}`),
      server.anonymous().ask('POST', '/v1/oauth2/token', { form }),
      refresh(application, given),
      refresh(application, given),
    ]);
    expect(ended.status).toBe(200);
    for (const { body } of answers) {
      if (body.access_token === undefined) continue;
      expect(await isGood(body)).toBe(false);
      expect((await refresh(application, body)).status).toBe(400);
    }
  }
});

async function reset(body: object): Promise<void> {
  await server.anonymous().post('/v1/password_resets', { email: ada.email });
  const { text } = await mailbox.next(ada.email, (mail) => mail.text.includes('/password_resets/'));
  const token = /\/password_resets\/([\w-]+)/.exec(text)?.[1];
  const answer = await server
    .anonymous()
    .put(`/v1/password_resets/${token}`, { password: 'a new long password', ...body });
  expect(answer.status).toBe(200);
}

it('a reset by mail ends all of them (claim: a-reset-ends-grants)', async () => {
  await reset({});
  expect(await isGood()).toBe(false);
  expect((await refresh(application, tokens)).status).toBe(400);
});

/** Sets a password on the server's own machine, with an account whose address is proved. */
async function operatorSets(...options: string[]): Promise<string> {
  await proveAddress(mailbox, ada);
  const command = ['user', 'password', ada.email, ...options];
  const args = ['--disable-warning=ExperimentalWarning', main, ...command];
  const running = promisify(execFile)(process.execPath, args, {
    env: { PATH: process.env.PATH, ...compiled, ...server.environment },
  });
  running.child.stdin?.end('a password of the operator');
  return (await running).stdout;
}

it('a password of the operator ends them as a reset does, and the person is told (claim: operator-password)', async () => {
  await server.anonymous().post('/v1/password_resets', { email: ada.email });
  const asked = await mailbox.next(ada.email, (mail) => mail.text.includes('/password_resets/'));
  const link = /\/password_resets\/([\w-]+)/.exec(asked.text)?.[1];
  expect(await operatorSets()).toContain('has a new password');
  expect(await isGood()).toBe(false);
  expect((await refresh(application, tokens)).status).toBe(400);
  expect((await ada.client.get('/v1/users/me')).code).toBe(4010);
  const late = { password: 'a password of the attacker' };
  expect((await server.anonymous().put(`/v1/password_resets/${link}`, late)).status).toBe(404);
  const mail = await mailbox.next(ada.email, ({ subject }) => subject === 'Your password was changed');
  expect(mail.text).toContain(`Hello Ada`);
});

it('a password of the operator keeps them where the operator wants that', async () => {
  await operatorSets('--keep-applications');
  expect(await isGood()).toBe(true);
  expect((await ada.client.get('/v1/users/me')).code).toBe(4010);
});

it('a reset by mail keeps them where the person wants that', async () => {
  await reset({ applications: 'keep' });
  expect(await isGood()).toBe(true);
});

it('a change of the password keeps them, or ends them where the person wants that', async () => {
  const change = (current: string, password: string, more = {}) =>
    ada.client.post('/v1/users/me/password', { current, password, ...more });
  expect((await change('a password of length', 'another long password')).status).toBe(200);
  expect(await isGood()).toBe(true);
  expect(
    (await change('another long password', 'a third long password', { applications: 'some' })).code,
  ).toBe(4002);
  expect(await isGood()).toBe(true);
  expect(
    (await change('another long password', 'a third long password', { applications: 'end' })).status,
  ).toBe(200);
  expect(await isGood()).toBe(false);
  expect(await grants()).toEqual([]);
});

it('who leaves the team or uninstalls leaves no agreement behind', async () => {
  await admin.client.delete(`/v1/teams/${team}/users/${ada.id}`);
  await authorize(admin, team, application);
  await admin.client.delete(`/v1/teams/${team}/applications/${application.id}`);
  const rows = (await dumpTables(server.running.db)).get('agreements');
  expect(rows).not.toContain(ada.id);
  expect(rows).not.toContain(application.id);
});
