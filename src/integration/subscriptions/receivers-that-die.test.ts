import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { allPlaced, Feed, type Heard, pathOf, pullAll, subscribe } from '../../../test/support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../../../test/support/people.ts';
import { chances, faultsOf } from '../../../test/support/receivers.ts';
import { scene } from '../../../test/support/scene.ts';
import { startServer } from '../../app/start.ts';
import { readConfig } from '../../process/config.ts';

const { server, host, dev, ada, bob } = scene({ people: ['Dev', 'Ada', 'Bob'] });
const MESSAGES = 60;
let teams: string[];
let app: RegisteredApplication;

beforeAll(async () => {
  teams = [await makeTeam(ada, [bob]), await makeTeam(ada, [bob]), await makeTeam(bob, [ada])];
  app = await register(dev, host, { scopes: ['messages:read'] });
  await install(ada, teams[0] as string, app);
  await install(ada, teams[1] as string, app);
  await install(bob, teams[2] as string, app);
});

/** Two people write into three teams at once. */
const writing = () =>
  Promise.all(
    [ada, bob].map(async ({ client }, who) => {
      for (let n = 0; n < MESSAGES / 2; n++)
        await client.post('/v1/messages', { text: `${who}-${n}`, addressed_teams: [teams[n % 3]] });
    }),
  );

/** Only PostgreSQL has several servers. */
async function secondServer() {
  if (process.env.TEST_DATABASE !== 'postgres') return undefined;
  const running = await startServer(readConfig(server.environment, ''), {
    clock: server.clock.now,
    workerIntervalMs: 20,
  });
  return { url: running.url.replace('localhost', '127.0.0.1'), stop: running.stop };
}

/** The record of a receiver: it remembers ids, as receivers must. */
class Work {
  readonly done: Heard[] = [];
  readonly #ids = new Set<string>();

