// An application asks for a narrow scope, such as one for files, and gets it easily: it opens little. With a token that
// has this scope alone, its owner tries all that can be asked of messages: of its team, of other teams, of direct messages
// and of sidebars, also with a scope for direct messages beside it.
// A narrow scope opens its own routes, for what the whole team sees in the team of the grant. All else is refused, or does
// not exist.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { authorize, install, join, makeTeam, type Person, register } from '../support/people.ts';
import { type Conversation, converse, expectUnquoted, probesOf } from '../support/reach.ts';
import { scene } from '../support/scene.ts';

const { server, host, mallory, bob, carol } = scene({ people: ['Mallory', 'Bob', 'Carol'] });
let own: string;
let here: Conversation;
let there: Conversation;
let direct: Conversation;
let members: Conversation;

beforeAll(async () => {
  own = await makeTeam(mallory, [bob]);
  const other = await makeTeam(carol, [bob]);
  here = await converse(mallory, bob, { addressed_teams: [own] });
  there = await converse(carol, bob, { addressed_teams: [other] });
  direct = await converse(carol, bob, { addressed_users: [bob.id] });
  members = await converse(bob, mallory, { addressed_users: [mallory.id] });
});

async function tokenWith(scopes: readonly string[], person: Person = bob): Promise<Client> {
  const app = await register(mallory, host, { scopes });
  await install(mallory, own, app);
  return server.anonymous().withToken((await authorize(person, own, app)).access_token);
}

async function ownTokenWith(scopes: readonly string[]): Promise<Client> {
  const app = await register(mallory, host, { scopes });
  await install(mallory, own, app);
  const form = { grant_type: 'client_credentials', team: own };
  const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
  expect(body.scope).toBe(scopes.join(' '));
  return server.anonymous().withToken(body.access_token);
}

/** What a scope opens of a conversation of its team. */
function opens(scope: string, { root, reply, file }: Conversation): string[] {
  const ways: Record<string, string[]> = {
    'files:read': [`GET /v1/attachments/${file}`],
    'high_fives:read': [root, reply].map((id) => `GET /v1/messages/${id}/high_fives`),
    'high_fives:write': [root, reply].flatMap((id) => [
      `PUT /v1/messages/${id}/high_five`,
      `DELETE /v1/messages/${id}/high_five`,
    ]),
  };
  return ways[scope] ?? [];
}

async function reached(token: Client, conversation: Conversation): Promise<string[]> {
  const open: string[] = [];
  for (const [method, path, json] of probesOf(conversation)) {
    const answer = await token.ask(method, path, json === undefined ? {} : { json });
    if (answer.status === 200) open.push(`${method} ${path}`);
    else expect([method, path, [4031, 4040].includes(answer.code as number)]).toEqual([method, path, true]);
    expect(answer.text).not.toMatch(/secret (root|reply|aside)/);
  }
  await expectUnquoted(token, conversation);
  return open.sort();
}

const SCOPES = [
  'files:read',
  'files:write',
  'high_fives:read',
  'high_fives:write',
  'members:read',
  'members.email:read',
  'members:write',
  'inbox:write',
  'team:write',
  'profile:write',
  'objects:read',
];
const OWN = [
  'files:read',
  'files:write',
  'high_fives:read',
  'members:read',
  'members.email:read',
  'objects:read',
];

describe.each(SCOPES)('a token with %s alone (claim: narrow-scopes)', (scope) => {
  it('reaches its routes in its team, and nothing else', async () => {
    const token = await tokenWith([scope]);
    expect(await reached(token, here)).toEqual(opens(scope, here).sort());
    for (const closed of [there, direct, members]) expect(await reached(token, closed)).toEqual([]);
    expect((await token.get('/v1/messages')).code).toBe(4031);
    expect((await token.get('/v1/messages?q=secret')).code).toBe(4031);
    expect((await token.get('/v1/users/me/conversations')).code).toBe(4031);
    expect((await token.get('/v1/events')).code).toBe(4031);
  });

  it('opens no sidebar of the team beside scopes for direct messages', async () => {
    const doing = scope.split(':')[1];
    const token = await tokenWith([scope, `direct:${doing}`]);
    const open = await reached(token, here);
    expect(open).toEqual(opens(scope, here).sort());
    expect(open.join()).not.toContain(here.aside);
    expect(await reached(token, there)).toEqual([]);
  });
});

