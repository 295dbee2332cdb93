import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Database, DatabaseUnavailable } from '../../src/platform/db/index.ts';
import type { Client } from '../support/client.ts';
import { allPlaced, Feed, pathOf, pullAll, subscribe } from '../support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, ada, bob } = scene({ people: ['Ada', 'Bob'] });
let team: string;
let app: RegisteredApplication;
let token: Client;
let hook: { id: string; path: string };
let subscription: string;
let object: string;
/** Undoes that Bob has marked the team as read. */
let undo: string;
/** Where its webhook is called. */
let heardAt: string;
let subscriptions = 0;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  app = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, app);
  token = server.anonymous().withToken((await ownToken()).body.access_token);
  const { data } = await ada.client.post(`/v1/teams/${team}/webhooks`, { name: 'Grafana' });
  hook = { id: data[0].id, path: new URL(data[0].url).pathname };
  const made = { name: 'Engine', team, type: 'task', url: 'engine' };
  object = (await app.credentials.post(`/v1/applications/${app.id}/objects`, made)).data[0].id;
  const [{ id: newest }] = (await post('read by Bob')).data;
  undo = (await bob.client.put(`/v1/teams/${team}/read`, { up_to: newest })).body.meta.undo;
});

beforeEach(async () => {
  host.clear();
  heardAt = `/heard-${++subscriptions}`;
  const { id } = await subscribe(app, { webhook: { url: host.url + heardAt }, own_messages: true });
  subscription = id;
});
afterEach(async () => {
  await app.credentials.delete(pathOf(app, subscription));
});

const ownToken = () =>
  app.credentials.ask('POST', '/v1/oauth2/token', { form: { grant_type: 'client_credentials', team } });
const post = (text: string) => ada.client.post('/v1/messages', { text, addressed_teams: [team] });
const textsOfTeam = async () =>
  (await ada.client.get(`/v1/messages?team=${team}&limit=200`)).data.map(({ text }) => text as string);

/** The part of the database that is gone: all of it, or its writes. */
type Gone = 'everything' | 'writing';

/** Takes the database away from the server that runs. @returns how it comes back */
function takeAway(gone: Gone): () => void {
  const db = server.running.db as { -readonly [Name in keyof Database]: Database[Name] };
  const names = gone === 'everything' ? (['all', 'write', 'batch'] as const) : (['write', 'batch'] as const);
  for (const name of names)
    Object.assign(db, { [name]: () => Promise.reject(new DatabaseUnavailable('taken away')) });
  // The methods of the class show again.
  return () => {
    for (const name of names) delete (db as Partial<Database>)[name];
  };
}

/** Requests of applications, other programs and people. [who, method, path, body] */
function requests() {
  const events = pathOf(app, subscription);
  const group = `${events}/consumers/bot`;
  const webhook = `/v1/teams/${team}/webhooks`;
  const message = { text: 'half', addressed_teams: [team] };
  return [
    [token, 'POST', '/v1/messages', message],
    [token, 'GET', '/v1/messages/00000000-0000-7000-8000-000000000000', undefined],
    [server.anonymous(), 'POST', hook.path, { text: 'half' }],
    [ada.client, 'GET', webhook, undefined],
    [ada.client, 'POST', webhook, { name: 'Half' }],
    [ada.client, 'PATCH', `${webhook}/${hook.id}`, { name: 'Half' }],
    [ada.client, 'POST', `${webhook}/${hook.id}/address`, {}],
    [ada.client, 'DELETE', `${webhook}/${hook.id}`, undefined],
    [app.credentials, 'GET', `/v1/applications/${app.id}/subscriptions`, undefined],
    [app.credentials, 'POST', `/v1/applications/${app.id}/subscriptions`, { kinds: ['mention'] }],
    [app.credentials, 'PATCH', events, { pause: true, kinds: ['mention'] }],
    [app.credentials, 'POST', `${events}/key`, {}],
    [app.credentials, 'POST', `${events}/replays`, { since: '0' }],
    [app.credentials, 'DELETE', events, undefined],
    [app.credentials, 'GET', `${events}/events?since=0`, undefined],
    [app.credentials, 'GET', `${events}/consumers`, undefined],
    [app.credentials, 'PUT', `${group}/cursor`, { since: '0' }],
    [app.credentials, 'POST', `${group}/acknowledgements`, { events: [hook.id] }],
    [app.credentials, 'DELETE', group, undefined],
    [ada.client, 'GET', `/v1/applications/${app.id}/deliveries`, undefined],
    [app.credentials, 'PATCH', `/v1/applications/${app.id}/objects/${object}`, { name: 'Half' }],
    [bob.client, 'POST', `/v1/teams/${team}/read/undo`, { undo }],
  ] as const;
}

