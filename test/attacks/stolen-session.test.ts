/*
 * An attacker gets a session: an unattended computer, a stolen cookie. Sensitive acts ask for the password again,
 * unless it was shown a few minutes ago, and it cannot be guessed there without bound. The owner, or an administrator,
 * ends the session.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pathOf, subscribe } from '../support/feed.ts';
import { documentedOperations } from '../support/openapi.ts';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  type Person,
  register,
  signUp,
} from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const PASSWORD = 'a password of length';
let server: TestServer;
let host: ApplicationHost;
let root: Person;
let ada: Person;

beforeEach(async () => {
  server = await startTestServer({ CONFIRMATION_LIFETIME: '600' });
  host = await new ApplicationHost().start();
  root = await signUp(server, 'Root');
  ada = await signUp(server, 'Ada');
  for (const { client } of [root, ada]) client.password = undefined;
});
afterEach(async () => {
  await server?.stop();
  await host?.stop();
});

const confirm = (person: Person, password = PASSWORD) =>
  person.client.post('/v1/sessions/current/confirmation', { password });

/** Of an application without a secret. */
const NOT_CALLED = { preinstall_url: null, uninstall_url: null, team_update_url: null, link_prefixes: [] };

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

const ASKED = 'the password must have been shown a short while ago';
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** The routes that a session may call, by what they say about the password. */
const ofSessions = documentedOperations().filter(({ security }) => security?.some((way) => 'session' in way));
const always = ofSessions.filter(({ description }) => description?.includes(`In a session, ${ASKED}`));
const sometimes = ofSessions
  .filter(({ description }) => description?.includes(ASKED))
  .filter((one) => !always.includes(one));

/** Why a route by which a session writes asks for no password. What a person does daily asks for none. */
const UNASKED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['POST /v1/users/me/password', 'POST /v1/users/me/deactivation', 'DELETE /v1/users/me'].map((one) => [
      one,
      'its body has the password',
    ]),
  ),
  'POST /v1/sessions/current/confirmation': 'its body has the password',
  'DELETE /v1/sessions/current': 'takes nothing from anybody else',
  'POST /v1/email_verifications': 'mails the account’s own address',
  'PUT /v1/email_verifications/{token}': 'needs the mailed link',
  'PATCH /v1/users/me': 'changes neither address nor password',
  'PUT /v1/users/me/image': 'daily',
  'DELETE /v1/users/me/image': 'daily',
  'POST /v1/teams': 'reaches nobody else',
  'PATCH /v1/teams/{team}':
    'name, look, what programs call, and whether people may join as members, whom one may invite as well',
  'DELETE /v1/teams/{team}/users/{user}': 'takes a right',
  'DELETE /v1/teams/{team}/invitations/{invitation}': 'takes a right',
  'PUT /v1/invitations/{token}': 'needs the link',
  'PUT /v1/join_links/{token}': 'needs the link',
  'DELETE /v1/teams/{team}/join_links/{link}': 'takes a right',
  'DELETE /v1/teams/{team}/domain_rules/{rule}': 'takes a right',
  'PUT /v1/teams/{team}/users/me': 'daily',
  'POST /v1/teams/{team}/groups': 'gives nobody a right',
  'PATCH /v1/teams/{team}/groups/{group}': 'gives nobody a right',
  'DELETE /v1/teams/{team}/groups/{group}': 'gives nobody a right',
  'PATCH /v1/teams/{team}/subjects/{subject}': 'daily',
  'PUT /v1/teams/{team}/subjects/{subject}/read': 'daily',
  'PUT /v1/users/me/invitations/{invitation}': 'was given by somebody else',
  'DELETE /v1/users/me/invitations/{invitation}': 'takes a right',
  'PATCH /v1/users/me/teams/{team}': 'daily',
  'DELETE /v1/applications/{application}/subscriptions/{subscription}': 'takes a right',
  'DELETE /v1/applications/{application}/subscriptions/{subscription}/consumers/{name}': 'takes a right',
  'POST /v1/applications/{application}/subscriptions/{subscription}/replays':
    'goes to the address that was set',
  'POST /v1/applications/{application}/test_callback': 'goes to the address that was set',
  'POST /v1/applications/{application}/deliveries/{delivery}/redeliver': 'goes to the address that was set',
  'DELETE /v1/teams/{team}/applications/{application}': 'takes a right',
  'POST /v1/applications/{application}/home/openings': 'daily',
  'POST /v1/applications/{application}/home/interactions': 'daily',
  'POST /v1/applications/{application}/home/options': 'daily',
  'POST /v1/teams/{team}/commands': 'daily',
  'POST /v1/teams/{team}/shortcuts': 'daily',
  'PUT /v1/teams/{team}/commands/{command}': 'between two applications that were installed with the password',
  'POST /v1/objects/{object}/openings': 'daily',
  'DELETE /v1/users/me/grants/{grant}': 'takes a right',
  'PATCH /v1/teams/{team}/webhooks/{webhook}': 'name',
  'DELETE /v1/teams/{team}/webhooks/{webhook}': 'takes a right',
  'PUT /v1/teams/{team}/webhooks/{webhook}/image': 'look',
  'DELETE /v1/teams/{team}/webhooks/{webhook}/image': 'look',
  'POST /v1/emoji': 'daily',
  'DELETE /v1/emoji/{name}': 'daily',
  'POST /v1/users/me/push_subscriptions': 'ends with the session',
  'DELETE /v1/users/me/push_subscriptions/{subscription}': 'daily',
  'POST /v1/blocks/check': 'says nothing',
  'POST /v1/users/me/push_subscriptions/{subscription}/test': 'says nothing',
  'PATCH /v1/users/me/push_settings': 'daily',
};
/** What members write and read. */
const DAILY =
  /^\S+ \/v1\/(messages|forms|sidebars|attachments|users\/me\/(read|inbox|mutes|saved|conversations|blocked_applications|ephemeral_answers|scheduled_messages|reminders)|teams\/\{team\}\/(read|pins|typing))(\/|$)/;

