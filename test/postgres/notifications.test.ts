import pg from 'pg';
import { afterEach, expect, inject, it } from 'vitest';
import { ask } from '../support/cluster.ts';
import { EventStream } from '../support/event-stream.ts';
import { makeTeam, signUp } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const PLACES_LOCK = 7_241_994;

let server: TestServer;

afterEach(() => server.stop());

it('a process knows its own notifications from those of others: it has handed out the events of these already', async () => {
  const database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  server = await startTestServer({ DATABASE_URL: database });
  const { db } = server.running;
  const heard: [string, boolean][] = [];
  const stop = db.listen('a_test', (said, isOwn) => void heard.push([said, isOwn]));
  // The listener is connected when it hears nothing of nobody.
  await expect.poll(() => heard).toEqual([['', false]]);
  await db.write((tx) => tx.all("SELECT pg_notify('a_test', 'own')", []));
  await ask(database, "SELECT pg_notify('a_test', 'of others')");
  await expect
    .poll(() => heard.slice(1))
    .toEqual([
      ['own', true],
      ['of others', false],
    ]);
  stop();
});

it('a post gives its events their places in its own transaction, and waits for no other one that gives places', async () => {
  const database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  server = await startTestServer({ DATABASE_URL: database });
  const ada = await signUp(server, 'Ada');
  const team = await makeTeam(ada);
  const stream = await EventStream.open(ada.client);
  const post = async (text: string) => {
    const { status, data } = await ada.client.post('/v1/messages', { text, addressed_teams: [team] });
    expect(status).toBe(200);
    return data[0].id as string;
  };
  const heard = (id: string) => stream.until((events) => events.some(({ data }) => data.message?.id === id));
  const transactionsOf = async (id: string) => {
    const written = `SELECT xmin FROM messages WHERE id = '${id}'`;
    const told = `SELECT DISTINCT xmin FROM events WHERE data_json LIKE '%${id}%'`;
    const [one, other] = await Promise.all(
      [written, told].map((sql) => ask<{ xmin: string }>(database, sql)),
    );
    return { written: one, told: other };
  };
  const allPlaced = async () =>
    (await ask(database, 'SELECT FROM events WHERE place IS NULL LIMIT 1')).length === 0;

  await heard(await post('the first'));
  await until(allPlaced);
  const alone = await post('alone');
  await heard(alone);
  const { written, told } = await transactionsOf(alone);
  expect(told).toEqual(written);

  const other = new pg.Client(database);
  await other.connect();
  await other.query(`SELECT pg_advisory_lock(${PLACES_LOCK})`);
  const beside = [await post('beside'), await post('beside')];
  expect(await allPlaced()).toBe(false);
  await other.end();
  for (const id of beside) await heard(id);
  stream.close();
});
