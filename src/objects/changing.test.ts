import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Client } from '../../test/support/client.ts';
import { EventStream } from '../../test/support/event-stream.ts';
import {
  authorize,
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';
import { runSql } from '../../test/support/tables.ts';
import { until } from '../../test/support/until.ts';
import { PASS_EVERY_MS } from '../conversation/messages/index.ts';

const { server, host, ada, bob, eve } = scene({ people: ['Ada', 'Bob', 'Eve'] });
let team: string;
let app: RegisteredApplication;
let token: Client;
let id: string;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  app = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, app);
  token = server.anonymous().withToken((await authorize(ada, team, app)).access_token);
});
beforeEach(async () => {
  id = await make(app, team);
});

async function make(by: RegisteredApplication, of: string): Promise<string> {
  const fields = { name: 'Oil the engine', team: of, type: 'task', url: '/tasks/1' };
  return (await by.credentials.post(`/v1/applications/${by.id}/objects`, fields)).data[0].id;
}

const pathOf = (object: string, by = app) => `/v1/applications/${by.id}/objects/${object}`;
const change = (json: object, object = id) => app.credentials.patch(pathOf(object), json);
const stored = async (object = id) =>
  (await app.credentials.get(`/v1/applications/${app.id}/objects`)).data.find((one) => one.id === object);

async function mention(name?: string, to: object = { addressed_teams: [team] }, by = token): Promise<string> {
  const mentions = [{ type: 'appobject', id, ...(name !== undefined && { name }) }];
  const posted = await by.post('/v1/messages', { text: '{0} is due', ...to, mentions });
  return posted.data[0].id;
}

const shown = ({ data }: Answer) =>
  data.flatMap(({ mentions }) => mentions.map((one: { name: string; url: string }) => [one.name, one.url]));
const mentionIn = async (message: string, person: Person = bob) =>
  shown(await person.client.get(`/v1/messages/${message}`))[0];
const reason = ({ status, code, body }: Answer) => [status, code, body.errors?.[0]?.reason];

describe('a changed object', () => {
  it('keeps the fields that are not given', async () => {
    const before = await stored();
    expect((await change({})).data).toEqual([before]);
    expect((await change({ type: 'engine' })).data).toEqual([{ ...before, type: 'engine' }]);
    const all = { name: 'Grease  the\nengine', type: 'chore', url: 'chores/2?open' };
    const changed = { ...before, ...all, name: 'Grease the engine' };
    expect((await change(all)).data).toEqual([changed]);
    expect(await stored()).toEqual(changed);
  });

  it('has its new name and address in messages that were posted before, wherever they are read', async () => {
    const named = await mention('The engine');
    const plain = await mention();
    const reply = await token.post(`/v1/messages/${named}/replies`, {
      text: 'Also {0}',
      mentions: [{ type: 'appobject', id, name: 'this' }],
    });
    await change({ url: '/tasks/2' });
    expect(await mentionIn(named)).toEqual(['The engine', `${host.url}/tasks/2`]);
    await change({ name: 'Paint the engine' });
    const now = ['Paint the engine', `${host.url}/tasks/2`];
    for (const message of [named, plain, reply.data[0].id]) expect(await mentionIn(message)).toEqual(now);
    const list = shown(await bob.client.get(`/v1/messages?team=${team}&limit=2`));
    expect([list[0], list[1]]).toEqual([now, now]);
    expect(shown(await bob.client.get(`/v1/messages/${named}/replies`))).toEqual([now]);
    // A message that mentions it later gives it a name of its own.
    expect(await mentionIn(await mention())).toEqual(now);
    expect(await mentionIn(await mention('The engine'))).toEqual(['The engine', now[1]]);
    await app.credentials.delete(pathOf(id));
    expect(await mentionIn(plain)).toEqual(['Paint the engine', null]);
  });

  it('is found by its new name, and no longer by the old one', async () => {
    await change({ name: 'Zanzibar' });
    const message = await mention();
    const find = async (q: string) =>
      (await bob.client.get(`/v1/messages?q=${q}`)).data.map((found) => found.id);
    expect(await find('zanzibar')).toEqual([message]);
    await change({ name: 'Timbuktu' });
    await expect.poll(() => find('timbuktu')).toEqual([message]);
    expect(await find('zanzibar')).toEqual([]);
    await change({ name: 'Samarkand' });
    server.clock.advance(PASS_EVERY_MS / 1000);
    await expect.poll(() => find('samarkand')).toEqual([message]);
    expect(await find('timbuktu')).toEqual([]);
  });

  it('is told by its id to the windows of its team alone, once for each change', async () => {
    const [member, stranger] = [await EventStream.open(bob.client), await EventStream.open(eve.client)];
    await change({ name: 'Wash the engine' });
    await change({ name: 'Wash the engine' });
    await app.credentials.delete(pathOf(id));
    await ada.client.post('/v1/messages', { text: 'done', addressed_teams: [team] });
    await member.until((events) => events.some(({ kind }) => kind === 'message.created'));
    expect(member.of('object.updated').map(({ data }) => data)).toEqual([{ object: id }, { object: id }]);
    await eve.client.post('/v1/messages', { text: 'to myself', addressed_users: [eve.id] });
    await stranger.until((events) => events.some(({ kind }) => kind === 'message.created'));
    expect(stranger.of('object.updated')).toEqual([]);
    member.close();
    stranger.close();
  });

  it('has its new name in notifications', async () => {
    const message = await mention('The engine', { addressed_users: [bob.id] });
    await change({ name: 'Sell the engine' });
    await until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
    const { data } = await bob.client.get(`/v1/users/me/inbox/${message}/notification`);
    expect(data).toMatchObject([{ body: 'Sell the engine is due' }]);
  });
});

