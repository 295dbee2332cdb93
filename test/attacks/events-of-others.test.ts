/**
 * The attacker owns an application, or got hold of its credentials. They want to hear what another application hears, what is
 * said in teams that do not have theirs, and to go on hearing once a team has uninstalled it or taken its scope back: by
 * subscriptions, cursors and ids of others, by filters, and by a stream that was opened before.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { allPlaced, Feed, pathOf, pullAll as pullPages, subscribe } from '../support/feed.ts';
import {
  ApplicationHost,
  install,
  join,
  makeTeam,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, mallory, ada, bob } = scene({ people: ['Mallory', 'Ada', 'Bob'] });
const scopes = ['messages:read'];
let team: string;
let other: string;
let victim: RegisteredApplication;
let own: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  other = await makeTeam(bob);
  victim = await register(ada, host, { scopes });
  own = await register(mallory, host, { scopes });
  await install(ada, team, victim);
  await install(bob, other, own);
});

const pullAll: typeof pullPages = async (...given) => {
  await allPlaced(server);
  return pullPages(...given);
};
const post = (text: string, to = team, author = ada) =>
  author.client.post('/v1/messages', { text, addressed_teams: [to] });

describe('another application', () => {
  it('reaches no subscription, by its own name or that of the victim', async () => {
    const { id } = await subscribe(victim, { webhook: { url: `${host.url}/events` } });
    await victim.credentials.put(`${pathOf(victim, id)}/consumers/bot/cursor`, { since: '0' });
    const probes: readonly (readonly [string, string, object?])[] = [
      ['GET', ''],
      ['PATCH', '', { teams: null, webhook: { url: `${host.url}/stolen` } }],
      ['DELETE', ''],
      ['POST', '/key', {}],
      ['POST', '/replays', { since: '0' }],
      ['GET', '/events?since=0'],
      ['GET', '/events?consumer=bot'],
      ['GET', '/consumers'],
      ['PUT', '/consumers/bot/cursor', { since: '0' }],
      ['POST', '/consumers/bot/acknowledgements', { events: [id] }],
      ['DELETE', '/consumers/bot'],
    ];
    for (const [method, rest, json] of probes) {
      const ask = (path: string, client = own.credentials) =>
        client.ask(method, `${path}${rest}`, json === undefined ? {} : { json });
      expect([method, rest, (await ask(pathOf(victim, id))).code]).toEqual([method, rest, 4010]);
      expect([method, rest, (await ask(pathOf(own, id))).code]).toEqual([method, rest, 4040]);
      const owner = (await ask(pathOf(victim, id), mallory.client)).code;
      expect([method, rest, owner]).toEqual([method, rest, owner === 4010 ? 4010 : 4040]);
    }
    const streams = [
      [own.credentials, victim],
      [own.credentials, own],
      [mallory.client, victim],
      [server.anonymous(), victim],
    ] as const;
    for (const [client, of] of streams)
      expect([401, 404]).toContain((await Feed.open(client, pathOf(of, id))).status);
    expect((await victim.credentials.get(pathOf(victim, id))).data[0].webhook.url).toBe(`${host.url}/events`);
  });

  it('gets nothing by a cursor, an id or a team of others', async () => {
    const theirs = pathOf(victim, (await subscribe(victim)).id);
    const mine = pathOf(own, (await subscribe(own)).id);
    const named = pathOf(own, (await subscribe(own, { teams: [team] })).id);
    await allPlaced(server);
    const begin = (await victim.credentials.get(`${theirs}/events`)).body.meta.next_cursor;
    await post('for the victim');
    await post('for mallory', other, bob);
    const [event] = (await pullAll(victim.credentials, theirs)).events;
    expect(event?.data.message.text).toBe('for the victim');
    const read = async (path: string, query: string) =>
      (await own.credentials.get(`${path}/events?${query}`)).data;
    expect((await read(mine, `after=${begin}`)).map(({ data }) => data.message.text)).toEqual([
      'for mallory',
    ]);
    expect(await read(named, 'since=0')).toEqual([]);
    expect((await own.credentials.get(`${mine}/events?since=${event?.id}`)).code).toBe(4002);
    await own.credentials.put(`${mine}/consumers/bot/cursor`, { cursor: begin });
    const acknowledged = await own.credentials.post(`${mine}/consumers/bot/acknowledgements`, {
      events: [event?.id],
    });
    expect(acknowledged.data).toEqual([{ acknowledged: 0 }]);
  });
});

/** What takes from an application what it was to hear of a team. */
const endings: readonly (readonly [
  string,
  (app: RegisteredApplication, where: string) => Promise<Answer>,
])[] = [
  [
    'the team takes the scope back',
    ({ id }, where) => ada.client.put(`/v1/teams/${where}/applications/${id}/scopes`, { scopes: [] }),
  ],
  ['its developer asks for less', ({ id }) => mallory.client.patch(`/v1/applications/${id}`, { scopes: [] })],
  [
    'the team uninstalls the application',
    ({ id }, where) => ada.client.delete(`/v1/teams/${where}/applications/${id}`),
  ],
  [
    'the team has it again, without the scope',
    async ({ id }, where) => {
      await ada.client.delete(`/v1/teams/${where}/applications/${id}`);
      // The application is told of its end first.
      await expect
        .poll(
          async () => (await ada.client.post(`/v1/teams/${where}/applications`, { application: id })).status,
        )
        .toBe(200);
      return ada.client.put(`/v1/teams/${where}/applications/${id}/scopes`, { scopes: [] });
    },
  ],
  ['the team is deleted', (_, where) => ada.client.delete(`/v1/teams/${where}`)],
];

