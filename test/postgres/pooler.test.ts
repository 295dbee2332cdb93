import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { ask } from '../support/cluster.ts';
import { EventStream } from '../support/event-stream.ts';
import { broughtBy, expectNothingLost, startLoad } from '../support/load.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { type PoolerMode, startPooler } from '../support/pooler.ts';
import { createDatabase } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** So long that no event is found by looking for it. */
const NEVER = { workerIntervalMs: 3_600_000 };
/** Beyond what a slow machine needs, so that nothing is refused. */
const PATIENT = {
  DATABASE_LOCK_TIMEOUT: '30',
  DATABASE_IDLE_TIMEOUT: '30',
  DATABASE_STATEMENT_TIMEOUT: '40',
  DATABASE_CONNECT_TIMEOUT: '40',
};
/** A short wait for what does not come. */
const BRIEF = { DATABASE_CONNECT_TIMEOUT: '1' };

let direct: string;
let poolers: { stop: () => void }[];
let servers: TestServer[];

/** SQLite is a file: it has no pooler. */
describe('a connection pooler', () => {
  beforeEach(async () => {
    [poolers, servers] = [[], []];
    direct = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  });
  afterEach(async () => {
    for (const server of servers) await server.stop();
    for (const pooler of poolers) pooler.stop();
  });

  /** @returns the address of the database behind a pooler */
  async function through(mode: PoolerMode): Promise<string> {
    const url = new URL(direct);
    const pooler = await startPooler(Number(url.port), mode);
    poolers.push(pooler);
    url.port = String(pooler.port);
    return url.href;
  }

  async function start(settings: NodeJS.ProcessEnv): Promise<TestServer> {
    const server = await startTestServer(settings, NEVER);
    servers.push(server);
    return server;
  }

  async function scene(
    settings: NodeJS.ProcessEnv,
  ): Promise<{ server: TestServer; ada: Person; team: string }> {
    const server = await start(settings);
    const ada = await signUp(server, 'Ada');
    return { server, ada, team: await makeTeam(ada) };
  }

  it.each(['session', 'transaction', 'tracked'] as const)(
    'in %s mode carries two servers, which leave no trace in its sessions (claim: pooler-works)',
    async (mode) => {
      const url = await through(mode);
      const { server, ada, team } = await scene({
        ...PATIENT,
        DATABASE_URL: url,
        DATABASE_LISTEN_URL: direct,
      });
      const other = await start(server.environment);
      const there = ada.client.at(other.url);
      const stream = await EventStream.open(there);
      const load = startLoad([ada.client, ada.client, there, there], team);
      await load.more(80);
      await load.stop();
      expect(load.wrong).toEqual([]);
      expect(load.refused).toEqual([]);
      await expectNothingLost(direct, load.posted);
      expect(await broughtBy(stream, load.posted)).toHaveLength(load.posted.length);
      stream.close();
      if (mode !== 'session') expect(await traces(url, 8)).toEqual([]);
    },
  );

  it('in transaction mode bounds how long a lock is waited for', async () => {
    const { ada, team } = await scene({
      DATABASE_URL: await through('transaction'),
      DATABASE_LISTEN_URL: direct,
      DATABASE_LOCK_TIMEOUT: '1',
    });
    const operator = new pg.Client(direct);
    await operator.connect();
    await operator.query('BEGIN');
    await operator.query(`SELECT FROM teams WHERE id = '${team}' FOR UPDATE`);
    const post = () => ada.client.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
    const answer = await post();
    expect([answer.status, answer.code]).toEqual([503, 5030]);
    await operator.query('ROLLBACK');
    await operator.end();
    expect((await post()).status).toBe(200);
  });

  it.each([
    ['transaction', undefined, /transaction mode.*set DATABASE_LISTEN_URL/],
    ['transaction', 'pooled', /did not arrive at DATABASE_LISTEN_URL/],
    ['transaction', 'another database', /did not arrive at DATABASE_LISTEN_URL/],
    ['transaction', 'nothing', /DATABASE_LISTEN_URL cannot be used/],
    ['statement', 'direct', /statement mode.*pool_mode = transaction/],
  ] as const)(
    'in %s mode with DATABASE_LISTEN_URL %s is refused with a sentence (claim: pooler-refused)',
    async (mode, listening, sentence) => {
      const url = await through(mode);
      const addresses = {
        pooled: async () => url,
        direct: async () => direct,
        nothing: async () => 'postgres://postgres@127.0.0.1:1/postgres',
        'another database': () => createDatabase(inject('postgresUrl')),
      };
      const listen = listening && (await addresses[listening]());
      const settings = { ...BRIEF, DATABASE_URL: url, DATABASE_LISTEN_URL: listen };
      await expect(start(settings)).rejects.toThrow(sentence);
    },
  );
});

/** Lists the state of one client that is left in the sessions of a pooler: statements, limits, locks, temporary tables. */
async function traces(url: string, looks: number): Promise<string[]> {
  const found: string[] = [];
  for (let look = 0; look < looks; look++) {
    const rows = await ask<{ trace: string }>(
      url,
      `SELECT name AS trace FROM pg_prepared_statements WHERE name !~ '^pooler_'
       UNION ALL SELECT name FROM pg_settings WHERE source = 'session' AND name ~ 'timeout|search_path|role|tcp_'
       UNION ALL SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'
       UNION ALL SELECT pg_listening_channels()
       UNION ALL SELECT relname FROM pg_class WHERE relpersistence = 't'`,
    );
    found.push(...rows.map(({ trace }) => trace));
  }
  return found;
}
