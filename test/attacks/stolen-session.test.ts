/*
 * An attacker gets a session: an unattended computer, a stolen cookie. Sensitive acts ask for the password again,
 * unless it was shown a few minutes ago, and it cannot be guessed there without bound. The owner, or an administrator,
 * ends the session.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pathOf, subscribe } from '../support/feed.ts';
import { ApplicationHost, type Person, register, signUp } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const PASSWORD = 'a password of length';
let server: TestServer;
let host: ApplicationHost;
let root: Person;
let ada: Person;

beforeEach(async () => {
  server = await startTestServer();
  host = await new ApplicationHost().start();
  root = await signUp(server, 'Root');
  ada = await signUp(server, 'Ada');
});
afterEach(async () => {
  await server?.stop();
  await host?.stop();
});

const confirm = (person: Person, password = PASSWORD) =>
  person.client.post('/v1/sessions/current/confirmation', { password });

it('sensitive acts need the password again after ten minutes (claim: recent-password)', async () => {
  const application = await register(root, host);
  const { id } = await subscribe(application, { webhook: { url: `${host.url}/events` } });
  const key = `${pathOf(application, id)}/key`;
  await server.anonymous().post('/v1/sessions', { email: root.email, password: PASSWORD });
  const other = (await root.client.get('/v1/sessions')).data.find(({ current }) => !current);
  const acts: (() => Promise<{ status: number; body: { errors?: { reason: string }[] } }>)[] = [
    () => root.client.patch(`/v1/admin/users/${ada.id}`, { superuser: true }),
    () => root.client.delete(`/v1/admin/users/${ada.id}/sessions`),
    () => root.client.post(`/v1/applications/${application.id}/secret`),
    () => root.client.post(key),
    () => root.client.delete(`/v1/sessions/${other.id}`),
    () => root.client.delete(`/v1/admin/users/${ada.id}`),
    () => root.client.get('/v1/admin/backup'),
  ];
  server.clock.advance(601);
  for (const act of acts) {
    const { status, body } = await act();
    expect([status, body.errors?.[0]?.reason]).toEqual([403, 'password_needed']);
  }
  expect((await root.client.get('/v1/sessions')).data.some(({ confirmed }) => confirmed)).toBe(false);
  expect((await ada.client.get('/v1/users/me')).data[0].superuser).toBe(false);
  // An application has shown its secret.
  expect((await application.credentials.post(key)).status).toBe(200);

  expect((await confirm(root, 'wrong')).code).toBe(4002);
  expect((await acts[0]?.())?.status).toBe(403);
  expect((await confirm(root)).status).toBe(200);
  for (const act of acts) expect((await act()).status).toBe(200);
});

it('ends nobody’s sign-out, and asks for no password within the ten minutes', async () => {
  const again = await server.anonymous().post('/v1/sessions', { email: ada.email, password: PASSWORD });
  expect(again.status).toBe(200);
  const other = (await ada.client.get('/v1/sessions')).data.find(({ current }) => !current);
  expect((await ada.client.delete(`/v1/sessions/${other.id}`)).status).toBe(200);
  server.clock.advance(601);
  expect((await ada.client.delete('/v1/sessions/current')).status).toBe(200);
});

it('an administrator ends the sessions of an account, which stays open', async () => {
  expect((await root.client.delete(`/v1/admin/users/${ada.id}/sessions`)).status).toBe(200);
  expect((await ada.client.get('/v1/users/me')).code).toBe(4010);
  expect((await ada.client.post('/v1/sessions', { email: ada.email, password: PASSWORD })).status).toBe(200);
  expect((await root.client.delete('/v1/admin/users/nobody/sessions')).code).toBe(4040);
  const { data } = await root.client.get(`/v1/admin/audit?target=${ada.id}&action=account.signed_out`);
  expect(data).toHaveLength(1);
});

it('the password cannot be guessed there without bound', async () => {
  await server.stop();
  server = await startTestServer({ RATE_LIMIT: 'on', RATE_LIMIT_ACCOUNT: '3' });
  server.clock.toNextMinute();
  ada = await signUp(server, 'Ada');
  const codes: (number | undefined)[] = [];
  for (let n = 0; n < 5; n++) codes.push((await confirm(ada, 'wrong')).code);
  expect(codes).toEqual([4002, 4002, 4002, 4290, 4290]);
});

it('signing in again in a browser ends its former session (claim: new-token)', async () => {
  const stolen = ada.client.copy();
  const other = await signUp(server, 'Other');
  expect((await ada.client.post('/v1/sessions', { email: ada.email, password: PASSWORD })).status).toBe(200);
  expect((await stolen.get('/v1/users/me')).code).toBe(4010);
  expect((await ada.client.get('/v1/sessions')).data).toHaveLength(1);
  // Also when somebody else signs in there; a forged cookie ends nothing.
  const second = ada.client.copy();
  expect((await ada.client.post('/v1/sessions', { email: other.email, password: PASSWORD })).status).toBe(
    200,
  );
  expect((await second.get('/v1/users/me')).code).toBe(4010);
  const forged = await server.anonymous().ask('POST', '/v1/sessions', {
    json: { email: ada.email, password: PASSWORD },
    headers: { Cookie: other.client.cookie.replace(/\.[^;]*/, '.forged') },
  });
  expect(forged.status).toBe(200);
  expect((await other.client.get('/v1/users/me')).status).toBe(200);
});

it('confirming the password replaces the token, and keeps the session', async () => {
  const stolen = ada.client.copy();
  const [before] = (await ada.client.get('/v1/sessions')).data;
  expect((await confirm(ada, 'wrong')).code).toBe(4002);
  expect((await stolen.get('/v1/users/me')).status).toBe(200);
  expect((await confirm(ada)).status).toBe(200);
  expect((await stolen.get('/v1/users/me')).code).toBe(4010);
  const [after] = (await ada.client.get('/v1/sessions')).data;
  expect(after).toMatchObject({ id: before.id, confirmed: true, created_at: before.created_at });
});