describe.each(OWN)('an application as itself with %s alone (claim: narrow-scopes)', (scope) => {
  it('reaches the same', async () => {
    const token = await ownTokenWith([scope]);
    expect(await reached(token, here)).toEqual(opens(scope, here).sort());
    for (const closed of [there, direct, members]) expect(await reached(token, closed)).toEqual([]);
  });
});

it('an application as itself posts a file, and reads it with the scope for that', async () => {
  const token = await ownTokenWith(['messages:write', 'files:read', 'files:write']);
  const raw = new FormData();
  raw.set('file', new Blob(['build log']), 'log.txt');
  const uploaded = await token.ask('POST', '/v1/attachments', { raw });
  const file = uploaded.data[0].id;
  const posted = await token.post('/v1/messages', {
    text: 'Build 7',
    addressed_teams: [own],
    attachments: { files: [file] },
  });
  expect(posted.data[0].attachments).toMatchObject([{ id: file, name: 'log.txt' }]);
  expect((await bob.client.get(`/v1/attachments/${file}`)).text).toBe('build log');
  expect((await token.get(`/v1/attachments/${file}`)).text).toBe('build log');
  expect((await carol.client.get(`/v1/attachments/${file}`)).code).toBe(4040);
});

it('a list for an application as itself has no addresses of people', async () => {
  const path = `/v1/messages/${here.root}/high_fives`;
  await bob.client.put(`/v1/messages/${here.root}/high_five`);
  expect((await (await tokenWith(['high_fives:read'])).get(path)).data).toMatchObject([{ email: bob.email }]);
  expect((await (await ownTokenWith(['high_fives:read'])).get(path)).data).toMatchObject([
    { id: bob.id, email: '' },
  ]);
});

it('high_fives:read lets an application hear of high fives, and of no text', async () => {
  const app = await register(mallory, host, { scopes: ['high_fives:read'] });
  await install(mallory, own, app);
  const path = `/v1/applications/${app.id}/subscriptions`;
  const kinds = ['high_five.given', 'message.posted', 'message.edited'];
  const { data } = await app.credentials.post(path, { kinds });
  const sent = { text: 'secret plan', addressed_teams: [own] };
  const posted = (await mallory.client.post('/v1/messages', sent)).data[0].id as string;
  await bob.client.put(`/v1/messages/${posted}/high_five`);
  const aside = { users: [bob.id], text: 'secret aside' };
  const sidebar = (await mallory.client.post(`/v1/messages/${posted}/sidebars`, aside)).data[0].id as string;
  const said = (await mallory.client.get(`/v1/sidebars/${sidebar}/messages`)).data[0].id as string;
  await bob.client.put(`/v1/messages/${said}/high_five`);
  const heard = await app.credentials.get(`${path}/${data[0].id}/events?since=0`);
  expect(heard.data.map(({ type }: { type: string }) => type)).toEqual(['high_five.given']);
  expect(heard.data[0].data.message.id).toBe(posted);
  expect(heard.text).not.toContain('secret');
});

it('taking the scope back closes its door with the next request', async () => {
  const app = await register(mallory, host, { scopes: ['files:read'] });
  await install(mallory, own, app);
  const token = server.anonymous().withToken((await authorize(bob, own, app)).access_token);
  expect((await token.get(`/v1/attachments/${here.file}`)).status).toBe(200);
  await mallory.client.put(`/v1/teams/${own}/applications/${app.id}/scopes`, { scopes: [] });
  expect((await token.get(`/v1/attachments/${here.file}`)).code).toBe(4031);
});

