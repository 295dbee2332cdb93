import { randomUUID } from 'node:crypto';
import { strFromU8, unzipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { ASK, press } from '../../../../test/support/clicks.ts';
import type { Client } from '../../../../test/support/client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { Feed } from '../../../../test/support/feed.ts';
import {
  authorize,
  install,
  join,
  makeTeam,
  type RegisteredApplication,
  register,
  signUp,
} from '../../../../test/support/people.ts';
import { uploadText } from '../../../../test/support/reach.ts';
import { scene } from '../../../../test/support/scene.ts';

const { server, host, dev, ada, bob, eve } = scene({
  people: ['Dev', 'Ada', 'Bob', 'Eve'],
  options: { workerIntervalMs: 20 },
  environment: { RATE_LIMIT: 'on', RATE_LIMIT_CONVERSATIONS: '2' },
});
let team: string;
let app: RegisteredApplication;
let itself: Client;

const tokenOf = async (of: RegisteredApplication, scope?: string) => {
  const form = { grant_type: 'client_credentials', team, ...(scope && { scope }) };
  const { body } = await of.credentials.ask('POST', '/v1/oauth2/token', { form });
  return server.anonymous().withToken(body.access_token);
};

beforeEach(async () => {
  // Limits are counted by the minute.
  server.clock.advance(60_000);
  team = await makeTeam(ada, [bob], 'Crew');
  app = await register(dev, host, { name: 'Helper', scopes: ['direct:app'] });
  await install(ada, team, app);
  itself = await tokenOf(app);
});

const reason = ({ code, body }: Awaited<ReturnType<Client['post']>>) => [code, body.errors?.[0]?.reason];
const write = (by: { client: Client }, text: string, fields: object = {}) =>
  by.client.post('/v1/messages', { text, addressed_application: app.id, team, ...fields });
const say = (to: { id: string }, text: string, fields: object = {}) =>
  itself.post('/v1/messages', { text, addressed_users: [to.id], ...fields });
const place = () => `application=${app.id}&team=${team}`;
const listOf = async (by: { client: Client }) => (await by.client.get(`/v1/messages?${place()}`)).data;
const conversationOf = async (by: { client: Client }) =>
  (await by.client.get(`/v1/users/me/conversations?${place()}`)).data[0];
const texts = (messages: { text: string }[]) => messages.map(({ text }) => text);
const block = (by: { client: Client }) => by.client.put(`/v1/users/me/blocked_applications/${app.id}`);
const unblock = (by: { client: Client }) => by.client.delete(`/v1/users/me/blocked_applications/${app.id}`);
const uninstall = () => ada.client.delete(`/v1/teams/${team}/applications/${app.id}`);

describe('a conversation with an application (claim: direct-application)', () => {
  it('has what both write, for both alone, with its author and team', async () => {
    const sent = await write(bob, 'Where is the plan?');
    expect(sent.status, sent.text).toBe(200);
    const [question] = sent.data;
    expect(question).toMatchObject({
      ...{ text: 'Where is the plan?', author_type: 'user', addressed_teams: [], team },
      ...{ addressed_application: app.id, tags: ['_sent'], read: true },
    });
    const [answer] = (await say(bob, 'In the wiki.')).data;
    expect(answer).toMatchObject({
      ...{ author_type: 'application', addressed_users: [bob.id], addressed_application: app.id, team },
      author: { first_name: 'Helper', is_application: true },
    });
    expect(question.addressed_users).toEqual([answer.author.id]);
    expect(texts(await listOf(bob))).toEqual(['In the wiki.', 'Where is the plan?']);
    expect(texts((await itself.get(`/v1/messages?with=${bob.id}`)).data)).toEqual([
      'In the wiki.',
      'Where is the plan?',
    ]);
    expect(await listOf(ada)).toEqual([]);
    for (const id of [question.id, answer.id]) {
      expect((await ada.client.get(`/v1/messages/${id}`)).code).toBe(4040);
      expect((await dev.client.get(`/v1/messages/${id}`)).code).toBe(4040);
      expect((await itself.get(`/v1/messages/${id}`)).data[0].id).toBe(id);
    }
    expect((await ada.client.get(`/v1/messages?team=${team}`)).data).toEqual([]);
  });

  it('takes commands of the application, and has the answers (claim: commands-in-direct)', async () => {
    const commands = [{ name: 'plan', description: 'Where it is' }];
    await dev.client.patch(`/v1/applications/${app.id}`, { commands });
    const other = await register(dev, host, { name: 'Other', scopes: ['direct:app'] });
    await dev.client.patch(`/v1/applications/${other.id}`, {
      commands: [{ name: 'other', description: 'Of another one' }],
    });
    await install(ada, team, other);
    const feed = await Feed.open(app.credentials, `/v1/applications/${app.id}`);
    const click = randomUUID();
    const give = (text: string, fields: object = {}, by = bob) =>
      by.client.post(`/v1/teams/${team}/commands`, { text, click, application: app.id, ...fields });
    const [first, second] = await Promise.all([give('/plan now'), give('/plan now')]);
    expect(first.data).toEqual(second.data);
    const told = () => feed.events.filter((event) => event.data.id === first.data[0].id);
    await feed.until(() => told().length > 0);
    const heard = told()[0]?.data;
    expect(heard).toMatchObject({ kind: 'command', command: 'plan', text: 'now', user: bob.id, team });
    const path = new URL(heard.response_url).pathname;
    for (const answer of [
      { reply: true, text: 'In the wiki' },
      { ephemeral: true, text: 'Since Monday' },
    ])
      expect((await server.anonymous().post(path, answer)).status).toBe(200);
    expect(texts(await listOf(bob))).toEqual(['Since Monday', 'In the wiki']);
    expect((await ada.client.get(`/v1/messages?team=${team}`)).data).toEqual([]);
    expect((await bob.client.get(`/v1/users/me/ephemeral_answers?team=${team}`)).data).toEqual([]);

    expect(reason(await give('/other', { click: randomUUID() }))).toEqual([4002, 'text']);
    expect((await give('/plan', {}, eve)).code).toBe(4040);
    expect((await give('/plan', { application: 'x' })).code).toBe(4040);
    await block(bob);
    expect(reason(await give('/plan', { click: randomUUID() }))).toEqual([4030, 'application_blocked']);
    await unblock(bob);
    feed.close();
  });

  it('is another one in each team, and for each person', async () => {
    const other = await makeTeam(ada, [bob]);
    await install(ada, other, app);
    await write(bob, 'here');
    await write(bob, 'there', { team: other });
    await write(ada, 'mine');
    expect(texts(await listOf(bob))).toEqual(['here']);
    expect(texts(await listOf(ada))).toEqual(['mine']);
    const listed = (await bob.client.get('/v1/users/me/conversations')).data.slice(0, 2);
    expect(listed.map(({ application }) => application.team)).toEqual([other, team]);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(2);
    expect(texts((await itself.get(`/v1/messages?with=${ada.id}`)).data)).toEqual(['mine']);
    expect((await itself.get(`/v1/messages?with=${ada.id}&team=${other}`)).code).toBe(4040);
  });

  it('is among the direct conversations, with unread messages, search, files and replies', async () => {
    const [first] = (await say(bob, 'Good morning, Bob')).data;
    await say(bob, 'There are two new files');
    const shown = await conversationOf(bob);
    expect(shown).toMatchObject({
      ...{ unread: 2, unreachable: [], newest_id: expect.any(String) },
      application: { id: app.id, name: 'Helper', team },
      users: [{ first_name: 'Helper', is_application: true }],
      last: { text: 'There are two new files' },
    });
    expect(shown.application).not.toHaveProperty('obstacle');
    const inbox = async () => (await bob.client.get('/v1/users/me/inbox/counts')).data[0];
    await expect.poll(async () => (await inbox()).direct).toBeGreaterThan(0);
    const replied = await bob.client.post(`/v1/messages/${first.id}/replies`, { text: 'Morning!' });
    expect(replied.data[0]).toMatchObject({ reply_to: first.id, addressed_application: app.id, team });
    const back = await itself.post(`/v1/messages/${first.id}/replies`, { text: 'Nice to meet you' });
    expect(back.data[0]).toMatchObject({ author_type: 'application', reply_to: first.id });
    expect(texts((await itself.get(`/v1/messages/${first.id}/replies`)).data)).toEqual([
      'Morning!',
      'Nice to meet you',
    ]);
    await expect.poll(async () => (await conversationOf(bob)).unread_reply).toBe(true);
    const read = { application: app.id, team, up_to: shown.newest_id };
    const marked = await bob.client.put('/v1/users/me/conversations/read', read);
    expect(marked.data[0].unread).toBe(0);
    const search = (query: string) => bob.client.get(`/v1/messages?q=${query}&${place()}`);
    expect(texts((await search('files')).data)).toEqual(['There are two new files']);
    expect(texts((await search('meet')).data)).toEqual(['Nice to meet you']);
    expect((await itself.get('/v1/messages?q=files')).code).toBe(4002);
    expect((await ada.client.get('/v1/messages?q=meet')).data).toEqual([]);
    const upload = await uploadText(bob, 'one');
    await write(bob, 'look', { attachments: { files: [upload] } });
    const files = (await bob.client.get(`/v1/users/me/conversations/${shown.id}/files`)).data;
    expect(files.map(({ name }) => name)).toEqual(['secret.txt']);
    expect((await itself.get(`/v1/attachments/${upload}`)).status).toBe(200);
    expect((await ada.client.get(`/v1/attachments/${upload}`)).code).toBe(4040);
  });

  it('is muted as others, and told to the windows of its person', async () => {
    const stream = await EventStream.open(bob.client);
    const [{ id }] = (await say(bob, 'hello')).data;
    await stream.until((events) =>
      events.some(({ kind, data }) => kind === 'message.created' && data.message.id === id),
    );
    const of = `/v1/users/me/mutes/conversation/${(await conversationOf(bob)).id}`;
    expect((await bob.client.put(of, { until: null })).status).toBe(200);
    expect((await bob.client.delete(of)).status).toBe(200);
    stream.close();
  });

  it('lets both edit and delete what is theirs, and nothing else', async () => {
    const [question] = (await write(bob, 'one')).data;
    const [answer] = (await say(bob, 'two')).data;
    const edited = await itself.patch(`/v1/messages/${answer.id}`, { text: 'three' });
    expect(edited.data[0].text).toBe('three');
    expect(reason(await itself.patch(`/v1/messages/${question.id}`, { text: 'no' }))).toEqual([
      4030,
      'not_author',
    ]);
    expect(reason(await bob.client.delete(`/v1/messages/${answer.id}`))).toEqual([4030, 'not_author']);
    expect((await itself.delete(`/v1/messages/${answer.id}`)).status).toBe(200);
    expect((await bob.client.delete(`/v1/messages/${question.id}`)).status).toBe(200);
    expect(texts(await listOf(bob))).toEqual(['', '']);
  });

  it('lets the application edit what it has answered to a person', async () => {
    const [question] = (await write(bob, 'Is it on?')).data;
    const [answer] = (await itself.post(`/v1/messages/${question.id}/replies`, { text: 'It is' })).data;
    const edited = await itself.patch(`/v1/messages/${answer.id}`, { text: 'It is not' });
    expect([edited.status, edited.data?.[0]?.text]).toEqual([200, 'It is not']);
    await block(bob);
    const refused = await itself.patch(`/v1/messages/${answer.id}`, { text: 'It is' });
    await unblock(bob);
    expect(reason(refused)).toEqual([4030, 'application_blocked']);
  });

  it('names the people of the team, whom its person may ask', async () => {
    const said = { type: 'section', text: { type: 'mrkdwn', text: `<@${ada.id}> or <@${eve.id}>?` } };
    const sent = await itself.post('/v1/messages', { addressed_users: [bob.id], blocks: [said] });
    const { username } = (await ada.client.get('/v1/users/me')).data[0];
    expect(sent.data[0].text).toBe(`@${username} or @…?`);
    expect(texts(await listOf(bob))).toContain(`@${username} or @…?`);
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: `<@${ada.id}> it is` } }];
    expect((await itself.patch(`/v1/messages/${sent.data[0].id}`, { blocks })).data[0].text).toBe(
      `@${username} it is`,
    );
    const { data: inbox } = await ada.client.get('/v1/users/me/inbox');
    expect(inbox.map(({ last }) => last.id)).not.toContain(sent.data[0].id);
  });

  it('has blocks that can be pressed, which the application answers', async () => {
    (await Feed.open(app.credentials, `/v1/applications/${app.id}`)).close();
    const [asked] = (await say(bob, '', { blocks: [ASK] })).data;
    const pressed = await press(bob, asked.id);
    expect(pressed.data).toMatchObject([{ status: 'pending' }]);
    expect((await press(ada, asked.id)).code).toBe(4040);
    const feed = await Feed.open(app.credentials, `/v1/applications/${app.id}`);
    await feed.until((events) => events.length === 1);
    const { data } = feed.events[0] as (typeof feed.events)[0];
    expect(data).toMatchObject({ kind: 'action', team, user: bob.id, message: { id: asked.id } });
    const path = new URL(data.response_url).pathname;
    const said = await server.anonymous().post(path, { reply: true, text: 'Thank you' });
    expect(said.data, said.text).toMatchObject([{ status: 'done' }]);
    expect(texts((await bob.client.get(`/v1/messages/${asked.id}/replies`)).data)).toEqual(['Thank you']);
    feed.close();
    await block(bob);
    const late = { ephemeral: true, text: 'Do not go' };
    const refused = await server.anonymous().post(path, late);
    await unblock(bob);
    expect(reason(refused)).toEqual([4030, 'application_blocked']);
    expect((await server.anonymous().post(path, late)).status).toBe(200);
  });
});

