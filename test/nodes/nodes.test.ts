import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type RunningServer, type StartOptions, startServer } from '../../src/app/start.ts';
import { readConfig } from '../../src/process/config.ts';
import { asking, press } from '../support/clicks.ts';
import { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { Feed, pathOf, subscribe } from '../support/feed.ts';
import { newFolder } from '../support/folder.ts';
import {
  ApplicationHost,
  exchangeForm,
  install,
  makeTeam,
  openForCode,
  type Person,
  register,
} from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort } from '../support/process.ts';
import { TestClock, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Two servers with one database and the same keys; on SQLite they share the folder. */
let settings: NodeJS.ProcessEnv;
let folder: string;
let nodes: RunningServer[] = [];
const logger = pino({ level: 'silent' });

beforeEach(async () => {
  folder = newFolder();
  const key = () => randomBytes(32).toString('base64');
  settings = {
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    REGISTRATION: 'open',
    DATA_DIR: folder,
    ENCRYPTION_KEY: key(),
    COOKIE_KEY: key(),
    ...(process.env.TEST_DATABASE === 'postgres' && {
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    }),
  };
});

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  nodes = [];
  rmSync(folder, { recursive: true, force: true });
});

async function start(more: NodeJS.ProcessEnv = {}, options: StartOptions = {}): Promise<RunningServer> {
  const config = readConfig({ ...settings, PORT: String(await freePort()), ...more }, '');
  const node = await startServer(config, { logger, workerIntervalMs: 20, ...options });
  nodes.push(node);
  return node;
}

const at = (node: RunningServer) => new Client(node.url.replace('localhost', '127.0.0.1'));

async function signUpAt(node: RunningServer, email = 'ada@example.org'): Promise<Person> {
  const client = at(node);
  const fields = { email, password: 'a password of length', first_name: 'Ada', last_name: '' };
  const { data } = await client.post('/v1/users', fields);
  return { id: data[0].id, email, client };
}

describe('two nodes on one database', () => {
  it('started at once, one migrates and both serve', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    const ada = await signUpAt(one as RunningServer);
    expect((await ada.client.at(at(two as RunningServer).url).get('/v1/users/me')).data[0].id).toBe(ada.id);
  });

  it('close each other’s streams (claim: streams-end)', async () => {
    const [one, two] = [await start(), await start()];
    const host = await new ApplicationHost().start();
    const ada = await signUpAt(one);
    const team = await makeTeam(ada);
    const app = await register(ada, host, { scopes: ['messages:read'] });
    await install(ada, team, app);
    const path = pathOf(app, (await subscribe(app)).id);
    const signedIn = at(one);
    await signedIn.post('/v1/sessions', { email: ada.email, password: 'a password of length' });
    const stream = await EventStream.open(signedIn.at(at(two).url));
    const feed = await Feed.open(app.credentials.at(at(two).url), path);
    const post = (text: string) => ada.client.post('/v1/messages', { text, addressed_teams: [team] });
    await post('heard');
    await Promise.all([
      stream.until((events) => events.some(({ kind }) => kind === 'message.created')),
      feed.until(({ length }) => length === 1),
    ]);
    await ada.client.post(`/v1/applications/${app.id}/secret`, { overlap_seconds: 0 });
    await signedIn.delete('/v1/sessions/current');
    await post('a secret');
    await Promise.all([stream.ended(), feed.ended()]);
    expect(JSON.stringify([stream.events, feed.lines])).not.toContain('a secret');
    await host.stop();
  });

  it('tell each other that somebody types', async () => {
    const [one, two] = [await start(), await start()];
    const ada = await signUpAt(one);
    const bob = await signUpAt(one, 'bob@example.org');
    const team = await makeTeam(ada, [bob]);
    const [here, there] = await Promise.all(
      [one, two].map((node) => EventStream.open(bob.client.at(at(node).url))),
    );
    const streams = [here, there] as EventStream[];
    // The embedded database carries nothing between two programs: each tells its own streams.
    const shared = process.env.TEST_DATABASE === 'postgres';
    for (const node of shared ? [one] : [one, two])
      await ada.client.at(at(node).url).put(`/v1/teams/${team}/typing`);
    const told = { user: ada.id, team };
    await Promise.all(streams.map((stream) => stream.until(() => stream.of('typing').length > 0)));
    const last = await ada.client.post('/v1/messages', { text: 'typed', addressed_teams: [team] });
    await Promise.all(
      streams.map((stream) =>
        stream.until((events) => events.some(({ data }) => data.message?.id === last.data[0].id)),
      ),
    );
    expect(streams.map((stream) => stream.of('typing').map(({ data }) => data))).toEqual([[told], [told]]);
  });

  it('share idempotency keys, codes, callbacks and the order of messages', async () => {
    const [one, two] = [await start(), await start()];
    const host = await new ApplicationHost().start();
    const ada = await signUpAt(one);
    const there = ada.client.at(at(two).url);
    const team = await makeTeam(ada);
    const clients = [ada.client, there];

    const body = { text: 'once', addressed_teams: [team] };
    const repeated = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        clients[n % 2]?.post('/v1/messages', body, { 'Idempotency-Key': 'k' }),
      ),
    );
    expect(new Set(repeated.map((answer) => answer?.data[0].id)).size).toBe(1);

    const application = await register(ada, host);
    await install(ada, team, application);
    const form = exchangeForm(application, await openForCode(ada, team, application));
    const exchanged = await Promise.all(
      Array.from({ length: 20 }, (_, n) => clients[n % 2]?.ask('POST', '/v1/oauth2/token', { form })),
    );
    expect(exchanged.filter((answer) => answer?.status === 200)).toHaveLength(1);

    await Promise.all(
      Array.from({ length: 60 }, (_, n) => clients[n % 2]?.post('/v1/messages', { ...body, text: `${n}` })),
    );
    const places = await one.db.all<{ seq: number }>('SELECT seq FROM messages ORDER BY seq', []);
    expect(places.map(({ seq }) => seq)).toEqual(places.map((_, index) => index + 1));

    await ada.client.delete(`/v1/teams/${team}/applications/${application.id}`);
    await host.next((call) => call.path === '/uninstall');
    await until(async () => {
      const { data } = await there.get(`/v1/applications/${application.id}/deliveries`);
      return data[0].status === 'delivered';
    });
    expect(host.received.filter((call) => call.path === '/uninstall')).toHaveLength(1);
    await host.stop();
  });
});

