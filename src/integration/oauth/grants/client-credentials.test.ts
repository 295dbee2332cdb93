import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../test/support/client.ts';
import { allPlaced, pathOf, pullAll, subscribe } from '../../../../test/support/feed.ts';
import { mailsGo } from '../../../../test/support/mailbox.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';

const { server, host, dev, ada, bob, mailbox } = scene({
  people: ['Dev', 'Ada', 'Bob'],
  mail: true,
});
const SCOPES = ['messages:read', 'messages:write'];
let team: string;
let app: RegisteredApplication;
let bot: Client;

/** The answer of the token route to an application. */
const ask = (of: RegisteredApplication, form: Record<string, string>) =>
  of.credentials.ask('POST', '/v1/oauth2/token', { form: { grant_type: 'client_credentials', ...form } });

async function tokenFor(of: RegisteredApplication, inTeam: string): Promise<Client> {
  const answer = await ask(of, { team: inTeam });
  if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
  return server.anonymous().withToken(answer.body.access_token);
}

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  app = await register(dev, host, { name: 'Build bot', icon: '🤖', scopes: SCOPES });
  await install(ada, team, app);
  bot = await tokenFor(app, team);
});

describe('a token of the installation', () => {
  it('is given for a team, by its id or as a resource, without a refresh token', async () => {
    const resource = `${server.running.url}/v1/teams/${team}`;
    const forms: Record<string, string>[] = [{ team }, { resource }, { team, resource }];
    for (const form of forms) {
      const answer = await ask(app, form);
      expect(answer.body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: SCOPES.join(' '),
      });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    const narrow = await ask(app, { team, scope: 'messages:read' });
    expect(narrow.body.scope).toBe('messages:read');
    const reader = server.anonymous().withToken(narrow.body.access_token);
    const refused = await reader.post('/v1/messages', { text: 'no', addressed_teams: [team] });
    expect(refused.body.errors).toMatchObject([{ code: 4031, reason: 'messages:write' }]);
  });

  it('is refused for a team without the application, and for scopes that it does not have', async () => {
    const other = await makeTeam(ada);
    const silent = await register(dev, host, { name: 'Silent' });
    await install(ada, team, silent);
    const errors = await Promise.all([
      ask(app, {}),
      ask(app, { team: other }),
      ask(app, { team: 'none' }),
      ask(app, { resource: `https://elsewhere.example/v1/teams/${team}` }),
      ask(app, { team, resource: `${server.url}/v1/teams/${other}` }),
      ask(app, { team, scope: 'direct:read' }),
      ask(silent, { team }),
      ask({ ...app, credentials: app.credentials.withCredentials(app.id, 'wrong') }, { team }),
    ]);
    expect(errors.map(({ body }) => body.error)).toEqual([
      'invalid_request',
      'invalid_target',
      'invalid_target',
      'invalid_target',
      'invalid_target',
      'invalid_scope',
      'invalid_scope',
      'invalid_client',
    ]);
  });

  it('is introspected with its team', async () => {
    const { body } = await ask(app, { team });
    const known = await app.credentials.ask('POST', '/v1/oauth2/introspect', {
      form: { token: body.access_token },
    });
    expect(known.body).toMatchObject({ active: true, client_id: app.id, team, scope: SCOPES.join(' ') });
  });
});

