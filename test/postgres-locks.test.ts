import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { ask } from './support/cluster.ts';
import { EventStream } from './support/event-stream.ts';
import { makeTeam, type Person, signUp } from './support/people.ts';
import { createDatabase } from './support/postgres.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const PLACES_LOCK = 7_241_994;
/** Nothing that is held here is let go by itself while the test looks at the others. */
const LONG = {
  DATABASE_LOCK_TIMEOUT: '600',
  DATABASE_STATEMENT_TIMEOUT: '900',
  DATABASE_CONNECT_TIMEOUT: '600',
};

let server: TestServer;
let ada: Person;
let busy: string;
let other: string;
let database: string;
let operator: pg.Client;

async function start(settings: NodeJS.ProcessEnv): Promise<void> {
  database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  server = await startTestServer({ DATABASE_URL: database, ...settings });
  ada = await signUp(server, 'Ada');
  busy = await makeTeam(ada);
  other = await makeTeam(ada);
  operator = new pg.Client(database);
  await operator.connect();
  await operator.query('BEGIN');
}

const post = (team: string, text = 'hello') =>
  ada.client.post('/v1/messages', { text, addressed_teams: [team] });

const expectAll = (answers: Answer[], status: number) =>
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));

async function expectOthersGoOn(): Promise<void> {
  const asked = ['/v1/users/me', '/v1/users/me/teams', '/v1/messages', '/readyz'];
  expectAll(await Promise.all(asked.map((path) => ada.client.get(path))), 200);
  expectAll(await Promise.all(Array.from({ length: 20 }, () => post(other))), 200);
}

/** SQLite has one writer and no transactions that another program could leave open for long. */
describe.runIf(process.env.TEST_DATABASE === 'postgres')('what another transaction holds', () => {
  beforeEach(() => {
    operator = undefined as unknown as pg.Client;
  });
  afterEach(async () => {
    await operator.end();
    await server.stop();
  });

  it.each([20, 2])(
    'a team’s row stops neither readers nor other teams, with %d connections',
    async (most) => {
      await start({ ...LONG, DATABASE_CONNECTIONS: String(most) });
      await operator.query(`SELECT FROM teams WHERE id = '${busy}' FOR UPDATE`);
      let settled = 0;
      const waiting = Array.from({ length: most === 2 ? 1 : 60 }, () => post(busy).finally(() => settled++));
      await waiters(most === 2 ? 1 : 5);
      if (most === 2) expectAll([await ada.client.get('/v1/users/me')], 200);
      else await expectOthersGoOn();
      expect(settled).toBe(0);
      await operator.query('ROLLBACK');
      expectAll(await Promise.all(waiting), 200);
    },
  );

  it('the lock of places delays events alone, and holds one connection of a server', async () => {
    await start(LONG);
    const stream = await EventStream.open(ada.client);
    await operator.query(`SELECT pg_advisory_xact_lock(${PLACES_LOCK})`);
    for (let n = 0; n < 5; n++)
      expectAll(await Promise.all(Array.from({ length: 20 }, () => post(busy))), 200);
    await expectOthersGoOn();
    await waiters(1);
    expect(await countWaiters()).toBe(1);
    expect(stream.of('message.created')).toEqual([]);
    await operator.query('ROLLBACK');
    await stream.until(() => stream.of('message.created').length === 120);
    stream.close();
  });

  it('a message that another server indexes delays no search', async () => {
    await start(LONG);
    const held = (await post(busy, 'apple one')).data[0].id;
    await post(busy, 'apple two');
    expect((await ada.client.get('/v1/messages?q=apple')).data).toHaveLength(2);
    await operator.query(`SELECT FROM messages WHERE id = '${held}' FOR NO KEY UPDATE`);
    await ask(database, `INSERT INTO message_index_queue (message_id) VALUES ('${held}')`);
    await post(busy, 'apple three');
    const found = await ada.client.get('/v1/messages?q=apple');
    expect(found.data.map(({ text }) => text)).toEqual(expect.arrayContaining(['apple two', 'apple three']));
    await operator.query('ROLLBACK');
  });

  it('is waited for as long as the settings say, and then answered as "later" (claim: frozen-server)', async () => {
    await start({ DATABASE_LOCK_TIMEOUT: '1' });
    await operator.query(`SELECT FROM teams WHERE id = '${busy}' FOR UPDATE`);
    const answer = await post(busy);
    expect([answer.status, answer.code]).toEqual([503, 5030]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await operator.query('ROLLBACK');
    expectAll([await post(busy)], 200);
  });

  it('by a client that is silent in a transaction of ours ends with that transaction', async () => {
    await start({ DATABASE_IDLE_TIMEOUT: '1' });
    // As a frozen server does: it took the row, and says nothing any more.
    const took = Promise.withResolvers<void>();
    const frozen = Promise.withResolvers<void>();
    let tries = 0;
    const silent = server.running.db.write(async (tx) => {
      if (++tries > 1) return;
      await tx.all(`SELECT id FROM teams WHERE id = '${busy}' FOR UPDATE`, []);
      took.resolve();
      await frozen.promise;
    });
    await took.promise;
    expectAll([await post(busy)], 200);
    frozen.resolve();
    await silent;
    expect(tries).toBe(2);
  });
});

async function countWaiters(): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'parley' AND wait_event_type = 'Lock'`;
  return (await ask<{ count: number }>(database, sql))[0]?.count ?? 0;
}

/** Looks until so many connections of the server wait for a lock. */
async function waiters(count: number): Promise<void> {
  while ((await countWaiters()) < count);
}
