import { beforeAll, describe, expect, it } from 'vitest';
import { EventStream } from '../../../test/support/event-stream.ts';
import { allPlaced, Feed, pathOf, pullAll as pullPages, subscribe } from '../../../test/support/feed.ts';
import {
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { OWNERS } from '../../schema/owners.ts';

const { server, host, dev, ada, bob } = scene({
  people: ['Dev', 'Ada', 'Bob'],
  options: { housekeepingMs: 50 },
});
/** Of one kind of database, or written by the background. */
const UNNAMED_TABLES = ['message_words', 'message_index', 'message_index_queue', 'rate_counts'];
let team: string;
let app: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  app = await register(dev, host, { name: 'Task Tracker', scopes: ['messages:read'] });
  await install(ada, team, app);
});

const post = async (author: Person, text: string, to = team): Promise<string> =>
  (await author.client.post('/v1/messages', { text, addressed_teams: [to] })).data[0].id;
const pullAll: typeof pullPages = async (...given) => {
  await allPlaced(server);
  return pullPages(...given);
};
const pathFor = async (fields: object) => {
  await allPlaced(server);
  return pathOf(app, (await subscribe(app, fields)).id);
};
const texts = (events: readonly { data: { message: { text?: string } } }[]) =>
  events.map(({ data }) => data.message.text);