describe('an application as author', () => {
  it('posts and replies with its name and icon, and is no member (claim: application-as-author)', async () => {
    const before = (await dev.client.get('/v1/admin/server')).data[0].counts;
    const posted = await bot.post('/v1/messages', { text: 'Build 7 passed', addressed_teams: [team] });
    const [message] = posted.data;
    expect(message).toMatchObject({
      author_type: 'application',
      author: { first_name: 'Build bot', last_name: '', email: '', username: '', is_application: true },
      via_app: { id: app.id, name: 'Build bot', icon: '🤖' },
      addressed_teams: [team],
    });
    const answered = await bot.post(`/v1/messages/${message.id}/replies`, { text: 'all 12 jobs' });
    expect(answered.data[0]).toMatchObject({ author_type: 'application', reply_to: message.id });
    const seen = (await bob.client.get(`/v1/messages?team=${team}`)).data[0];
    expect(seen).toMatchObject({ id: message.id, author_type: 'application', read: false, num_replies: 1 });
    expect(seen.author.is_application).toBe(true);
    const own = await ada.client.post('/v1/messages', { text: 'by a person', addressed_teams: [team] });
    expect(own.data[0].author_type).toBe('user');
    expect(own.data[0].author).not.toHaveProperty('is_application');

    const members = (await ada.client.get(`/v1/teams/${team}/users`)).data;
    expect(members.map(({ userid }) => userid).sort()).toEqual([ada.id, bob.id].sort());
    const connections = (await ada.client.get('/v1/users/me/connections')).data;
    expect(connections.map(({ id }) => id)).toEqual([bob.id]);
    expect((await dev.client.get('/v1/admin/users')).data).toHaveLength(3);
    expect((await dev.client.get('/v1/admin/server')).data[0].counts).toMatchObject({ users: before.users });
    const profile = (await ada.client.get(`/v1/users/${message.author.id}`)).data[0];
    expect(profile).toMatchObject({ first_name: 'Build bot', is_application: true, email: '' });
    const direct = await ada.client.post('/v1/messages', {
      text: 'hello bot',
      addressed_users: [message.author.id],
    });
    expect(direct.code).toBe(4008);
  });

  it('mentions a person, who finds it in the inbox and in a mail, marked', async () => {
    const { username } = (await bob.client.get('/v1/users/me')).data[0];
    const posted = await bot.post('/v1/messages', { text: `@${username} it broke`, addressed_teams: [team] });
    const { id } = posted.data[0];
    await mailsGo(server);
    const entry = (await bob.client.get('/v1/users/me/inbox')).data.find(({ last }) => last.id === id);
    expect(entry.last.author_type).toBe('application');
    expect(entry.people.map((person: { is_application?: boolean }) => person.is_application)).toEqual([true]);
    const mail = await mailbox.next(bob.email, ({ text }) => text.includes('it broke'));
    expect(mail.text).toContain('Build bot (app)');
  });

  it('reads messages without the addresses of people, unless it has the scope for them (claim: own-token-addresses)', async () => {
    const made = await register(dev, host, {
      scopes: ['messages:read', 'messages:write', 'members.email:read'],
      link_prefixes: ['https://builds.example/'],
    });
    await install(ada, team, made);
    const url = 'https://builds.example/9';
    const [root] = (await ada.client.post('/v1/messages', { text: url, addressed_teams: [team] })).data;
    const [reply] = (await bob.client.post(`/v1/messages/${root.id}/replies`, { text: 'fine' })).data;
    const addressesSeen = async (scope: string) => {
      const reader = server.anonymous().withToken((await ask(made, { team, scope })).body.access_token);
      const answers = [
        await reader.get(`/v1/messages/${root.id}`),
        await reader.get(`/v1/messages/${reply.id}`),
        await reader.get(`/v1/messages/${root.id}/replies`),
        await reader.put(`/v1/messages/${root.id}/unfurls`, { unfurls: [{ url, title: scope }] }),
        await reader.delete(`/v1/messages/${root.id}/unfurls`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      return answers.map(({ data }) => data[0].author.email);
    };
    const bare = 'messages:read messages:write';
    expect(await addressesSeen(bare)).toEqual(['', '', '', '', '']);
    const [a, b] = [ada.email, bob.email];
    // Nobody gets what was written for somebody else.
    expect(await addressesSeen(`${bare} members.email:read`)).toEqual([a, b, b, a, a]);
    expect((await ada.client.get(`/v1/messages/${root.id}/replies`)).data[0].author.email).toBe(b);
    expect(await addressesSeen(bare)).toEqual(['', '', '', '', '']);
  });

  it('changes and deletes what it wrote, and nothing else', async () => {
    const [mine] = (await bot.post('/v1/messages', { text: 'running', addressed_teams: [team] })).data;
    const [theirs] = (await ada.client.post('/v1/messages', { text: 'mine', addressed_teams: [team] })).data;
    expect((await bot.patch(`/v1/messages/${mine.id}`, { text: 'passed' })).data[0].text).toBe('passed');
    expect((await bot.get(`/v1/messages/${theirs.id}`)).data[0].text).toBe('mine');
    expect((await bot.patch(`/v1/messages/${theirs.id}`, { text: 'no' })).code).toBe(4030);
    expect((await bot.delete(`/v1/messages/${theirs.id}`)).code).toBe(4030);
    expect((await bot.delete(`/v1/messages/${mine.id}`)).status).toBe(200);
    expect((await ada.client.get(`/v1/messages/${mine.id}`)).data[0].text).toBe('');
  });

  it('is answered with what it edited, also where it may not read', async () => {
    const writer = await register(dev, host, { scopes: ['messages:write'] });
    await install(ada, team, writer);
    const own = await tokenFor(writer, team);
    const { id } = (await own.post('/v1/messages', { text: 'running', addressed_teams: [team] })).data[0];
    expect((await own.patch(`/v1/messages/${id}`, { text: 'passed' })).data).toMatchObject([
      { id, text: 'passed' },
    ]);
    expect((await own.get(`/v1/messages/${id}`)).body.errors).toMatchObject([
      { code: 4031, reason: 'messages:read' },
    ]);
  });

  it('reacts, and takes it back, where its team reads (claim: reacts-itself)', async () => {
    const reacting = await register(dev, host, {
      name: 'Builds',
      scopes: ['reactions:write', 'reactions:read'],
    });
    await install(ada, team, reacting);
    const own = await tokenFor(reacting, team);
    const kinds = ['reaction.added', 'reaction.removed'];
    const subscriptions = [
      await subscribe(reacting, { kinds }),
      await subscribe(reacting, { kinds, own_messages: true }),
    ];
    const { id } = (await ada.client.post('/v1/messages', { text: 'build it', addressed_teams: [team] }))
      .data[0];
    const path = (message: string) => `/v1/messages/${message}/reactions`;
    const eyes = encodeURIComponent('👀');
    for (const _ of [1, 2]) expect((await own.put(`${path(id)}/${eyes}`)).status).toBe(200);
    await ada.client.put(`${path(id)}/${eyes}`);
    const seen = async () => (await ada.client.get(`/v1/messages/${id}`)).data[0].reactions;
    expect(await seen()).toMatchObject([{ emoji: '👀', num: 2, mine: true }]);
    const listed = (await own.get(path(id))).data.map(({ user }) => user.first_name);
    expect(listed).toEqual(['Ada', 'Builds']);
    expect((await own.delete(`${path(id)}/${eyes}`)).status).toBe(200);
    expect(await seen()).toMatchObject([{ emoji: '👀', num: 1, mine: true }]);

    const direct = (await ada.client.post('/v1/messages', { text: 'hi', addressed_users: [bob.id] })).data[0]
      .id;
    const apart = await makeTeam(dev, [], 'Apart');
    const elsewhere = (await dev.client.post('/v1/messages', { text: 'no', addressed_teams: [apart] }))
      .data[0].id;
    const sidebar = (await ada.client.post(`/v1/messages/${id}/sidebars`, { users: [bob.id], text: 'psst' }))
      .data[0].id;
    const aside = (await ada.client.get(`/v1/sidebars/${sidebar}/messages`)).data[0].id;
    for (const hidden of [direct, elsewhere, aside])
      expect((await own.put(`${path(hidden)}/${eyes}`)).code).toBe(4040);
    expect((await bot.put(`${path(id)}/${eyes}`)).body.errors).toMatchObject([
      { code: 4031, reason: 'reactions:write' },
    ]);
    await own.put(`${path(id)}/${eyes}`);
    await allPlaced(server);
    const heard = [];
    for (const subscription of subscriptions)
      heard.push((await pullAll(reacting.credentials, pathOf(reacting, subscription.id))).events.length);
    // The second one hears what the application does, too.
    expect(heard).toEqual([1, 4]);
    await dev.client.delete(`/v1/applications/${reacting.id}`);
    expect((await own.delete(`${path(id)}/${eyes}`)).code).toBe(4012);
    expect(await seen()).toMatchObject([{ emoji: '👀', num: 2 }]);
    expect((await ada.client.get(path(id))).data).toHaveLength(2);
  });

  it('is told why it has no list of the team, whatever its scopes', async () => {
    const talker = await register(dev, host, { scopes: ['messages:read', 'direct:app'] });
    await install(ada, team, talker);
    const own = await tokenFor(talker, team);
    const list = async (client: Client) =>
      (await client.get(`/v1/messages?team=${team}`)).body.errors as { code: number; message: string }[];
    const message = expect.stringContaining('by a subscription');
    expect(await list(bot)).toEqual([{ code: 4031, reason: 'direct:app', message }]);
    expect(await list(own)).toEqual([{ code: 4002, reason: 'with', message }]);
    const narrow = server
      .anonymous()
      .withToken((await ask(app, { team, scope: 'messages:read' })).body.access_token);
    expect((await narrow.post('/v1/messages', { text: 'no', addressed_teams: [team] })).body.errors).toEqual([
      { code: 4031, reason: 'messages:write', message: 'The access token lacks the scope messages:write' },
    ]);
  });

  it('mentions an object of its own', async () => {
    const object = await app.credentials.post(`/v1/applications/${app.id}/objects`, {
      name: 'Build 8',
      team,
      type: 'build',
      url: '/builds/8',
    });
    const { id } = object.data[0];
    const posted = await bot.post('/v1/messages', {
      text: 'see {0}',
      addressed_teams: [team],
      mentions: [{ type: 'appobject', id }],
    });
    expect(posted.data[0].mentions).toEqual([
      { type: 'appobject', id, name: 'Build 8', url: `${host.url}/builds/8` },
    ]);
  });

  it('does not hear itself, unless it asks for that (claim: no-event-loop)', async () => {
    const fields = { kinds: ['message.posted', 'reply.posted', 'message.edited', 'high_five.given'] };
    const plain = await subscribe(app, fields);
    const all = await subscribe(app, { ...fields, own_messages: true });
    expect([plain, all]).toMatchObject([{ own_messages: false }, { own_messages: true }]);
    await allPlaced(server);
    const paths = [pathOf(app, plain.id), pathOf(app, all.id)];
    const [{ id }] = (await bot.post('/v1/messages', { text: 'one', addressed_teams: [team] })).data;
    await bot.post(`/v1/messages/${id}/replies`, { text: 'two' });
    await bot.patch(`/v1/messages/${id}`, { text: 'three' });
    await bob.client.put(`/v1/messages/${id}/high_five`);
    await bob.client.post(`/v1/messages/${id}/replies`, { text: 'four' });
    await allPlaced(server);
    const heard = [];
    for (const path of paths)
      heard.push((await pullAll(app.credentials, path)).events.map(({ type }) => type));
    expect(heard).toEqual([
      ['high_five.given', 'reply.posted'],
      ['message.posted', 'reply.posted', 'message.edited', 'high_five.given', 'reply.posted'],
    ]);
    const posted = (await pullAll(app.credentials, paths[1] as string)).events[0];
    expect(posted?.data.message).toMatchObject({ author_type: 'application', via_app: app.id });
  });

  it('has its new name everywhere when its owner renames it', async () => {
    const other = await register(dev, host, { name: 'Old name', scopes: SCOPES });
    await install(ada, team, other);
    const token = await tokenFor(other, team);
    const [{ id }] = (await token.post('/v1/messages', { text: 'hi', addressed_teams: [team] })).data;
    await dev.client.patch(`/v1/applications/${other.id}`, { name: 'New name' });
    expect((await ada.client.get(`/v1/messages/${id}`)).data[0].author.first_name).toBe('New name');
  });

  it('ends with the installation, and what it wrote stays (claim: uninstalled-application)', async () => {
    const other = await register(dev, host, { name: 'Guest', scopes: SCOPES });
    await install(ada, team, other);
    const token = await tokenFor(other, team);
    const [{ id }] = (await token.post('/v1/messages', { text: 'hi', addressed_teams: [team] })).data;
    await ada.client.delete(`/v1/teams/${team}/applications/${other.id}`);
    const refused = await token.post('/v1/messages', { text: 'again', addressed_teams: [team] });
    expect(refused.code).toBe(4012);
    expect((await ask(other, { team })).body.error).toBe('invalid_target');
    expect((await bob.client.get(`/v1/messages/${id}`)).data[0]).toMatchObject({
      text: 'hi',
      author_type: 'application',
      author: { first_name: 'Guest' },
    });
  });

  it('loses what its owner or the team takes from it at the next request', async () => {
    const other = await register(dev, host, { name: 'Narrowed', scopes: SCOPES });
    await install(ada, team, other);
    const token = await tokenFor(other, team);
    await dev.client.patch(`/v1/applications/${other.id}`, { scopes: ['messages:read'] });
    const refused = await token.post('/v1/messages', { text: 'no', addressed_teams: [team] });
    expect(refused.body.errors).toMatchObject([{ code: 4031, reason: 'messages:write' }]);
  });
});