describe('clicks of two nodes', () => {
  async function scene() {
    const [one, two] = [await start(), await start()];
    const host = await new ApplicationHost().start();
    const ada = await signUpAt(one);
    const there = { ...ada, client: ada.client.at(at(two).url) };
    const team = await makeTeam(ada);
    const of = await asking({ running: one, anonymous: () => at(one) } as TestServer, {
      ...{ owner: ada, admin: ada, host, team },
    });
    return { one, two, host, ada, there, of, message: await of.post() };
  }

  it('reach the stream at the other one, and are answered there, for the windows here (claim: clicks-once)', async () => {
    const { one, two, host, ada, there, of, message } = await scene();
    const windows = await EventStream.open(ada.client);
    const feed = await Feed.open(of.app.credentials.at(at(two).url), pathOf(of.app, of.subscription));
    const click = randomUUID();
    // The same click, sent to both at once.
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, n) => press(n % 2 ? ada : there, message, { click })),
    );
    const [id, ...others] = new Set(sent.map(({ data }) => data[0].id));
    expect(others).toEqual([]);
    await feed.until(({ length }) => length > 0);
    const path = new URL(feed.events[0]?.data.response_url).pathname;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => at(n % 2 ? one : two).post(path, { reply: true, text: `${n}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([undefined, 4040]));
    await windows.until(() => windows.of('interaction').length > 0);
    expect(windows.of('interaction').map(({ data }) => data)).toEqual([{ id, status: 'done' }]);
    expect((await press(there, message, { click })).data).toEqual([{ id, status: 'done' }]);
    expect(feed.events.map(({ data }) => data.id)).toEqual([id]);
    feed.close();
    windows.close();
    await host.stop();
  });

  it('end by an acknowledgement at the other one', async () => {
    const { two, host, ada, of, message } = await scene();
    const windows = await EventStream.open(ada.client);
    const path = pathOf(of.app, of.subscription);
    const credentials = of.app.credentials.at(at(two).url);
    const feed = await Feed.open(credentials, path);
    const [{ id }] = (await press(ada, message)).data;
    await feed.until(({ length }) => length > 0);
    await credentials.post(`${path}/consumers/default/acknowledgements`, { events: [feed.events[0]?.id] });
    await windows.until(() => windows.of('interaction').length > 0);
    expect(windows.of('interaction').map(({ data }) => data)).toEqual([{ id, status: 'done' }]);
    feed.close();
    windows.close();
    await host.stop();
  });
});

describe('rate limits of two nodes', () => {
  const shared = process.env.TEST_DATABASE === 'postgres';

  async function startTwo(limits: NodeJS.ProcessEnv) {
    const clock = new TestClock();
    clock.toNextMinute();
    const options = { clock: clock.now, rateExchangeMs: 10 };
    const start1 = () => start({ RATE_LIMIT: 'on', ...limits }, options);
    return { nodes: [await start1(), await start1()] as const, clock };
  }

  it('count guesses at passwords once for all', async () => {
    const { nodes, clock } = await startTwo({ RATE_LIMIT_ACCOUNT: '5' });
    const guess = (n: number) =>
      at(nodes[n % 2] as RunningServer).post('/v1/sessions', { email: 'ada@example.org', password: 'guess' });
    const refused = async () =>
      (await Promise.all(Array.from({ length: 20 }, (_, n) => guess(n)))).filter(({ code }) => code === 4290);
    expect(await refused()).toHaveLength(15);
    clock.advance(600);
    expect(await refused()).toHaveLength(19);
  });

  it('are shared, so that the second node knows what the first has admitted', async () => {
    const { nodes, clock } = await startTwo({ RATE_LIMIT_TOKEN: '600' });
    const [one, two] = nodes;
    const ada = await signUpAt(one);
    const there = ada.client.at(at(two).url);
    await Promise.all(Array.from({ length: 500 }, () => ada.client.get('/v1/users/me')));
    const left = async () => {
      const answer = await there.get('/v1/users/me');
      return [answer.code, Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])];
    };
    let asked = 0;
    for (let last = 600; asked < 600; asked++) {
      const [, now] = (await left()) as [unknown, number];
      // Its own requests count one each; counts from the other node arrive in steps.
      if (now < last - 1) break;
      last = now;
    }
    expect(asked < 500).toBe(shared);
    if (!shared) return;
    for (let n = 0; n < 101; n++) await left();
    expect(await left()).toEqual([4290, 0]);
    const counted = await one.db.all<{ key: string }>('SELECT key FROM rate_counts', []);
    expect(JSON.stringify(counted)).not.toContain(ada.id);
    const first = Math.floor(clock.now() / 60_000);
    clock.advance(120);
    expect((await left())[0]).toBeUndefined();
    for (let old = true; old; ) {
      const kept = await one.db.all<{ window_id: number }>('SELECT window_id FROM rate_counts', []);
      old = kept.some(({ window_id }) => window_id <= first);
    }
  });
});

describe.runIf(process.env.TEST_DATABASE === 'postgres')('another cookie key', () => {
  it('is warned of at the start, and where a server has the former one (claim: other-cookie-key)', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).msg) });
    const warnings = async (node: RunningServer) => (await at(node).get('/readyz')).text;
    const one = await start({}, { logger: log });
    const two = await start({}, { logger: log });
    expect([lines, await warnings(one)]).toEqual([[], '{"status":"ready"}']);
    const COOKIE_KEY = randomBytes(32).toString('base64');
    const other = await start({ COOKIE_KEY }, { logger: log });
    expect(lines).toEqual([expect.stringContaining('Give all servers the same COOKIE_KEY')]);
    for (const node of [one, two])
      expect(await warnings(node)).toContain('another one than that of the server');
    await one.stop();
    // Replaced at all of them, one after the other: a start with the new key is not warned of.
    const again = await start({ COOKIE_KEY }, { logger: log });
    for (const node of [other, again]) expect(await warnings(node)).toBe('{"status":"ready"}');
    expect(lines.filter((line) => line.startsWith('The cookie key'))).toHaveLength(1);
  });
});

describe('a server refuses to start on', () => {
  it('a database that a newer version has migrated', async () => {
    const node = await start();
    await node.db.write((tx) =>
      tx.all("INSERT INTO schema_migrations (version, name, applied_at) VALUES (999, 'future', 0)", []),
    );
    await expect(start()).rejects.toThrow(/at version 999.*restore a backup/s);
    const ready = await at(node).get('/readyz');
    expect(ready.status).toBe(503);
  });

  it('a database that was made with another key', async () => {
    await start();
    await expect(start({ ENCRYPTION_KEY: randomBytes(32).toString('base64') })).rejects.toThrow(
      /encryption key/,
    );
  });
});