describe('what the application hears (claim: direct-events)', () => {
  it('is what people write to it, edit and delete, on its stream and in order', async () => {
    const feed = await Feed.open(app.credentials, `/v1/applications/${app.id}`);
    const [{ id }] = (await write(bob, 'first')).data;
    await say(bob, 'its own');
    await bob.client.post('/v1/messages', { text: 'to Ada', addressed_users: [ada.id] });
    const [reply] = (await bob.client.post(`/v1/messages/${id}/replies`, { text: 'more' })).data;
    await bob.client.patch(`/v1/messages/${id}`, { text: 'second' });
    await bob.client.delete(`/v1/messages/${reply.id}`);
    await feed.until((events) => events.length === 4);
    expect(feed.events.map(({ type }) => type)).toEqual([
      ...['direct.posted', 'direct.posted', 'direct.edited', 'direct.deleted'],
    ]);
    const about = { team, user: bob.id };
    expect(feed.events.map(({ data }) => data)).toMatchObject([
      { ...about, message: { id, text: 'first', author: bob.id, reply_to: null } },
      { ...about, message: { id: reply.id } },
      { ...about, message: { id, text: 'second', version: 2 } },
      { ...about, message: { id: reply.id } },
    ]);
    expect(JSON.stringify(feed.events)).not.toContain('to Ada');
    feed.close();
  });

  it('is also what a person writes by a token that the application has of them', async () => {
    const scopes = ['messages:read', 'direct:app', 'direct:write'];
    app = await register(dev, host, { scopes });
    await install(ada, team, app);
    itself = await tokenOf(app);
    const feed = await Feed.open(app.credentials, `/v1/applications/${app.id}`);
    const { access_token } = await authorize(bob, team, app);
    const [{ id }] = (await write({ client: server.anonymous().withToken(access_token) }, 'By a widget'))
      .data;
    await say(bob, 'its own');
    await bob.client.patch(`/v1/messages/${id}`, { text: 'By hand' });
    await bob.client.delete(`/v1/messages/${id}`);
    await feed.until((events) => events.length === 3);
    expect(feed.events.map(({ type, data }) => [type, data.user, data.message.id])).toEqual(
      ['direct.posted', 'direct.edited', 'direct.deleted'].map((type) => [type, bob.id, id]),
    );
    feed.close();
  });

  it('is nothing of other applications, and nothing without the scope', async () => {
    const other = await register(dev, host, { name: 'Other', scopes: ['direct:app', 'messages:read'] });
    await install(ada, team, other);
    const [mine, theirs] = [
      await Feed.open(app.credentials, `/v1/applications/${app.id}`),
      await Feed.open(other.credentials, `/v1/applications/${other.id}`),
    ];
    const [{ id }] = (await write(bob, 'for the helper')).data;
    const last = (await write(bob, 'for the other', { addressed_application: other.id })).data[0].id;
    await theirs.until((events) => events.length === 1);
    await mine.until((events) => events.length === 1);
    expect(theirs.events[0]?.data.message.id).toBe(last);
    expect(mine.events[0]?.data.message.id).toBe(id);
    const stranger = await tokenOf(other);
    expect((await stranger.get(`/v1/messages/${id}`)).code).toBe(4040);
    expect((await stranger.get(`/v1/messages/${id}/replies`)).code).toBe(4040);
    expect((await stranger.post(`/v1/messages/${id}/replies`, { text: 'hi' })).code).toBe(4040);
    expect((await stranger.get(`/v1/messages?with=${bob.id}&application=${app.id}`)).code).toBe(4040);
    expect(texts((await stranger.get(`/v1/messages?with=${bob.id}`)).data)).toEqual(['for the other']);
    mine.close();
    theirs.close();
  });
});

