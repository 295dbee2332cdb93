import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { Feed, pathOf, pullAll, subscribe } from '../support/feed.ts';
import { type Cost, costOf, growth } from '../support/growth.ts';
import { install, makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

/** All webhooks are looked at once in many minutes: what is sent before that is found by its team. */
const { server, host, dev, ada } = scene({
  people: ['Dev', 'Ada'],
  options: { workerIntervalMs: 1_000_000 },
});
const TEAMS = 20_000;
const EVENTS = 10;
/** Nothing but noise: what grows with the teams takes four times as long. */
const SAME = 2;

interface Widespread {
  readonly client: Client;
  /** The subscription. */
  readonly path: string;
  readonly team: string;
}

/** An application in many teams. @returns one of them */
async function widespread(name: string, teams: number): Promise<Widespread> {
  const app = await register(dev, host, { scopes: ['messages:read'] });
  const team = await makeTeam(ada);
  await install(ada, team, app);
  const { db } = server.running;
  const id = `printf('%08x-0000-7000-8000-%012x', ${teams}, value)`;
  const numbers = `generate(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM generate WHERE value < ${teams})`;
  const copy = async (table: string, columns: string, given: string, where: string) =>
    runSql(
      db,
      `WITH RECURSIVE ${numbers} INSERT INTO ${table} (id, ${columns}) SELECT ${id}, ${given} FROM ${table}, generate WHERE ${where}`,
    );
  const look = 'name, color, icon, num_members, active, message_seq, created_at, updated_at';
  await copy('teams', look, look, `teams.id = '${team}'`);
  const terms = 'application_id, status, scopes_json, installed_by, created_at, updated_at, pending_until';
  await copy(
    'installations',
    `team_id, ${terms}`,
    `${id}, ${terms}`,
    `team_id = '${team}' AND application_id = '${app.id}'`,
  );
  const { id: subscription } = await subscribe(app, { webhook: { url: `${host.url}/${name}` } });
  return { client: app.credentials, path: pathOf(app, subscription), team };
}

const applications = new Map<number, Widespread>();

beforeAll(async () => {
  applications.set(1 / 4, await widespread('quarter', TEAMS / 4));
  applications.set(1, await widespread('whole', TEAMS));
});

const at = (share: number) => applications.get(share) as Widespread;
const post = (share: number) =>
  ada.client.post('/v1/messages', { text: 'hello', addressed_teams: [at(share).team] });

it('a call to a webhook takes no longer where its application is in more teams', async () => {
  const { times } = await growth(async (share) => {
    const before = host.received.length;
    for (let call = 1; call <= EVENTS; call++) {
      await post(share);
      await expect.poll(() => host.received.length, { interval: 1 }).toBe(before + call);
    }
  }, SAME);
  expect(times).toBeLessThan(SAME);
});

it('a page of events does not either', async () => {
  const cursors = new Map<number, string>();
  const read = async (share: number) => {
    const { client, path } = at(share);
    const { body } = await client.get(`${path}/events?limit=200&after=${cursors.get(share)}`);
    cursors.set(share, body.meta.next_cursor as string);
  };
  for (const share of [1 / 4, 1]) {
    const { client, path } = at(share);
    cursors.set(share, (await pullAll(client, path, 'limit=200')).cursor);
  }
  const { times } = await growth(async (share) => {
    for (let page = 0; page < EVENTS; page++) {
      await post(share);
      await read(share);
      await read(share);
    }
  }, SAME);
  expect(times).toBeLessThan(SAME);
});

/** The least of some tries with an open stream: open beside each other, each would wake the other one. */
async function costOfStream(share: number): Promise<Cost> {
  const { client, path, team } = at(share);
  const feed = await Feed.open(client, path, { consumer: 'copies' });
  const hear = async () => {
    const before = feed.events.length;
    for (let event = 1; event <= EVENTS; event++) {
      await ada.client.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
      await feed.until(({ length }) => length >= before + event);
      const events = [feed.events.at(-1)?.id];
      const done = await client.post(`${path}/consumers/copies/acknowledgements`, { events });
      expect(done.status).toBe(200);
    }
  };
  await hear();
  const costs: Cost[] = [];
  for (let attempt = 0; attempt < 5; attempt++) costs.push(await costOf(hear));
  feed.close();
  return {
    cpu: Math.min(...costs.map(({ cpu }) => cpu)),
    piece: Math.min(...costs.map(({ piece }) => piece)),
  };
}

it('an event of a stream, and its acknowledgement, do not either', async () => {
  const [quarter, whole] = [await costOfStream(1 / 4), await costOfStream(1)];
  expect(whole.cpu / quarter.cpu).toBeLessThan(SAME);
  expect(whole.piece / quarter.piece).toBeLessThan(SAME);
});
