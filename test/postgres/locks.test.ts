import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../src/process/config.ts';
import type { Answer } from '../support/client.ts';
import { ask } from '../support/cluster.ts';
import { EventStream } from '../support/event-stream.ts';
import { Mailbox, mailsSettle } from '../support/mailbox.ts';
import { join, makeTeam, type Person, signUp } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const PLACES_LOCK = 7_241_994;
/** Later than any mail of a test. */
const FAR = Number.MAX_SAFE_INTEGER;
/** Timeouts beyond the test's duration, so that no lock here is released by itself. */
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
describe('a lock of another transaction', () => {
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
      await waiters(1);
      if (most === 2) expectAll([await ada.client.get('/v1/users/me')], 200);
      else await expectOthersGoOn();
      expect(settled).toBe(0);
      await operator.query('ROLLBACK');
      expectAll(await Promise.all(waiting), 200);
    },
  );

  it('a message’s row stops neither readers nor other teams, and holds one connection of a server', async () => {
    await start(LONG);
    const { id } = (await post(other)).data[0];
    await operator.query(`SELECT FROM messages WHERE id = '${id}' FOR UPDATE`);
    const waiting = Array.from({ length: 60 }, () =>
      ada.client.post(`/v1/messages/${id}/replies`, { text: 'hello' }),
    );
    await waiters(1);
    await expectOthersGoOn();
    expect(await countWaiters()).toBe(1);
    await operator.query('ROLLBACK');
    expectAll(await Promise.all(waiting), 200);
  });

  it('a webhook that is deleted while it is called is not found, as one that was deleted before', async () => {
    await start(LONG);
    const made = (await ada.client.post(`/v1/teams/${busy}/webhooks`, { name: 'Program' })).data[0];
    await operator.query(`DELETE FROM incoming_webhooks WHERE id = '${made.id}'`);
    const { pathname } = new URL(made.url);
    const called = ada.client.post(pathname, { text: 'hello' });
    await waiters(1);
    await operator.query('COMMIT');
    expectAll([await called], 404);
    expectAll([await ada.client.post(pathname, { text: 'hello' })], 404);
  });

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

  it('a message of somebody keeps them neither from coming nor from going', async () => {
    await start(LONG);
    const isOnline = async () =>
      (await ask<{ online_until: string }>(database, 'SELECT online_until FROM users'))[0]?.online_until !==
      '0';
    // As the key of a message refers to its author.
    await operator.query('SELECT FROM users FOR KEY SHARE');
    const stream = await EventStream.open(ada.client);
    await until(isOnline);
    stream.close();
    await until(async () => !(await isOnline()));
    await operator.query('ROLLBACK');
    // And the other way round.
    await operator.query('BEGIN');
    await operator.query('SELECT FROM users FOR NO KEY UPDATE');
    expectAll([await post(busy)], 200);
    await operator.query('ROLLBACK');
  });

  it('a push that is being prepared delays nobody who reads', async () => {
    await start(LONG);
    const { id } = (await post(other)).data[0];
    await ask(
      database,
      `INSERT INTO push_subscriptions (id, user_id, session_id, endpoint_hash, secret_ciphertext, user_agent, lane,
         num_failures, not_before, created_at) SELECT id, user_id, id, '', '', '', 0, 0, 0, 0 FROM sessions;
       INSERT INTO pushes (id, subscription_id, user_id, topic, is_new, is_shown, reason, num_messages, lease_until,
         created_at) SELECT id, id, user_id, '', 0, 1, 'direct', 1, 0, 0 FROM sessions`,
    );
    await operator.query('SELECT FROM pushes FOR UPDATE');
    expectAll([await ada.client.put(`/v1/messages/${id}/read`)], 200);
    await operator.query('ROLLBACK');
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
    // Behaves like a frozen server: locks the row and sends nothing more.
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

  it('and what a frozen server is given while it is frozen, within five seconds together (claim: frozen-server)', async () => {
    const { DATABASE_IDLE_TIMEOUT: held, DATABASE_LOCK_TIMEOUT: waited } = readConfig({}, '');
    expect(held + waited).toBeLessThanOrEqual(5);
    await start({
      DATABASE_IDLE_TIMEOUT: '1',
      DATABASE_LOCK_TIMEOUT: '600',
      DATABASE_STATEMENT_TIMEOUT: '900',
    });
    const frozen = Promise.withResolvers<void>();
    const tries: [number, number] = [0, 0];
    const takeAndFreeze = (n: 0 | 1) =>
      server.running.db.write(async (tx) => {
        if (++tries[n] > 1) return;
        await tx.all(`SELECT id FROM teams WHERE id = '${busy}' FOR UPDATE`, []);
        await frozen.promise;
      });
    await operator.query(`SELECT FROM teams WHERE id = '${busy}' FOR UPDATE`);
    const silent = [takeAndFreeze(0), takeAndFreeze(1)];
    await waiters(2);
    const healthy = post(busy);
    await operator.query('ROLLBACK');
    expectAll([await healthy], 200);
    frozen.resolve();
    await Promise.all(silent);
    expect(tries).toEqual([2, 2]);
  });

  it('the index takes a message before its place in the queue, as an edit does, and leaves it to be referred to', async () => {
    await start(LONG);
    const id = (await post(busy, 'apple')).data[0].id;
    expect((await ada.client.get('/v1/messages?q=apple')).data).toHaveLength(1);
    // The worker skips a locked message, so it cannot empty the queue before the operator has its row.
    const guard = new pg.Client(database);
    await guard.connect();
    await guard.query('BEGIN');
    await guard.query(`SELECT FROM messages WHERE id = '${id}' FOR NO KEY UPDATE`);
    await ask(database, `INSERT INTO message_index_queue (message_id) VALUES ('${id}')`);
    await operator.query(`SELECT FROM message_index_queue WHERE message_id = '${id}' FOR UPDATE`);
    await guard.query('ROLLBACK');
    await guard.end();
    const search = ada.client.get('/v1/messages?q=apple');
    await waiters(1);
    const row = `SELECT id FROM messages WHERE id = '${id}'`;
    expect(await ask(database, `${row} FOR NO KEY UPDATE SKIP LOCKED`)).toEqual([]);
    expect(await ask(database, `${row} FOR KEY SHARE SKIP LOCKED`)).toEqual([{ id }]);
    await operator.query('ROLLBACK');
    expectAll([await search], 200);
  });

  it('the mails of several messages take people in one order', async () => {
    const mailbox = await new Mailbox().start();
    await start({ ...LONG, SMTP_URL: mailbox.url, MAIL_FROM: 'parley@example.org' });
    const members = [await signUp(server, 'Bob'), await signUp(server, 'Cyn'), await signUp(server, 'Dan')];
    for (const member of members) await join(ada, busy, member);
    await mailsSettle(server);
    const [first, ...others] = members.map(({ id }) => id).sort() as [string, string, string];
    for (const id of [first, ...others]) {
      await ask(
        database,
        `INSERT INTO mail_batches (user_id, due_at) VALUES ('${id}', ${FAR}) ON CONFLICT DO NOTHING`,
      );
    }
    await operator.query(`SELECT FROM mail_batches WHERE user_id = '${first}' FOR UPDATE`);
    const write = (id: string) => ada.client.post('/v1/messages', { text: 'hello', addressed_users: [id] });
    expectAll([await write(first)], 200);
    await waiters(1);
    // The worker is busy with that one, so another server finds all of these at once.
    for (const id of [...others, first]) expectAll([await write(id)], 200);
    const second = await startTestServer(server.environment);
    await waiters(2);
    const free = await ask(
      database,
      'SELECT user_id FROM mail_batches ORDER BY user_id FOR UPDATE SKIP LOCKED',
    );
    await operator.query('ROLLBACK');
    expect(free).toEqual(others.map((user_id) => ({ user_id })));
    await mailsSettle(server);
    await second.stop();
    await mailbox.stop();
  });
});

async function countWaiters(): Promise<number> {
  const sql = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'parley' AND wait_event_type = 'Lock'`;
  return (await ask<{ count: number }>(database, sql))[0]?.count ?? 0;
}

/** Looks until so many connections of the server wait for a lock. */
async function waiters(count: number): Promise<void> {
  await until(async () => (await countWaiters()) >= count);
}
