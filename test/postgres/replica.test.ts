import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Client } from '../support/client.ts';
import { ask } from '../support/cluster.ts';
import { startForwarding } from '../support/forwarding.ts';
import { join, makeTeam, type Person, signUp } from '../support/people.ts';
import { createDatabase, type PostgresServer, startPostgres, startReplica } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const TOKEN = 'let-me-see';

let primary: PostgresServer;
let replica: PostgresServer;
let database: string;
let servers: TestServer[];
let ada: Person;
let team: string;

/** SQLite has no replicas. */
describe('a streaming replica', () => {
  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startReplica(primary);
  });
  afterAll(async () => {
    await replica.stop();
    await primary.stop();
  });
  beforeEach(async () => {
    servers = [];
    database = await createDatabase(primary.url);
  });
  afterEach(async () => {
    for (const server of servers) await server.stop();
  });

  async function start(settings: NodeJS.ProcessEnv): Promise<TestServer> {
    const server = await startTestServer({ METRICS_TOKEN: TOKEN, ...settings });
    servers.push(server);
    return server;
  }

  /** Ada, her team, and a server that reads from a replica. */
  async function scene(of = replica): Promise<TestServer> {
    const server = await start({ DATABASE_URL: database, DATABASE_REPLICA_URL: on(of) });
    ada = await signUp(server, 'Ada');
    team = await makeTeam(ada);
    await inUse(server);
    return server;
  }

  const post = (text: string) => ada.client.post('/v1/messages', { text, addressed_teams: [team] });
  const list = (client: Client) => client.get(`/v1/messages?team=${team}`);
  const textsOf = ({ data }: Answer) => data.map(({ text }) => text);

  it('answers lists and searches (claim: replica-lists)', async () => {
    const server = await scene();
    const { id } = (await post('an apple')).data[0];
    await ada.client.post(`/v1/messages/${id}/replies`, { text: 'a pear' });
    for (const [path, texts] of [
      [`/v1/messages?team=${team}`, ['an apple']],
      [`/v1/messages/${id}/replies`, ['a pear']],
      ['/v1/messages?q=apple', ['an apple']],
      [`/v1/teams/${team}/users`, undefined],
    ] as const) {
      await until(async () => {
        const before = await series(server, 'parley_lists_total{from="replica"}');
        const answer = await ada.client.get(path);
        if (texts) expect(textsOf(answer)).toEqual(texts);
        else expect(answer.data).toHaveLength(1);
        return (await series(server, 'parley_lists_total{from="replica"}')) === (before ?? 0) + 1;
      });
    }
    const reads = await ask(
      on(replica),
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'parley'",
    );
    expect(reads.length).toBeGreaterThan(0);
  });

  it('shows each write at once, to every reader at every server (claim: replica-own-writes)', async () => {
    const server = await scene();
    const other = await start(server.environment);
    await inUse(other);
    const there = ada.client.at(other.url);
    const texts: string[] = [];
    for (let n = 0; n < 30; n++) {
      texts.unshift(`message ${n}`);
      await post(`message ${n}`);
      for (const client of [ada.client, there])
        expect(textsOf(await list(client))).toEqual(texts.slice(0, 50));
    }
    expect(await series(other, 'parley_lists_total{from="replica"}')).toBeGreaterThan(0);
  });

  it('that is behind is not asked: own writes and removals count at once (claim: replica-behind)', async () => {
    const server = await scene();
    const bob = await signUp(server, 'Bob');
    await join(ada, team, bob);
    await post('before');
    await inUse(server);
    expect(textsOf(await list(bob.client))).toEqual(['before']);
    await ask(on(replica), 'SELECT pg_wal_replay_pause()');
    try {
      await post('meanwhile');
      expect(textsOf(await list(ada.client))).toEqual(['meanwhile', 'before']);
      expect((await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`)).status).toBe(200);
      expect((await list(bob.client)).status).toBe(404);
      expect((await bob.client.get('/v1/messages')).data).toEqual([]);
      expect((await bob.client.get('/v1/messages?q=before')).data).toEqual([]);
      expect(await warnings(server)).toEqual(['The replica is left out: it is far behind']);
    } finally {
      await ask(on(replica), 'SELECT pg_wal_replay_resume()');
    }
    await inUse(server);
    expect(textsOf(await list(ada.client))).toEqual(['meanwhile', 'before']);
  });

  it('that dies is left out without an error, and comes back (claim: replica-away)', async () => {
    const server = await scene();
    await post('before');
    await replica.crash();
    try {
      expect(textsOf(await list(ada.client))).toEqual(['before']);
      await until(async () => (await warnings(server)).length > 0);
      await post('meanwhile');
      expect(textsOf(await list(ada.client))).toEqual(['meanwhile', 'before']);
      expect(await series(server, 'parley_replica_up')).toBe(0);
    } finally {
      await replica.recover();
    }
    await inUse(server);
    expect(textsOf(await list(ada.client))).toEqual(['meanwhile', 'before']);
  });

  it('that is promoted is left out (claim: replica-away)', async () => {
    const second = await startReplica(primary);
    try {
      const server = await scene(second);
      await ask(on(second), 'SELECT pg_promote()');
      await post('hello');
      expect(textsOf(await list(ada.client))).toEqual(['hello']);
      const reason = 'The replica is left out: it is not a replica, or was promoted';
      await until(async () => (await warnings(server)).includes(reason));
    } finally {
      await second.stop();
    }
  });

  it('that is ahead of a new primary, which it does not follow, is left out (claim: replica-away)', async () => {
    const own = await startPostgres();
    const [ahead, successor] = [await startReplica(own), await startReplica(own)];
    database = await createDatabase(own.url);
    const address = await startForwarding(portOf(own.url));
    const url = new URL(database);
    url.port = String(address.port);
    try {
      const server = await start({ DATABASE_URL: url.href, DATABASE_REPLICA_URL: on(ahead) });
      ada = await signUp(server, 'Ada');
      team = await makeTeam(ada);
      await post('kept');
      await until(
        async () => (await ask(on(successor), "SELECT FROM messages WHERE text = 'kept'")).length > 0,
      );
      await inUse(server);
      await successor.crash();
      for (let n = 0; n < 5; n++) await post('lost with the primary');
      await until(async () => (await ask(on(ahead), 'SELECT FROM messages')).length === 6);
      address.target = portOf(successor.url);
      await own.crash();
      await successor.recover();
      await ask(on(successor), 'SELECT pg_promote()');
      await until(async () => (await ada.client.get('/readyz')).status === 200);
      await until(async () => (await list(ada.client)).status === 200);
      expect(textsOf(await list(ada.client))).toEqual(['kept']);
      const reason = 'it does not follow the database of DATABASE_URL';
      await until(async () => (await warnings(server)).some((warning) => warning.includes(reason)));
      expect(await series(server, 'parley_replica_up')).toBe(0);
      expect(textsOf(await list(ada.client))).toEqual(['kept']);
      await Promise.all(servers.splice(0).map((one) => one.stop()));
    } finally {
      address.stop();
      for (const one of [ahead, successor, own]) await one.stop();
    }
  });

  it('that follows no database, or another one, is left out (claim: replica-away)', async () => {
    const another = await createDatabase(primary.url);
    const { environment } = await start({ DATABASE_URL: another });
    const cases = [
      [database, 'it is not a replica, or was promoted'],
      [another.replace(new URL(another).port, new URL(replica.url).port), 'it does not follow the database'],
    ] as const;
    for (const [url, reason] of cases) {
      const server = await start({ ...environment, DATABASE_URL: database, DATABASE_REPLICA_URL: url });
      await until(async () => (await warnings(server)).some((warning) => warning.includes(reason)));
    }
  });
});

const portOf = (url: string) => Number(new URL(url).port);

/** The database at another server. */
const on = (server: PostgresServer) => new URL(new URL(database).pathname, server.url).href;

async function series(server: TestServer, name: string): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const { text } = await server.anonymous().get('/metrics', { headers });
  const line = text.split('\n').find((one: string) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

const inUse = (server: TestServer) => until(async () => (await series(server, 'parley_replica_up')) === 1);

async function warnings(server: TestServer): Promise<string[]> {
  const { text } = await server.anonymous().get('/readyz');
  return JSON.parse(text).warnings ?? [];
}