it('each route by which a session writes asks for the password, or says why not', () => {
  const open = ofSessions
    .filter((one) => one.method !== 'GET' && !always.includes(one) && !sometimes.includes(one))
    .map(nameOf);
  expect(open.filter((one) => !DAILY.test(one)).sort()).toEqual(Object.keys(UNASKED).sort());
  expect(open.filter((one) => one.includes('/v1/admin/'))).toEqual([]);
});

it.each(always.map((one) => [nameOf(one), one] as const))('%s asks for it each time', async (_, one) => {
  server.clock.advance(601);
  const path = one.path.replaceAll(/\{[^}]+\}/g, 'any');
  const json = one.method === 'GET' || one.method === 'DELETE' ? {} : { json: {} };
  const { status, body } = await root.client.ask(one.method, path, json);
  expect([status, body.errors?.[0]?.reason]).toEqual([403, 'password_needed']);
});

it('an address that secrets or codes go to is not changed without it (claim: addresses-need-the-password)', async () => {
  const application = await register(ada, host);
  const path = `/v1/applications/${application.id}`;
  const { id } = await subscribe(application, { webhook: { url: `${host.url}/events` } });
  const subscription = pathOf(application, id);
  const before = (await ada.client.get(path)).data[0];
  server.clock.advance(601);
  const thief = 'https://thief.example/x';
  const changes = [
    { base_url: thief },
    { preinstall_url: thief },
    { interaction_url: thief },
    { uninstall_url: thief },
    { uninstall_url: null },
    { team_update_url: thief },
    { initiate_login_uri: thief },
    { redirect_uris: [application.redirectUri, thief] },
    { require_pkce: false },
    { token_endpoint_auth_method: 'client_secret_post' },
    { ...NOT_CALLED, token_endpoint_auth_method: 'none' },
  ];
  for (const change of changes) {
    const { status, body } = await ada.client.patch(path, change);
    expect([status, body.errors?.[0]?.reason]).toEqual([403, 'password_needed']);
  }
  for (const ask of [
    () => ada.client.patch(subscription, { webhook: { url: thief } }),
    () => ada.client.post(`${path}/subscriptions`, { kinds: ['message.posted'], webhook: { url: thief } }),
  ]) {
    const { status, body } = await ask();
    expect([status, body.errors?.[0]?.reason]).toEqual([403, 'password_needed']);
  }
  expect((await ada.client.get(path)).data[0]).toEqual(before);
  // What stays, and what leads nowhere.
  const { preinstall_url, redirect_uris } = before;
  const same = { name: 'Renamed', preinstall_url, redirect_uris };
  expect((await ada.client.patch(path, same)).status).toBe(200);
  const webhook = { url: `${host.url}/events`, batch: 2 };
  expect((await ada.client.patch(subscription, { webhook, own_messages: true })).status).toBe(200);
  expect((await ada.client.post(`${path}/subscriptions`, { kinds: ['message.posted'] })).status).toBe(200);
  // The application has shown its secret.
  const elsewhere = { webhook: { url: `${host.url}/other` } };
  expect((await application.credentials.patch(subscription, elsewhere)).status).toBe(200);
  expect((await confirm(ada)).status).toBe(200);
  expect((await ada.client.patch(path, { team_update_url: `${host.url}/team` })).status).toBe(200);
  expect((await ada.client.patch(subscription, { webhook })).status).toBe(200);
});

