import { rmSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { ask, type Cluster, startCluster } from '../support/cluster.ts';
import { newFolder } from '../support/folder.ts';
import { makeTeam, type Person } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, main, type Program, startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';

const MESSAGES = '/v1/users/me/scheduled_messages';
const REMINDERS = '/v1/users/me/reminders';
const KILLS = 4;
const COUNT = 24;

const MINUTE_MS = 60_000;
/** Makes the clock of a process differ from that of the machine by `CLOCK_SHIFT` milliseconds. */
const SHIFTED =
  'data:text/javascript,const now = Date.now; Date.now = () => now() + Number(process.env.CLOCK_SHIFT)';

const inMinutes = (minutes: number) => ({
  local: new Date(Date.now() + minutes * MINUTE_MS).toISOString().slice(0, 16),
  zone: 'Etc/UTC',
});

/** Lets those of the next half hour be due at once, whose time is that of the database. */
const makeDue = (url: string) =>
  ask(
    url,
    `UPDATE scheduled SET send_at = now.ms, due_at = now.ms
     FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) AS now
     WHERE send_at < now.ms + ${30 * MINUTE_MS}`,
  );

async function scheduleAll(client: Client, teams: readonly string[], count = COUNT): Promise<string[]> {
  const asked = Array.from({ length: count }, (_, at) =>
    client.post(MESSAGES, {
      send_at: inMinutes(10),
      message: { text: `plan ${at}`, addressed_teams: [teams[at % teams.length]] },
    }),
  );
  return (await Promise.all(asked)).map(({ data }) => data[0].id);
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly message_id: string | null;
}
const listed = async (client: Client, path = MESSAGES): Promise<Row[]> =>
  (await client.get(`${path}?limit=200`)).data as unknown as Row[];
const isSettled = async (client: Client) =>
  (await listed(client)).every(({ status }) => status !== 'pending');
const textsIn = async (client: Client, teams: readonly string[]): Promise<string[]> =>
  (
    await Promise.all(
      teams.map(async (team) => (await client.get(`/v1/messages?team=${team}&limit=200`)).data),
    )
  )
    .flat()
    .map(({ text }) => text)
    .sort();
const PLANS = (count = COUNT) => Array.from({ length: count }, (_, at) => `plan ${at}`).sort();

describe('one server', () => {
  const folder = newFolder();
  let platform: Program | undefined;

  afterAll(async () => {
    await platform?.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('killed again and again while messages are due, each is sent once (claim: scheduled-kills)', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const database =
      process.env.TEST_DATABASE === 'postgres'
        ? await createDatabase(inject('postgresUrl'), inject('postgresTemplate'))
        : undefined;
    const environment = {
      ...{ PORT: String(port), BASE_URL: url, DATA_DIR: folder, HOST: '127.0.0.1', RATE_LIMIT: 'off' },
      ...(database !== undefined && { DATABASE_URL: database }),
    };
    const start = (minutes: number) =>
      startProgram(
        ['--import', SHIFTED, main, 'start'],
        { ...environment, CLOCK_SHIFT: String(minutes * MINUTE_MS) },
        /ready at (\S+)/,
      );
    platform = await start(0);
    const client = new Client(url);
    const fields = { email: 'ada@example.org', password: 'a password of length', first_name: 'Ada' };
    const { data } = await client.post('/v1/users', { ...fields, last_name: '' });
    const ada: Person = { id: data[0].id, email: fields.email, client };
    const teams = [await makeTeam(ada), await makeTeam(ada)];
    const ids = await scheduleAll(client, teams);
    await platform.end('SIGKILL');
    if (database !== undefined) await makeDue(database);
    platform = await start(11);
    for (let kill = 0; kill < KILLS; kill++) {
      // Each time a few more have been sent.
      await until(async () => {
        const sent = (await listed(client)).filter(({ status }) => status === 'sent').length;
        return sent >= Math.min(ids.length, 1 + 5 * kill);
      });
      await platform.end('SIGKILL');
      platform = await start(11);
    }
    await until(() => isSettled(client));
    const rows = await listed(client);
    expect(rows.map(({ status }) => status)).toEqual(ids.map(() => 'sent'));
    expect(new Set(rows.map(({ message_id }) => message_id)).size).toBe(ids.length);
    expect(await textsIn(client, teams)).toEqual(PLANS());
  });
});

/** Several servers share a database on PostgreSQL alone. */
describe.runIf(process.env.TEST_DATABASE === 'postgres')('three servers', () => {
  let cluster: Cluster | undefined;
  let shifted: Program | undefined;

  afterEach(async () => {
    await shifted?.end('SIGKILL');
    shifted = undefined;
    await cluster?.stop();
    cluster = undefined;
  });

  it('send each message and reminder once, also when some are killed (claim: scheduled-nodes)', async () => {
    const url = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    cluster = await startCluster(3, url);
    const client = cluster.at(0);
    const teams = [cluster.team, await makeTeam(cluster.person), await makeTeam(cluster.person)];
    const ids = await scheduleAll(client, teams, 60);
    const reminders = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        client.post(REMINDERS, { at: inMinutes(10), text: `note ${at}` }),
      ),
    );
    expect(reminders.every(({ status }) => status === 200)).toBe(true);
    const sent = async () => (await listed(client)).filter(({ status }) => status === 'sent').length;
    await makeDue(url);
    await until(async () => (await sent()) > 0);
    await cluster.replace(1, 'SIGKILL');
    await cluster.replace(2, 'SIGKILL');
    await until(() => isSettled(client));
    await until(async () => (await listed(client, REMINDERS)).every(({ status }) => status === 'sent'));
    expect(await sent()).toBe(ids.length);
    expect(await textsIn(client, teams)).toEqual(PLANS(60));
    const notes = (await client.get(`/v1/messages?with=${cluster.person.id}&limit=200`)).data;
    expect(notes.map(({ text }) => text).sort()).toEqual(
      Array.from({ length: 20 }, (_, at) => `Reminder: note ${at}`).sort(),
    );
  });

  it('one of them with a clock that is hours ahead sends nothing early, and nothing twice', async () => {
    const url = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    cluster = await startCluster(2, url);
    const client = cluster.at(0);
    const message = { text: 'in an hour', addressed_teams: [cluster.team] };
    await client.post(MESSAGES, { send_at: inMinutes(60), message });
    shifted = await startProgram(
      ['--import', SHIFTED, main, 'start'],
      { ...cluster.environment, CLOCK_SHIFT: String(120 * MINUTE_MS), PORT: String(await freePort()) },
      /ready at (\S+)/,
    );
    const ids = await scheduleAll(client, [cluster.team]);
    await makeDue(url);
    await until(
      async () => (await listed(client)).filter(({ status }) => status === 'sent').length === ids.length,
    );
    expect((await listed(client)).filter(({ status }) => status === 'pending')).toHaveLength(1);
    expect(await textsIn(client, [cluster.team])).toEqual(PLANS());
  });
});