/** All that the requests would have changed. */
async function state() {
  const events = pathOf(app, subscription);
  const [one] = (await app.credentials.get(events)).data;
  return {
    texts: await textsOfTeam(),
    objects: (await app.credentials.get(`/v1/applications/${app.id}/objects`)).data,
    unread: (await bob.client.get(`/v1/teams/${team}`)).data[0].unread_count,
    webhooks: (await ada.client.get(`/v1/teams/${team}/webhooks`)).data,
    subscriptions: (await app.credentials.get(`/v1/applications/${app.id}/subscriptions`)).data.length,
    subscription: { ...one, webhook: one.webhook.ended },
    groups: (await app.credentials.get(`${events}/consumers`)).data.map(({ name }) => name),
  };
}

it.each<Gone>(['everything', 'writing'])(
  'of applications, all is refused whole while %s is gone',
  async (gone) => {
    await app.credentials.put(`${pathOf(app, subscription)}/consumers/bot/cursor`, { since: '0' });
    const before = await state();
    const back = takeAway(gone);
    try {
      for (const [client, method, path, json] of requests()) {
        if (gone === 'writing' && method === 'GET') continue;
        const answer = await client.ask(method, path, json === undefined ? {} : { json });
        expect([method, path, answer.code, answer.headers.has('retry-after')]).toEqual([
          method,
          path,
          5030,
          true,
        ]);
      }
      const refused = await ownToken();
      expect([refused.status, refused.body.error]).toEqual([503, 'temporarily_unavailable']);
      expect((await Feed.open(app.credentials, pathOf(app, subscription))).status).toBe(503);
    } finally {
      back();
    }
    expect(await state()).toEqual(before);
  },
);

it('a stream ends, and what it was not told to be done comes again', async () => {
  const path = pathOf(app, subscription);
  const feed = await Feed.open(app.credentials, path);
  await post('one');
  await feed.until(({ length }) => length === 1);
  const back = takeAway('everything');
  const [event] = feed.events;
  const acknowledged = () =>
    app.credentials.post(`${path}/consumers/default/acknowledgements`, { events: [event?.id] });
  expect((await acknowledged()).code).toBe(5030);
  feed.close();
  back();
  // Nobody could give its teams back: its lease ends.
  server.clock.advance(20);
  await post('two');
  const again = await Feed.open(app.credentials, path);
  await again.until(({ length }) => length === 2);
  expect(again.events.map(({ data }) => data.message.text)).toEqual(['one', 'two']);
  expect((await acknowledged()).data).toEqual([{ acknowledged: 1 }]);
  again.close();
});

it('a call whose outcome may be lost has the same id again, and none is left out', async () => {
  const heard = () => host.received.filter(({ path }) => path === heardAt);
  let back: (() => void) | undefined;
  host.beforeAnswer = async ({ path }) => {
    if (path === heardAt) back ??= takeAway('writing');
  };
  await post('told');
  await expect.poll(() => back).toBeDefined();
  // Nothing can be written meanwhile: neither the outcome nor a message.
  expect((await post('refused')).code).toBe(5030);
  back?.();
  await post('told next');
  server.clock.advance(120);
  await host.next(({ path, body }) => path === heardAt && body.data.message.text === 'told next');
  const ids = new Map(heard().map(({ body, headers }) => [headers['webhook-id'], body.data.message.text]));
  expect([...ids.values()]).toEqual(['told', 'told next']);
});

it('a message of a webhook stands once, when it is posted and its use cannot be noted', async () => {
  const db = server.running.db as Partial<Database>;
  server.clock.advance(120);
  Object.assign(db, { write: () => Promise.reject(new DatabaseUnavailable('taken away')) });
  const sent = await server
    .anonymous()
    .post(hook.path, { text: 'stands' })
    .finally(() => delete db.write);
  expect(sent.text).toBe('ok');
  expect((await textsOfTeam()).filter((text) => text === 'stands')).toHaveLength(1);
  await allPlaced(server);
  const { events } = await pullAll(app.credentials, pathOf(app, subscription));
  expect(events.map(({ data }) => data.message.text)).toEqual(['stands']);
});