it('a right is not given to others without it: to an admin, or to an application (claim: rights-need-the-password)', async () => {
  const team = await makeTeam(ada);
  const application = await register(root, host, { scopes: ['messages:read'] });
  await install(ada, team, application);
  const invite = (membership_type: number) =>
    ada.client.post(`/v1/teams/${team}/invitations`, { emails: ['x@example.org'], membership_type });
  const link = (membership_type: number) =>
    ada.client.post(`/v1/teams/${team}/join_links`, { max_uses: 1, membership_type });
  const opening = `/v1/applications/${application.id}/opening`;
  const open = (scopes: string[]) => ada.client.post(opening, { team, scopes });
  const request = {
    response_type: 'code',
    client_id: application.id,
    redirect_uri: application.redirectUri,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  };
  const allow = () => ada.client.post('/v1/oauth2/consent', { ...request, team, decision: 'allow' });
  server.clock.advance(601);
  for (const act of [() => invite(1), () => link(1), () => open([]), () => open(['messages:read']), allow]) {
    const { status, body } = await act();
    expect([status, body.errors?.[0]?.reason]).toEqual([403, 'password_needed']);
  }
  expect((await ada.client.get('/v1/users/me/grants')).data).toEqual([]);
  expect((await invite(2)).status).toBe(200);
  expect((await link(2)).status).toBe(200);
  expect((await confirm(ada)).status).toBe(200);
  expect((await invite(1)).status).toBe(200);
  expect((await link(1)).status).toBe(200);
  expect((await open([])).status).toBe(200);
  server.clock.advance(601);
  for (const act of [() => open(['messages:read']), allow]) expect((await act()).status).toBe(403);
  expect((await confirm(ada)).status).toBe(200);
  expect((await allow()).status).toBe(200);
  // It was agreed to.
  server.clock.advance(601);
  for (const act of [() => open(['messages:read']), allow]) expect((await act()).status).toBe(200);
  await authorize(ada, team, application);
});

it('every route that asks for it in a case is tried above', () => {
  expect(sometimes.map(nameOf).sort()).toEqual([
    'PATCH /v1/applications/{application}',
    'PATCH /v1/applications/{application}/subscriptions/{subscription}',
    'POST /v1/applications/{application}/opening',
    'POST /v1/applications/{application}/subscriptions',
    'POST /v1/oauth2/consent',
    'POST /v1/teams/{team}/invitations',
    'POST /v1/teams/{team}/join_links',
  ]);
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