describe('reading the log by pages', () => {
  it('gives every kind of event once, in its order, and the same bytes again', async () => {
    const kinds = [
      'message.posted',
      'reply.posted',
      'mention',
      'message.edited',
      'message.deleted',
      'high_five.given',
      'high_five.withdrawn',
      'member.joined',
      'member.left',
      'member.role_changed',
    ];
    const path = await pathFor({ kinds });
    const root = await post(ada, 'first');
    const reply = (await bob.client.post(`/v1/messages/${root}/replies`, { text: 'an answer' })).data[0].id;
    const mention = await post(ada, 'ask @tasktracker, please');
    await ada.client.patch(`/v1/messages/${root}`, { text: 'second' });
    await bob.client.put(`/v1/messages/${root}/high_five`);
    await bob.client.delete(`/v1/messages/${root}/high_five`);
    const carol = await signUp(server, 'Carol');
    await join(ada, team, carol);
    await ada.client.patch(`/v1/teams/${team}/users/${carol.id}`, { membership_type: 1 });
    await ada.client.delete(`/v1/teams/${team}/users/${carol.id}`);
    await bob.client.delete(`/v1/messages/${reply}`);
    const { events, cursor } = await pullAll(app.credentials, path);
    expect(events.map(({ type }) => type)).toEqual([
      'message.posted',
      'reply.posted',
      'mention',
      'message.edited',
      'high_five.given',
      'high_five.withdrawn',
      'member.joined',
      'member.role_changed',
      'member.left',
      'message.deleted',
    ]);
    const [posted, answered, mentioned, edited, given] = events;
    // The text is that of the version; a deleted message is an id.
    expect(posted?.data).toEqual({
      team,
      message: {
        id: root,
        version: 1,
        text: 'first',
        author: ada.id,
        author_type: 'user',
        via_app: null,
        reply_to: null,
        mentions: [],
        attachments: [],
        created_at: expect.any(Number),
      },
    });
    expect(edited?.data.message).toMatchObject({ id: root, version: 2, text: 'second' });
    expect(answered?.data).toEqual({ team, message: { id: reply } });
    expect(mentioned?.data.message.id).toBe(mention);
    expect(given?.data).toEqual({ team, message: { id: root }, user: bob.id });
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect((await pullAll(app.credentials, path, 'limit=200')).events).toEqual(events);
    const rest = await app.credentials.get(`${path}/events?after=${cursor}`);
    expect([rest.data, rest.body.meta.more, rest.body.meta.missed]).toEqual([[], false, false]);
  });

  it('follows the filters', async () => {
    const other = await makeTeam(ada);
    await install(ada, other, app);
    const inOther = await pathFor({ teams: [other] });
    const mentions = await pathFor({ kinds: ['message.posted', 'mention'], mentions_only: true });
    const objects = await pathFor({ kinds: ['message.posted', 'mention'], object_type: 'task' });
    await post(ada, 'here');
    await post(ada, 'there', other);
    await post(ada, 'for the @TaskTracker.', other);
    expect(texts((await pullAll(app.credentials, inOther)).events)).toEqual([
      'there',
      'for the @TaskTracker.',
    ]);
    expect(texts((await pullAll(app.credentials, mentions)).events)).toEqual(['for the @TaskTracker.']);
    expect((await pullAll(app.credentials, objects)).events).toEqual([]);
  });

  it('tells the application, and it alone, who opens an object of its own (claim: openings-told)', async () => {
    const kinds = ['object.opened', 'message.posted'];
    const [all, tasks] = [await pathFor({ kinds }), await pathFor({ kinds, object_type: 'task' })];
    const stranger = await register(dev, host, { scopes: ['messages:read'] });
    await install(ada, team, stranger);
    const unheard = pathOf(stranger, (await subscribe(stranger, { kinds: ['object.opened'] })).id);
    const live = await EventStream.open(bob.client);
    const opened: string[] = [];
    for (const type of ['task', 'file']) {
      const fields = { name: 'A thing', team, type, url: '/things/1' };
      const object = (await app.credentials.post(`/v1/applications/${app.id}/objects`, fields)).data[0].id;
      const answer = await bob.client.post(`/v1/objects/${object}/openings`);
      expect(answer.data).toEqual([{ url: `${host.url}/things/1` }]);
      opened.push(object);
    }
    const { events } = await pullAll(app.credentials, all);
    expect(events.map(({ type, data }) => [type, data])).toEqual(
      opened.map((object) => ['object.opened', { team, object, user: bob.id }]),
    );
    expect((await pullAll(app.credentials, tasks)).events).toEqual(events.slice(0, 1));
    expect((await pullAll(stranger.credentials, unheard)).events).toEqual([]);
    // The team is not told of it.
    await post(ada, 'afterwards');
    const resumed = await EventStream.open(bob.client, live.events[0]?.id as number);
    for (const stream of [live, resumed]) {
      await stream.until((given) => given.some(({ kind }) => kind === 'message.created'));
      expect(stream.of('object.opened')).toEqual([]);
      stream.close();
    }
  });

  it('tells of links to the application, and of no others (claim: own-links-heard)', async () => {
    const own = await register(dev, host, {
      name: 'Link Reader',
      scopes: ['messages:read'],
      link_prefixes: ['https://A.example/tasks', 'https://a.example/tasks', 'https://b.example/'],
    });
    const ofOwn = (fields: object) => dev.client.patch(`/v1/applications/${own.id}`, fields);
    expect((await dev.client.get(`/v1/applications/${own.id}`)).data[0].link_prefixes).toEqual([
      'https://a.example/tasks',
      'https://b.example/',
    ]);
    await install(ada, team, own);
    const kinds = ['message.posted', 'reply.posted', 'mention', 'link.posted'];
    const heardBy = async (fields: object) => pathOf(own, (await subscribe(own, fields)).id);
    await allPlaced(server);
    const [all, links] = [await heardBy({ kinds }), await heardBy({ kinds: ['link.posted'] })];
    const called = await heardBy({ kinds, mentions_only: true });
    const plain = await heardBy({ kinds: kinds.slice(0, 3) });
    const strangers = await pathFor({ kinds: ['link.posted'] });

    const both =
      'https://a.example/tasks/1 https://a.example/tasks-old https://a.example/tasks/1 https://b.example';
    const root = await post(ada, both);
    await post(ada, 'https://a.example.evil/tasks `https://a.example/tasks/2`');
    await bob.client.post(`/v1/messages/${root}/replies`, { text: 'or https://a.example/tasks?all' });
    await post(ada, '@linkreader https://b.example/3');
    await ada.client.post('/v1/messages', { text: 'https://b.example/4', addressed_users: [bob.id] });
    await ada.client.post(`/v1/messages/${root}/sidebars`, { users: [bob.id], text: 'https://b.example/5' });

    const heard = async (path: string) =>
      (await pullAll(own.credentials, path, 'since=0')).events.map(({ type, data }) => [
        type,
        (data as { links?: { url: string }[] }).links?.map(({ url }) => url),
      ]);
    const first = ['link.posted', ['https://a.example/tasks/1', 'https://b.example']];
    const answer = ['link.posted', ['https://a.example/tasks?all']];
    const mention = ['mention', ['https://b.example/3']];
    expect(await heard(all)).toEqual([first, ['message.posted', undefined], answer, mention]);
    expect(await heard(links)).toEqual([first, answer, ['link.posted', ['https://b.example/3']]]);
    expect(await heard(called)).toEqual([mention]);
    // A kind that is not asked for changes nothing.
    expect(await heard(plain)).toEqual([
      ['message.posted', undefined],
      ['message.posted', undefined],
      ['reply.posted', undefined],
      ['mention', undefined],
    ]);
    const [event] = (await pullAll(own.credentials, links, 'since=0')).events;
    expect(event?.data).toMatchObject({
      team,
      message: { id: root, version: 1, text: both, author: ada.id },
    });
    expect((await pullAll(app.credentials, strangers)).events).toEqual([]);

    const many = Array.from({ length: 30 }, (_, n) => `https://b.example/${n}`);
    const long = await post(ada, many.join(' '));
    const foreign = Array.from({ length: 20 }, (_, n) => `https://c.example/${n}`);
    await post(ada, [...foreign, 'https://b.example/late'].join(' '));
    expect((await heard(links)).slice(3)).toEqual([['link.posted', many.slice(0, 20)]]);
    await ada.client.delete(`/v1/messages/${long}`);

    // A message that was deleted tells no links; prefixes and rights are those of now.
    await ada.client.delete(`/v1/messages/${root}`);
    expect(await heard(links)).not.toContainEqual(first);
    await ofOwn({ link_prefixes: ['https://a.example/'] });
    expect(await heard(links)).toEqual([answer]);
    const grant = (scopes: string[]) =>
      ada.client.put(`/v1/teams/${team}/applications/${own.id}/scopes`, { scopes });
    await grant([]);
    expect(await heard(links)).toEqual([]);
    await grant(['messages:read']);
    expect(await heard(links)).toEqual([answer]);
    await ada.client.delete(`/v1/teams/${team}/applications/${own.id}`);
    expect(await heard(links)).toEqual([]);
  });

  it('hears nothing of direct messages and sidebars', async () => {
    const path = await pathFor({ kinds: ['message.posted', 'reply.posted', 'mention'] });
    const root = await post(ada, 'open');
    await ada.client.post('/v1/messages', { text: 'secret', addressed_users: [bob.id] });
    await ada.client.post(`/v1/messages/${root}/sidebars`, { users: [bob.id], text: 'aside' });
    expect(texts((await pullAll(app.credentials, path)).events)).toEqual(['open']);
  });

  it('begins at a time or after an event', async () => {
    const path = await pathFor({});
    await post(ada, 'one');
    server.clock.advance(10);
    const between = server.clock.now() / 1000;
    await post(ada, 'two');
    await post(ada, 'three');
    const { events } = await pullAll(app.credentials, path);
    expect(texts(events)).toEqual(['one', 'two', 'three']);
    expect((await pullAll(app.credentials, path, `since=${between}`)).events).toEqual(events.slice(1));
    expect((await pullAll(app.credentials, path, `since=${events[1]?.id}`)).events).toEqual(events.slice(2));
    for (const wrong of [
      'since=then',
      'since=%20',
      'since=%200',
      'since=0x10',
      'since=1e3',
      'since=-1',
      'since=',
      `since=${team}`,
      'after=nonsense',
    ])
      expect((await app.credentials.get(`${path}/events?${wrong}`)).code).toBe(4002);
    // No group has such a name.
    expect((await app.credentials.delete(`${path}/consumers/%00`)).code).toBe(4040);
    expect((await app.credentials.put(`${path}/consumers/%00/cursor`, { since: '0' })).code).toBe(4002);
  });

  it('keeps the cursors of consumers, which go forward and back', async () => {
    const path = await pathFor({});
    const pull = async () => {
      await allPlaced(server);
      const answer = await app.credentials.get(`${path}/events?consumer=bot&limit=2`);
      return [texts(answer.data as never), answer.body.meta.next_cursor] as const;
    };
    expect((await app.credentials.get(`${path}/events?consumer=bot`)).code).toBe(4040);
    const begin = (await app.credentials.get(`${path}/events`)).body.meta.next_cursor;
    const set = (body: object) => app.credentials.put(`${path}/consumers/bot/cursor`, body);
    expect((await set({ cursor: begin })).status).toBe(200);
    for (const text of ['one', 'two', 'three']) await post(ada, text);
    const [first, cursor] = await pull();
    expect(first).toEqual(['one', 'two']);
    expect((await pull())[0]).toEqual(['one', 'two']);
    await set({ cursor });
    expect((await pull())[0]).toEqual(['three']);
    await set({ since: '0' });
    expect((await pullAll(app.credentials, path, 'consumer=bot')).events).toHaveLength(
      (await pullAll(app.credentials, path, 'since=0')).events.length,
    );
    expect((await set({})).code).toBe(4002);
    expect((await app.credentials.get(`${path}/consumers`)).data).toMatchObject([{ name: 'bot', copies: 0 }]);
    await app.credentials.delete(`${path}/consumers/bot`);
    expect((await app.credentials.get(`${path}/consumers`)).data).toEqual([]);
  });

  it('waits for an event when it is asked to', async () => {
    const path = await pathFor({});
    const { cursor } = await pullAll(app.credentials, path);
    const waiting = app.credentials.get(`${path}/events?after=${cursor}&wait=30`);
    await post(ada, 'at last');
    expect(texts((await waiting).data as never)).toEqual(['at last']);
  });

  it('says when events are not kept any more', async () => {
    const path = await pathFor({});
    await post(ada, 'forgotten');
    const { cursor } = await pullAll(app.credentials, path);
    await post(ada, 'forgotten, too');
    server.clock.advance(8 * 24 * 3600);
    await post(ada, 'new');
    await expect
      .poll(async () => (await app.credentials.get(`${path}/events?after=${cursor}`)).body.meta.missed)
      .toBe(true);
    expect(texts((await pullAll(app.credentials, path, 'since=0')).events)).toContain('new');
  });
});