  do(event: Heard): void {
    if (this.#ids.has(event.id)) return;
    this.#ids.add(event.id);
    this.done.push(event);
  }
}

/** Every event once, and each team's in the order of the log. */
async function expectAll(work: Work, path: string): Promise<void> {
  await allPlaced(server);
  const { events } = await pullAll(app.credentials, path, 'limit=200');
  expect(events).toHaveLength(MESSAGES);
  const idsOf = (all: readonly Heard[]) => all.map(({ id, data }) => ({ id, team: data.team }));
  expect(faultsOf(idsOf(work.done), idsOf(events))).toEqual([]);
  expect(work.done).toEqual(expect.arrayContaining(events));
}

describe('a receiver that dies at any moment has done every event once, in the order of each team', () => {
  it('by pages (claim: events-heard-once)', async () => {
    const path = pathOf(app, (await subscribe(app)).id);
    const [work, chance] = [new Work(), chances(1)];
    const at = (cursor: string) => app.credentials.put(`${path}/consumers/bot/cursor`, { cursor });
    await at((await app.credentials.get(`${path}/events`)).body.meta.next_cursor);
    const written = writing();
    while (work.done.length < MESSAGES) {
      const answer = await app.credentials.get(`${path}/events?consumer=bot&limit=7&wait=1`);
      const dies = chance() < 0.4 ? Math.floor(chance() * answer.data.length) : undefined;
      for (const event of answer.data.slice(0, dies)) work.do(event as Heard);
      if (dies === undefined) await at(answer.body.meta.next_cursor);
    }
    await written;
    await expectAll(work, path);
  });

  it('by streams that share the work (claim: events-heard-once)', async () => {
    const path = pathOf(app, (await subscribe(app)).id);
    const [work, chance] = [new Work(), chances(2)];
    const other = await secondServer();
    const clients = [app.credentials, app.credentials.at(other?.url ?? server.url)];
    /** A copy of the application: it dies now and then, and another one takes its place. */
    async function copy(): Promise<void> {
      while (work.done.length < MESSAGES) {
        let isDead = false;
        const feed = await Feed.open(clients[Math.floor(2 * chance())] as Client, path, {
          consumer: 'copies',
          onEvent: async (event) => {
            if (isDead) return;
            work.do(event);
            if (work.done.length === MESSAGES) done.resolve();
            isDead = chance() < 0.1;
            if (isDead) return feed.close();
            const acknowledgements = `${path}/consumers/copies/acknowledgements`;
            if (chance() < 0.5) await app.credentials.post(acknowledgements, { events: [event.id] });
          },
        });
        await Promise.race([feed.ended(), done.promise]);
        feed.close();
      }
    }
    const done = Promise.withResolvers<void>();
    /** A copy that acknowledges nothing is closed after a minute, which passes here where nothing happens. */
    async function patience(): Promise<void> {
      let before = 0;
      const look = () => {
        if (work.done.length === before) server.clock.advance(20);
        before = work.done.length;
        return before;
      };
      await expect.poll(look, { interval: 200, timeout: 150_000 }).toBe(MESSAGES);
    }
    await Promise.all([copy(), copy(), copy(), writing(), patience()]);
    await other?.stop();
    await expectAll(work, path);
  });

  it('by webhook (claim: events-heard-once)', async () => {
    const [work, chance] = [new Work(), chances(3)];
    host.beforeAnswer = async ({ path, body }) => {
      host.status = path === '/events' && chance() < 0.2 ? 500 : 200;
      if (host.status === 200 && path === '/events') work.do(body);
    };
    const other = await secondServer();
    const { id } = await subscribe(app, { webhook: { url: `${host.url}/events` } });
    await writing();
    await expect
      .poll(
        () => {
          server.clock.advance(300);
          return work.done.length;
        },
        { timeout: 150_000 },
      )
      .toBe(MESSAGES);
    await other?.stop();
    host.beforeAnswer = undefined;
    host.status = 200;
    await expectAll(work, pathOf(app, id));
  });
});

describe('the streams of a group', () => {
  const events = (feed: Feed) => feed.events.map(({ data }) => data.message.text as string);
  const post = (text: string, team: string | undefined) =>
    ada.client.post('/v1/messages', { text, addressed_teams: [team] });

  it('share its teams; those of one that ends go to another, from what it acknowledged', async () => {
    const path = pathOf(app, (await subscribe(app)).id);
    const first = await Feed.open(app.credentials, path, { consumer: 'pair' });
    for (const [n, team] of teams.entries()) await post(`first ${n}`, team);
    await first.until(({ length }) => length === 3);
    const acknowledgements = `${path}/consumers/pair/acknowledgements`;
    const ids = first.events.map(({ id }) => id);
    const answer = await app.credentials.post(acknowledgements, { events: ids.slice(0, 2) });
    expect(answer.data).toEqual([{ acknowledged: 2 }]);
    const second = await Feed.open(app.credentials, path, { consumer: 'pair' });
    // A team is given away once all of it is acknowledged.
    await expect
      .poll(async () => {
        for (const team of teams) await post('more', team);
        const open = [...first.events, ...second.events].map(({ id }) => id).slice(-200);
        await app.credentials.post(acknowledgements, { events: open });
        return second.events.length;
      })
      .toBeGreaterThan(0);
    const shared = second.events[0]?.data.team as string;
    await post('last', shared);
    await second.until(() => events(second).includes('last'));
    expect(events(first)).not.toContain('last');
    second.close();
    await first.until(() => events(first).includes('last'));
    first.close();
    expect((await app.credentials.get(`${path}/consumers`)).data).toMatchObject([{ name: 'pair' }]);
  });

  it('send the bytes that pages have, and take Last-Event-ID as an acknowledgement', async () => {
    const path = pathOf(app, (await subscribe(app, { teams: [teams[0]] })).id);
    for (const text of ['one', 'two', 'three']) await post(text, teams[0]);
    const first = await Feed.open(app.credentials, path);
    expect(first.begin).toBe('ready');
    await first.until(({ length }) => length === 3);
    const { events: pulled } = await pullAll(app.credentials, path);
    expect(first.lines).toEqual(pulled.map((event) => JSON.stringify(event)));
    first.close();
    const second = await Feed.open(app.credentials, path, { lastId: first.events[1]?.id as string });
    await second.until(({ length }) => length === 1);
    expect(events(second)).toEqual(['three']);
    // Setting the cursor back sends all of it again.
    await app.credentials.put(`${path}/consumers/default/cursor`, { since: first.events[0]?.id });
    await second.until(({ length }) => length === 3);
    expect(events(second)).toEqual(['three', 'two', 'three']);
    second.close();
  });

  it('go on while they are used, however long', async () => {
    const path = pathOf(app, (await subscribe(app, { teams: [teams[0]] })).id);
    const feed = await Feed.open(app.credentials, path);
    const lastLease = async () => {
      const rows = await server.running.db.all<{ lease_until: number }>(
        'SELECT lease_until FROM event_copies',
        [],
      );
      return Math.max(0, ...rows.map(({ lease_until }) => Number(lease_until)));
    };
    // A slow machine must not let the lease end by itself.
    const go = server.clock.hold();
    try {
      for (let round = 0; round < 4; round++) {
        const before = await lastLease();
        server.clock.advance(6);
        await expect.poll(async () => feed.isOver || (await lastLease()) > before).toBe(true);
      }
      expect(feed.isOver).toBe(false);
      await post('still here', teams[0]);
      await feed.until(({ length }) => length === 1);
    } finally {
      go();
      feed.close();
    }
  });

  it('are closed when nothing is acknowledged, when the secret ends, and with the group', async () => {
    const own = await register(dev, host, { scopes: ['messages:read'] });
    await install(ada, teams[0] as string, own);
    const path = pathOf(own, (await subscribe(own)).id);
    const first = await Feed.open(own.credentials, path);
    await post('one', teams[0]);
    await first.until(({ length }) => length === 1);
    await expect
      .poll(() => {
        server.clock.advance(6);
        return first.isOver;
      })
      .toBe(true);
    const second = await Feed.open(own.credentials, path);
    await own.credentials.delete(`${path}/consumers/default`);
    await expect
      .poll(() => {
        server.clock.advance(6);
        return second.isOver;
      })
      .toBe(true);
    const third = await Feed.open(own.credentials, path);
    const renewed = await dev.client.post(`/v1/applications/${own.id}/secret`, { overlap_seconds: 0 });
    expect(renewed.status, renewed.text).toBe(200);
    await expect
      .poll(() => {
        server.clock.advance(6);
        return third.isOver;
      })
      .toBe(true);
  });
});