describe('an application', () => {
  it('writes to members of its team alone, and to one at a time', async () => {
    expect((await say(eve, 'hello')).code).toBe(4008);
    expect((await itself.post('/v1/messages', { text: 'x', addressed_users: [bob.id, ada.id] })).code).toBe(
      4002,
    );
    const byMail = { text: 'x', addressed_users: { emails: [bob.email] } };
    expect((await itself.post('/v1/messages', byMail)).code).toBe(4002);
    expect((await itself.post('/v1/messages', { text: 'x', addressed_teams: [team] })).code).toBe(4031);
    await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    expect((await say(bob, 'still there?')).code).toBe(4008);
    expect((await itself.get(`/v1/messages?team=${team}`)).code).toBe(4002);
  });

  it('needs the scope that an admin grants, and loses it at once', async () => {
    const plain = await register(dev, host, { name: 'Plain', scopes: ['messages:write'] });
    await install(ada, team, plain);
    const token = await tokenOf(plain);
    const unasked = await token.post('/v1/messages', { text: 'x', addressed_users: [bob.id] });
    expect(reason(unasked)).toEqual([4031, 'direct:app']);
    expect((await token.get(`/v1/messages?with=${bob.id}`)).code).toBe(4031);
    const refused = await write(bob, 'x', { addressed_application: plain.id });
    expect(reason(refused)).toEqual([4030, 'direct_not_granted']);
    await say(bob, 'granted');
    await ada.client.put(`/v1/teams/${team}/applications/${app.id}/scopes`, { scopes: [] });
    expect((await say(bob, 'not any more')).code).toBe(4031);
    expect(reason(await write(bob, 'x'))).toEqual([4030, 'direct_not_granted']);
    expect((await conversationOf(bob)).application.obstacle).toBe('not_granted');
  });

  it('that a person has blocked is told so, until they unblock it', async () => {
    const [mine] = (await say(bob, 'hello')).data;
    expect((await block(bob)).data).toMatchObject([{ id: app.id, name: 'Helper' }]);
    const refusal = [4030, 'application_blocked'];
    expect(reason(await say(bob, 'again'))).toEqual(refusal);
    expect(reason(await itself.post(`/v1/messages/${mine.id}/replies`, { text: 'x' }))).toEqual(refusal);
    expect(reason(await itself.patch(`/v1/messages/${mine.id}`, { text: 'x' }))).toEqual(refusal);
    expect(reason(await write(bob, 'x'))).toEqual(refusal);
    expect((await say(ada, 'you have not')).status).toBe(200);
    expect(await conversationOf(bob)).toMatchObject({ application: { obstacle: 'blocked' } });
    expect(texts(await listOf(bob))).toEqual(['hello']);
    expect((await bob.client.get('/v1/users/me/blocked_applications')).data).toHaveLength(1);
    expect((await unblock(bob)).status).toBe(200);
    expect((await say(bob, 'back')).status).toBe(200);
    expect((await bob.client.put(`/v1/users/me/blocked_applications/${bob.id}`)).code).toBe(4040);
    // Others' applications are not revealed.
    const secret = await register(dev, host, { name: 'Secret plans' });
    expect((await bob.client.put(`/v1/users/me/blocked_applications/${secret.id}`)).code).toBe(4040);
  });

  it('that is uninstalled or suspended leaves what was said, and nothing can be added', async () => {
    const [{ id }] = (await write(bob, 'hello')).data;
    await uninstall();
    expect(reason(await write(bob, 'x'))).toEqual([4030, 'app_not_installed']);
    expect(reason(await bob.client.post(`/v1/messages/${id}/replies`, { text: 'x' }))).toEqual([
      ...[4030, 'app_not_installed'],
    ]);
    expect((await say(bob, 'x')).code).toBe(4012);
    expect(texts(await listOf(bob))).toEqual(['hello']);
    expect((await conversationOf(bob)).application).toMatchObject({
      name: 'Helper',
      obstacle: 'not_installed',
    });
    await install(ada, team, app);
    expect((await write(bob, 'welcome back')).status).toBe(200);
    itself = await tokenOf(app);
    expect(texts((await itself.get(`/v1/messages?with=${bob.id}`)).data)).toEqual(['welcome back', 'hello']);
  });

  it('begins few conversations in a minute, and goes on in those that there are (claim: direct-begun)', async () => {
    await join(ada, team, eve);
    await say(bob, 'one');
    await say(ada, 'two');
    const refused = await say(eve, 'three');
    expect(reason(refused)).toEqual([4290, 'conversations']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await say(bob, 'more')).status).toBe(200);
    expect((await write(eve, 'I begin')).status).toBe(200);
    expect((await say(eve, 'then so do I')).status).toBe(200);
  });
});