/** An application in a team, and in another one, where it goes on hearing of members at least. */
async function inTwoTeams() {
  const app = await register(mallory, host, { scopes });
  const [where, elsewhere] = [await makeTeam(ada, [bob]), await makeTeam(bob)];
  await install(ada, where, app);
  await install(bob, elsewhere, app);
  return { app, where, elsewhere };
}

const kinds = ['message.posted', 'member.joined'];
/** Something that needs no scope. */
async function joinSomebody(inTeam: string, by = bob) {
  const guest = await signUp(server, 'Guest');
  await join(by, inTeam, guest);
}

describe('a stream that was opened before', () => {
  it.each(endings)('is sent nothing once %s (claim: narrowed-streams)', async (_, end) => {
    const { app, where, elsewhere } = await inTwoTeams();
    const path = pathOf(app, (await subscribe(app, { kinds })).id);
    const feed = await Feed.open(app.credentials, path);
    await post('heard', where);
    await feed.until(({ length }) => length === 1);
    expect((await end(app, where)).status).toBe(200);
    await post('a secret', where);
    // In another team, which has it still.
    await joinSomebody(elsewhere);
    await feed.until((events) => events.some(({ data }) => data.team === elsewhere));
    expect(feed.lines.join()).not.toContain('a secret');
    feed.close();
    await feed.ended();
    // What was sent and not acknowledged is not sent again, either.
    const next = await Feed.open(app.credentials, path);
    await next.until((events) => events.some(({ data }) => data.team === elsewhere));
    const { events } = await pullAll(app.credentials, path, 'since=0');
    expect(next.lines.join() + JSON.stringify(events)).not.toMatch(/heard|a secret/);
    next.close();
  });
});

describe('a call of a webhook that waits', () => {
  const receiver = new ApplicationHost();
  beforeAll(() => receiver.start());
  beforeEach(() => receiver.clear());
  afterAll(() => receiver.stop());

  it.each(endings)('is not made once %s (claim: narrowed-streams)', async (name, end) => {
    const { app, where, elsewhere } = await inTwoTeams();
    const url = `${receiver.url}/waiting-${endings.findIndex(([one]) => one === name)}`;
    const calls = () => receiver.received.filter(({ path }) => url.endsWith(path));
    const { id } = await subscribe(app, { kinds, webhook: { url, batch: 10 } });
    receiver.status = 500;
    await post('a secret', where);
    await receiver.next(({ path }) => url.endsWith(path));
    const delivery = async () =>
      (await mallory.client.get(`/v1/applications/${app.id}/deliveries?subscription=${id}&team=${where}`))
        .data[0];
    await expect.poll(async () => (await delivery())?.status).toBe('pending');
    expect((await end(app, where)).status).toBe(200);
    receiver.clear();
    await post('another secret', where);
    await joinSomebody(elsewhere);
    await expect
      .poll(async () => {
        server.clock.advance(10);
        const isTold = calls().some(({ raw }) => raw.includes(elsewhere));
        return isTold && (await delivery()).status;
      })
      .toBe('failed');
    expect(
      calls()
        .map(({ raw }) => raw)
        .join(),
    ).not.toContain('secret');
  });

  it('is not made when it was paused, the scope was taken, and it goes on', async () => {
    const { app, where, elsewhere } = await inTwoTeams();
    const url = `${receiver.url}/paused`;
    const { id } = await subscribe(app, { kinds, webhook: { url } });
    await app.credentials.patch(pathOf(app, id), { pause: true });
    await post('a secret', where);
    await allPlaced(server);
    await ada.client.put(`/v1/teams/${where}/applications/${app.id}/scopes`, { scopes: [] });
    await app.credentials.patch(pathOf(app, id), { resume: true });
    await joinSomebody(elsewhere);
    const call = await receiver.next(({ path, raw }) => path === '/paused' && raw.includes(elsewhere));
    expect(call.raw).not.toContain('secret');
    await joinSomebody(where, ada);
    await receiver.next(({ path, raw }) => path === '/paused' && raw.includes(where));
    expect(receiver.received.map(({ raw }) => raw).join()).not.toContain('secret');
  });
});

describe('a subscription', () => {
  it.each([
    ['kinds', { kinds: ['everything'] }],
    ['kinds', { kinds: [] }],
    ['teams', { teams: Array.from({ length: 1001 }, (_, n) => `${n}`) }],
    ['teams.0', { teams: ['%'] }],
    ['object_type', { object_type: 'x'.repeat(101) }],
    ['webhook.batch', { webhook: { url: 'https://example.org', batch: 1e9 } }],
  ])('refuses a filter beyond its bounds (%s)', async (field, fields) => {
    const answer = await own.credentials.post(`/v1/applications/${own.id}/subscriptions`, {
      kinds: ['message.posted'],
      ...fields,
    });
    expect([answer.code, answer.body.errors[0].reason]).toEqual([4002, expect.stringContaining(field)]);
  });

  it('hears nothing of direct messages, whatever scopes its application holds', async () => {
    const greedy = await register(mallory, host, {
      scopes: ['messages:read', 'direct:read', 'direct:write'],
    });
    await install(ada, team, greedy);
    const kinds = ['message.posted', 'reply.posted', 'mention', 'message.edited', 'high_five.given'];
    const path = pathOf(greedy, (await subscribe(greedy, { kinds })).id);
    const sent = await ada.client.post('/v1/messages', { text: 'between us', addressed_users: [bob.id] });
    const id = sent.data[0].id as string;
    await bob.client.post(`/v1/messages/${id}/replies`, { text: 'only us' });
    await ada.client.patch(`/v1/messages/${id}`, { text: 'still us' });
    await bob.client.put(`/v1/messages/${id}/high_five`);
    expect((await pullAll(greedy.credentials, path)).events).toEqual([]);
  });
});