describe('members:write for an admin (claim: delegates-stay-below)', () => {
  it('invites members by mail, and never hands out a link or makes an admin', async () => {
    const team = await makeTeam(mallory);
    const app = await register(mallory, host, { scopes: ['members:write'] });
    await install(mallory, team, app);
    const token = server.anonymous().withToken((await authorize(mallory, team, app)).access_token);
    const path = `/v1/teams/${team}/invitations`;
    const made = await token.post(path, { emails: ['new@example.org'] });
    expect(made.data).toMatchObject([
      { email: 'new@example.org', token: null, url: null, membership_type: 2 },
    ]);
    expect((await token.get(path)).data).toMatchObject([
      { email: 'new@example.org', token: null, url: null },
    ]);
    expect((await token.get(`/v1/teams/${own}/invitations`)).code).toBe(4040);
    const asAdmin = await token.post(path, { emails: ['boss@example.org'], membership_type: 1 });
    expect(asAdmin.body.errors).toMatchObject([{ code: 4031, reason: 'session' }]);
    expect((await token.delete(`${path}/${made.data[0].id}`)).status).toBe(200);
    expect((await mallory.client.get(path)).data).toEqual([]);
  });

  it('leaves invitations of admins as they are, in one step and in two', async () => {
    const team = await makeTeam(mallory);
    await join(mallory, team, carol, 1);
    const app = await register(mallory, host, { scopes: ['members:write'] });
    await install(mallory, team, app);
    const token = server.anonymous().withToken((await authorize(mallory, team, app)).access_token);
    const path = `/v1/teams/${team}/invitations`;
    const invite = (who: Person, email: string) =>
      who.client.post(path, { emails: [email], membership_type: 1 });
    const [mine] = (await invite(mallory, 'boss@example.org')).data;
    const [theirs] = (await invite(carol, 'chief@example.org')).data;
    for (const emails of [
      ['new@example.org', 'BOSS@example.org'],
      ['new@example.org', 'chief@example.org'],
    ]) {
      const again = await token.post(path, { emails });
      expect(again.body.errors).toMatchObject([{ code: 4002, reason: 'emails.1' }]);
    }
    for (const { id } of [mine, theirs])
      expect((await token.delete(`${path}/${id}`)).body.errors).toMatchObject([
        { code: 4031, reason: 'session' },
      ]);
    const shown = async ({ token: secret }: { token: string }) =>
      (await server.anonymous().get(`/v1/invitations/${secret}`)).data[0].membership_type;
    expect([await shown(mine), await shown(theirs)]).toEqual([1, 1]);
    expect((await token.get(path)).data).toHaveLength(2);
    // A person may, and then the application may, too.
    expect((await mallory.client.post(path, { emails: ['boss@example.org'] })).status).toBe(200);
    expect((await token.post(path, { emails: ['boss@example.org'] })).status).toBe(200);
    expect(await shown(mine)).toBe(2);
  });

  it('of an admin who is none any more ends no invitation of another', async () => {
    const team = await makeTeam(mallory);
    await join(mallory, team, carol, 1);
    const path = `/v1/teams/${team}/invitations`;
    await carol.client.post(path, { emails: ['late@example.org'], membership_type: 1 });
    await mallory.client.patch(`/v1/teams/${team}/users/${carol.id}`, { membership_type: 2 });
    const app = await register(mallory, host, { scopes: ['members:write'] });
    await install(mallory, team, app);
    const token = server.anonymous().withToken((await authorize(mallory, team, app)).access_token);
    // Her link admits nobody, so it holds nobody back.
    expect((await token.post(path, { emails: ['late@example.org'] })).status).toBe(200);
  });

  it('repeated with its key, an invitation still has no link', async () => {
    const token = await tokenWith(['members:write'], mallory);
    const ask = () =>
      token.post(
        `/v1/teams/${own}/invitations`,
        { emails: ['again@example.org'] },
        { 'Idempotency-Key': 'k' },
      );
    for (const answer of [await ask(), await ask()])
      expect(answer.data).toMatchObject([{ token: null, url: null }]);
  });

  it('removes members, but no admin, nobody of another team, and not the person themselves', async () => {
    const team = await makeTeam(mallory, [bob]);
    await join(mallory, team, carol, 1);
    const app = await register(mallory, host, { scopes: ['members:write'] });
    await install(mallory, team, app);
    const token = server.anonymous().withToken((await authorize(mallory, team, app)).access_token);
    const remove = async (id: string, of = team) => (await token.delete(`/v1/teams/${of}/users/${id}`)).code;
    expect(await remove(carol.id)).toBe(4031);
    expect(await remove(mallory.id)).toBe(4031);
    expect(await remove(bob.id, own)).toBe(4040);
    expect(await remove(bob.id)).toBeUndefined();
    const left = (await mallory.client.get(`/v1/teams/${team}/users`)).data;
    expect(left.map(({ userid }: { userid: string }) => userid).sort()).toEqual(
      [mallory.id, carol.id].sort(),
    );
  });

  it('gives a member no right that they do not have', async () => {
    const token = await tokenWith(['members:write', 'team:write'], bob);
    expect((await token.post(`/v1/teams/${own}/invitations`, { emails: ['x@example.org'] })).code).toBe(4030);
    expect((await token.get(`/v1/teams/${own}/invitations`)).code).toBe(4030);
    expect((await token.delete(`/v1/teams/${own}/users/${mallory.id}`)).code).toBe(4030);
    expect((await token.delete(`/v1/teams/${own}/users/${bob.id}`)).code).toBe(4031);
    expect((await token.patch(`/v1/teams/${own}`, { name: 'Mine' })).code).toBe(4030);
  });
});