describe('what an application may hear', () => {
  it('is decided when it reads (claim: hearing-decided-at-reading)', async () => {
    const own = await makeTeam(ada, [bob]);
    await post(ada, 'before it came', own);
    await install(ada, own, app);
    const path = await pathFor({
      teams: [own],
      kinds: ['message.posted', 'member.joined', 'installation.removed'],
    });
    const read = async () =>
      (await pullAll(app.credentials, path, 'since=0')).events.map(
        ({ type, data }) => data.message?.text ?? type,
      );
    await post(ada, 'one', own);
    expect(await read()).toEqual(['one']);
    const grant = (scopes: string[]) =>
      ada.client.put(`/v1/teams/${own}/applications/${app.id}/scopes`, { scopes });
    expect((await grant([])).status).toBe(200);
    expect(await read()).toEqual([]);
    await join(ada, own, await signUp(server, 'Eve'));
    expect(await read()).toEqual(['member.joined']);
    await grant(['messages:read']);
    expect(await read()).toEqual(['one', 'member.joined']);
    await ada.client.delete(`/v1/teams/${own}/applications/${app.id}`);
    expect(await read()).toEqual(['installation.removed']);
    await post(ada, 'while it is away', own);
    await install(ada, own, app);
    await post(ada, 'again', own);
    expect(await read()).toEqual(['installation.removed', 'again']);
  });
});