describe('refused', () => {
  it.each([
    { name: '' },
    { name: ' \n ' },
    { name: null },
    { name: 7 },
    { name: 'x'.repeat(501) },
    { type: '' },
    { type: ['task'] },
    { type: 'x'.repeat(101) },
    { url: null },
    { url: {} },
    { url: `/${'x'.repeat(2000)}` },
    { url: 'https://evil.example/' },
    { url: '//evil.example/' },
    { url: 'javascript:alert(1)' },
    { name: 'Fine', url: '\\\\evil.example' },
  ])('%j', async (json) => {
    const before = await stored();
    const answer = await change(json);
    expect([answer.status, answer.code]).toEqual([400, 4002]);
    expect(await stored()).toEqual(before);
  });

  it.each(['[]', '"name"', 'null', '{', ''])('the body %j', async (raw) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await app.credentials.ask('PATCH', pathOf(id), { raw, headers });
    expect([answer.status, answer.code]).toEqual([400, 4000]);
  });

  it('for an unknown object, a deleted one, and one of another application, as a deletion is', async () => {
    const other = await register(eve, host);
    const others = await makeTeam(eve);
    await install(eve, others, other);
    await install(ada, team, other);
    const gone = await make(app, team);
    await app.credentials.delete(pathOf(gone));
    for (const object of [bob.id, 'nonsense', gone, await make(other, others), await make(other, team)]) {
      const answers = [await change({ name: 'Mine' }, object), await app.credentials.delete(pathOf(object))];
      expect(answers.map(reason)).toEqual([reason(answers[1] as Answer), [404, 4040, undefined]]);
    }
    const foreign = await other.credentials.patch(pathOf(id), { name: 'Mine' });
    expect(foreign.code).toBe(4010);
    expect((await stored()).name).toBe('Oil the engine');
  });

  it('once the team has uninstalled the application: its messages are the team’s', async () => {
    const leaving = await register(ada, host);
    await install(ada, team, leaving);
    const object = await make(leaving, team);
    await ada.client.delete(`/v1/teams/${team}/applications/${leaving.id}`);
    const answer = await leaving.credentials.patch(pathOf(object, leaving), { name: 'Advertisement' });
    expect(reason(answer)).toEqual([403, 4030, 'app_not_installed']);
  });
});

it('what is no field of it stays as it is', async () => {
  const before = await stored();
  const others = { id: bob.id, team: await makeTeam(ada), application: eve.id, created_at: 1, deleted_at: 1 };
  expect((await change({ ...others, name: 'Else' })).data).toEqual([{ ...before, name: 'Else' }]);
});

it('two changes at once both hold, and one that meets a deletion leaves nothing behind', async () => {
  const answers = await Promise.all([change({ name: 'Twice' }), change({ type: 'double' })]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await stored()).toMatchObject({ name: 'Twice', type: 'double', url: '/tasks/1' });
  const [changed, deleted] = await Promise.all([
    change({ name: 'Late' }),
    app.credentials.delete(pathOf(id)),
    change({ url: '/late' }),
  ]);
  expect([deleted.status, [200, 404].includes(changed.status)]).toEqual([200, true]);
  expect(await stored()).toBeUndefined();
});

it('an object with many messages is renamed for all of them', async () => {
  const author = await signUp(server, 'Author');
  const crowd = await makeTeam(author, [bob]);
  await install(author, crowd, app);
  id = await make(app, crowd);
  const by = server.anonymous().withToken((await authorize(author, crowd, app)).access_token);
  const posted: string[] = [];
  for (let count = 0; count < 30; count++)
    posted.push(await mention(`Quagga ${count}`, { addressed_teams: [crowd] }, by));
  await change({ name: 'Okapi' });
  const find = () => bob.client.get(`/v1/messages?q=okapi&limit=100`);
  await until(async () => (await find()).data.length === posted.length);
  const { data } = await find();
  expect(data.map((one) => one.id).sort()).toEqual(posted.sort());
  expect(new Set(data.map(({ mentions }) => mentions[0].name))).toEqual(new Set(['Okapi']));
  expect((await bob.client.get('/v1/messages?q=quagga')).data).toEqual([]);
});