it('with every scope, a token of an admin changes no role, grants, installs or signs in nowhere (claim: delegates-stay-below)', async () => {
  const { scopes_supported: scopes } = (
    await server.anonymous().get('/.well-known/oauth-authorization-server')
  ).body;
  const app = await register(mallory, host, { scopes });
  await install(mallory, own, app);
  const token = server.anonymous().withToken((await authorize(mallory, own, app)).access_token);
  const refused: [string, string, unknown?][] = [
    ['PATCH', `/v1/teams/${own}/users/${bob.id}`, { membership_type: 1 }],
    ['PUT', `/v1/teams/${own}/applications/${app.id}/scopes`, { scopes }],
    ['POST', `/v1/teams/${own}/applications`, { application: app.id }],
    ['PATCH', `/v1/applications/${app.id}`, { scopes }],
    ['POST', `/v1/applications/${app.id}/opening`, { team: own, scopes }],
    ['POST', '/v1/teams', { name: 'Mine' }],
    ['DELETE', `/v1/teams/${own}`],
    ['GET', '/v1/users/me/grants'],
    ['GET', '/v1/sessions'],
    ['GET', '/v1/users/me/export'],
    ['GET', '/v1/admin/users'],
    ['POST', `/v1/teams/${own}/webhooks`, { name: 'Mine' }],
    ['POST', '/v1/users/me/password', { current: 'a password of length', password: 'another of length' }],
    ['PATCH', '/v1/users/me', { username: 'boss' }],
    ['PATCH', '/v1/users/me', { prefs: { email_on_at_mention: false } }],
    ['PATCH', '/v1/users/me', { language: 'de' }],
  ];
  for (const [method, path, json] of refused) {
    const answer = await token.ask(method, path, json === undefined ? {} : { json });
    expect([method, path, answer.code]).toEqual([method, path, 4031]);
  }
});

it('team:write and profile:write change what they name, and the audit says through which application', async () => {
  const app = await register(mallory, host, { scopes: ['team:write', 'profile:write'] });
  const [team, elsewhere] = [await makeTeam(mallory), await makeTeam(mallory)];
  await install(mallory, team, app);
  const token = server.anonymous().withToken((await authorize(mallory, team, app)).access_token);
  expect((await token.patch(`/v1/teams/${team}`, { name: 'Renamed' })).data).toMatchObject([
    { name: 'Renamed' },
  ]);
  expect((await token.patch(`/v1/teams/${elsewhere}`, { name: 'Renamed' })).code).toBe(4040);
  expect((await token.patch('/v1/users/me', { title: 'On holiday' })).data).toMatchObject([
    { title: 'On holiday' },
  ]);
  const { data } = await mallory.client.get(`/v1/admin/audit?team=${team}`);
  const changed = data.filter(({ action }: { action: string }) => action === 'team.changed');
  expect(changed).toMatchObject([{ detail: { fields: ['name'], through: app.id } }]);
});

it('an application as itself sees the members of its team, with addresses only by the scope for them', async () => {
  const path = `/v1/teams/${own}/users`;
  const without = await ownTokenWith(['members:read']);
  const shown = await without.get(`${path}?limit=10`);
  expect(shown.data.map(({ userid }: { userid: string }) => userid).sort()).toEqual(
    [mallory.id, bob.id].sort(),
  );
  expect(shown.text).not.toContain('@example.org');
  expect((await without.get(path)).text).not.toContain('@example.org');
  expect((await (await ownTokenWith(['members.email:read'])).get(path)).text).toContain(bob.email);
  // What was written for others is not what it gets, and the other way round.
  expect((await bob.client.get(path)).text).toContain(bob.email);
  const other = await makeTeam(mallory);
  for (const rest of ['', '/users', '/objects'])
    expect([rest, (await without.get(`/v1/teams/${other}${rest}`)).code]).toEqual([
      rest,
      rest === '/objects' ? 4031 : 4040,
    ]);
  expect((await without.get(`/v1/teams/${own}`)).data).toMatchObject([{ id: own, unread_count: 0 }]);
});