describe('subscriptions', () => {
  it('cost a post nothing: it writes the same rows, however many hear of it', async () => {
    const quiet = await makeTeam(ada);
    const busy = await makeTeam(ada);
    for (let n = 0; n < 3; n++) {
      const tracker = await register(dev, host, { scopes: ['messages:read'] });
      await install(ada, busy, tracker);
      for (let m = 0; m < 5; m++) await subscribe(tracker, { kinds: ['message.posted', 'mention'] });
    }
    const { db } = server.running;
    const counts = async () => {
      await allPlaced(server);
      const tables = Object.keys(OWNERS).filter((table) => !UNNAMED_TABLES.includes(table));
      const rows = tables.map((table) => db.all<{ n: number }>(`SELECT count(*) AS n FROM ${table}`, []));
      return (await Promise.all(rows)).map(([row], index) => [tables[index], Number(row?.n)] as const);
    };
    const written = async (to: string) => {
      const before = new Map(await counts());
      await post(ada, 'hello', to);
      return (await counts()).map(([table, n]) => [table, n - (before.get(table) as number)]);
    };
    const [inQuiet, inBusy] = [await written(quiet), await written(busy)];
    expect(inBusy).toEqual(inQuiet);
    expect(Object.fromEntries(inBusy)).toMatchObject({ events: 1, messages: 1, deliveries: 0 });
  });

  it('are made, changed, listed and deleted by the application and its owner', async () => {
    const tracker = await register(dev, host);
    const path = `/v1/applications/${tracker.id}/subscriptions`;
    const made = await dev.client.post(path, { kinds: ['member.left'], teams: [team] });
    const { id } = made.data[0];
    expect(made.data[0]).toMatchObject({ kinds: ['member.left'], teams: [team], webhook: null });
    expect((await tracker.credentials.get(path)).data.map((one) => one.id)).toEqual([id]);
    const changed = await tracker.credentials.patch(`${path}/${id}`, { teams: null, mentions_only: true });
    expect(changed.data[0]).toMatchObject({ kinds: ['member.left'], teams: null, mentions_only: true });
    expect((await dev.client.get(`${path}/${id}`)).data[0]).toEqual(changed.data[0]);
    expect((await dev.client.delete(`${path}/${id}`)).status).toBe(200);
    expect((await dev.client.get(`${path}/${id}`)).code).toBe(4040);
  });

  it('are at most twenty, also when they come at once', async () => {
    const tracker = await register(dev, host);
    const wanted = Array.from({ length: 25 }, () =>
      tracker.credentials.post(`/v1/applications/${tracker.id}/subscriptions`, { kinds: ['mention'] }),
    );
    const codes = (await Promise.all(wanted)).map(({ code }) => code ?? 200);
    expect(codes.filter((code) => code === 200)).toHaveLength(20);
    expect(codes.filter((code) => code === 4090)).toHaveLength(5);
  });

  it('end with the application', async () => {
    const tracker = await register(dev, host);
    const { id } = await subscribe(tracker);
    await dev.client.delete(`/v1/applications/${tracker.id}`);
    expect((await tracker.credentials.get(pathOf(tracker, id))).code).toBe(4010);
  });
});

describe('streams', () => {
  it('of the applications of one owner are at most sixty: the oldest ends', async () => {
    const owner = await signUp(server, 'Owner');
    const streams: Feed[] = [];
    for (const count of [20, 20, 20, 1]) {
      const app = await register(owner, host);
      const path = pathOf(app, (await subscribe(app)).id);
      for (let n = 0; n < count; n++) streams.push(await Feed.open(app.credentials, path));
    }
    await streams[0]?.ended();
    expect(streams.filter(({ isOver }) => isOver)).toHaveLength(1);
    for (const stream of streams) stream.close();
  });
});