it('an application puts no cards of links below what it wrote to somebody who has blocked it', async () => {
  const link_prefixes = ['https://helper.example/'];
  app = await register(dev, host, {
    scopes: ['messages:read', 'messages:write', 'direct:app'],
    link_prefixes,
  });
  await install(ada, team, app);
  itself = await tokenOf(app);
  const [mine] = (await say(bob, 'See https://helper.example/1')).data;
  const show = (title: string) =>
    itself.put(`/v1/messages/${mine.id}/unfurls`, { unfurls: [{ url: 'https://helper.example/1', title }] });
  expect((await show('One')).status).toBe(200);
  await block(bob);
  const refused = await show('Answer me');
  await unblock(bob);
  expect(reason(refused)).toEqual([4030, 'application_blocked']);
  expect((await listOf(bob))[0].unfurls).toMatchObject([{ title: 'One' }]);
});

it('a person needs the team, and a token the scope of direct messages', async () => {
  expect((await write(eve, 'x')).code).toBe(4008);
  expect((await write(bob, 'x', { team: undefined })).code).toBe(4002);
  expect((await write(bob, 'x', { addressed_users: [ada.id] })).code).toBe(4002);
  expect((await write(bob, 'x', { addressed_application: 'x' })).code).toBe(4008);
  expect((await bob.client.get(`/v1/messages?application=${app.id}`)).code).toBe(4002);
  expect((await bob.client.get(`/v1/messages?${place()}&with=${ada.id}`)).code).toBe(4002);
  const agent = await register(dev, host, { name: 'Agent', scopes: ['messages:write'] });
  await install(ada, team, agent);
  const { access_token } = await authorize(bob, team, agent);
  const refused = await write({ client: server.anonymous().withToken(access_token) }, 'x');
  expect(refused.code).toBe(4031);
  const able = await register(dev, host, { name: 'Able', scopes: ['direct:write', 'direct:read'] });
  await install(ada, team, able);
  const tokens = await authorize(bob, team, able);
  const client = server.anonymous().withToken(tokens.access_token);
  expect((await write({ client }, 'by a program')).data[0].via_app).toMatchObject({ name: 'Able' });
});

it('the archive of a person has what they wrote, and whom they blocked; blocks end with the account', async () => {
  const person = await signUp(server, 'Gil');
  await join(ada, team, person);
  await write(person, 'hello, helper');
  await block(person);
  const answer = await fetch(`${server.url}/v1/users/me/export`, {
    headers: { Cookie: person.client.cookie },
  });
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  const file = (end: string) =>
    strFromU8(files[Object.keys(files).find((name) => name.endsWith(end)) ?? ''] ?? new Uint8Array());
  expect(JSON.parse(file('messages.ndjson'))).toMatchObject({
    ...{ text: 'hello, helper', addressed_application: app.id, team },
  });
  expect(JSON.parse(file('blocked_applications.json'))).toMatchObject([{ application: app.id }]);
  const { password } = person.client;
  expect((await person.client.ask('DELETE', '/v1/users/me', { json: { password } })).status).toBe(200);
  const { db } = server.running;
  const blocks = async () =>
    (await db.all('SELECT user_id FROM blocked_applications', [])).filter(
      (row) => (row as { user_id: string }).user_id === person.id,
    );
  await expect.poll(blocks).toEqual([]);
});