it('objects:read shows what other applications registered on the team, and only there', async () => {
  const tracker = await register(mallory, host, { name: 'Tracker' });
  const other = await makeTeam(mallory);
  for (const team of [own, other]) {
    await install(mallory, team, tracker);
    const object = { name: `Task of ${team}`, team, type: 'task', url: '/tasks/1' };
    await tracker.credentials.post(`/v1/applications/${tracker.id}/objects`, object);
  }
  const tokens = [await tokenWith(['objects:read'], mallory), await ownTokenWith(['objects:read'])];
  for (const token of tokens) {
    const { data } = await token.get(`/v1/teams/${own}/objects`);
    expect(data).toMatchObject([
      { application: tracker.id, name: `Task of ${own}`, type: 'task', url: `${host.url}/tasks/1` },
    ]);
    expect((await token.get(`/v1/teams/${own}/objects?type=note`)).data).toEqual([]);
    expect((await token.get(`/v1/teams/${other}/objects`)).code).toBe(4040);
    expect((await token.get('/v1/teams/nonsense/objects')).code).toBe(4040);
  }
  expect((await carol.client.get(`/v1/teams/${own}/objects`)).code).toBe(4040);
});

it('inbox:read and inbox:write are about what the whole team sees, and nothing else (claim: narrow-scopes)', async () => {
  const team = await makeTeam(mallory, [bob]);
  const app = await register(mallory, host, { scopes: ['inbox:read'] });
  const marker = await register(mallory, host, { scopes: ['inbox:write', 'direct:read'] });
  for (const one of [app, marker]) await install(mallory, team, one);
  const tokenOf = async (one: typeof app) =>
    server.anonymous().withToken((await authorize(bob, team, one)).access_token);
  const [reader, writer] = [await tokenOf(app), await tokenOf(marker)];
  const mention = { text: `hello @${bob.email.split('@')[0]}`, addressed_teams: [team] };
  const said = (await mallory.client.post('/v1/messages', mention)).data[0].id as string;
  const rest = { text: 'to all', addressed_teams: [team] };
  const plain = (await mallory.client.post('/v1/messages', rest)).data[0].id as string;
  const aside = { users: [bob.id], text: 'secret aside' };
  const sidebar = (await mallory.client.post(`/v1/messages/${said}/sidebars`, aside)).data[0].id as string;
  const hidden = (await bob.client.get(`/v1/sidebars/${sidebar}/messages`)).data[0].id as string;
  await expect
    .poll(async () =>
      (await bob.client.get('/v1/users/me/inbox?limit=200')).data.some(
        (entry: { sidebar: string | null }) => entry.sidebar === sidebar,
      ),
    )
    .toBe(true);
  for (const filter of ['new', 'all', 'mentions', 'threads']) {
    const { text, data } = await reader.get(`/v1/users/me/inbox?filter=${filter}&limit=200`);
    expect(text).not.toContain('secret');
    expect(text).not.toContain(sidebar);
    for (const entry of data) expect([filter, entry.team, entry.sidebar]).toEqual([filter, team, null]);
  }
  const news = (await reader.get('/v1/users/me/inbox')).data;
  expect(news.map(({ last }: { last: { id: string } }) => last.id).sort()).toEqual([said, plain].sort());
  expect((await reader.get('/v1/users/me/inbox/counts')).data).toEqual([
    { total: 1, mentions: 1, direct: 0, in_teams: { [team]: 1 }, teams: 1 },
  ]);
  expect((await writer.get('/v1/users/me/inbox')).code).toBe(4031);
  expect((await reader.put(`/v1/messages/${said}/read`)).code).toBe(4031);
  const marked = await writer.put(`/v1/messages/${said}/read`);
  expect([marked.status, marked.data]).toEqual([200, []]);
  for (const id of [hidden, there.root, direct.root, here.root])
    expect([id, (await writer.put(`/v1/messages/${id}/read`)).code]).toEqual([id, 4040]);
  expect((await writer.put(`/v1/teams/${own}/read`, { up_to: here.root })).code).toBe(4040);
  expect((await writer.put(`/v1/teams/${team}/read`, { up_to: plain })).data).toMatchObject([
    { id: team, unread_count: 0 },
  ]);
  expect((await reader.get('/v1/users/me/inbox')).data).toEqual([]);
});
