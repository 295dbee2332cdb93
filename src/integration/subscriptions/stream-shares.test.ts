import { beforeEach, expect, it } from 'vitest';
import { allPlaced, Feed, pathOf, subscribe } from '../../../test/support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { RENEW_MS } from '../../platform/jobs/index.ts';
import { MOST_UNACKNOWLEDGED } from './feed.ts';

/** A stream looks at all of its teams once, when it begins. */
const { server, host, dev, ada } = scene({
  people: ['Dev', 'Ada'],
  options: { workerIntervalMs: 1_000_000 },
});
let app: RegisteredApplication;
let path: string;
let left: string;
let kept: string;

beforeEach(async () => {
  app = await register(dev, host, { scopes: ['messages:read'] });
  [left, kept] = [await makeTeam(ada), await makeTeam(ada)];
  for (const team of [left, kept]) await install(ada, team, app);
  await allPlaced(server);
  path = pathOf(app, (await subscribe(app)).id);
});

const post = (text: string, team: string) =>
  ada.client.post('/v1/messages', { text, addressed_teams: [team] });

it.each([
  ['removed its application', () => ada.client.delete(`/v1/teams/${left}/applications/${app.id}`)],
  ['is none of the subscription’s', () => app.credentials.patch(path, { teams: [kept] })],
])('a stream hears nothing more of a team that %s', async (_what, end) => {
  const feed = await Feed.open(app.credentials, path);
  await post('heard', left);
  await feed.until(({ length }) => length === 1);
  expect((await end()).status).toBe(200);
  await post('a secret', left);
  await post('heard, too', kept);
  await feed.until(({ length }) => length === 2);
  expect(feed.events.map(({ data }) => data.message.text)).toEqual(['heard', 'heard, too']);
  feed.close();
});

/** Everything that a stream was sent of a team. */
const acknowledge = async (feed: Feed, team: string) => {
  const events = [feed.events.findLast(({ data }) => data.team === team)?.id];
  const done = await app.credentials.post(`${path}/consumers/default/acknowledgements`, { events });
  expect(done.status).toBe(200);
};

it('a stream goes on with a team as soon as there is room for more', async () => {
  const feed = await Feed.open(app.credentials, path);
  for (let one = 0; one < MOST_UNACKNOWLEDGED + 3; one++) await post(`${one}`, left);
  await feed.until(({ length }) => length === MOST_UNACKNOWLEDGED);
  await post('of another team', kept);
  await feed.until(({ length }) => length > MOST_UNACKNOWLEDGED);
  expect(feed.events.at(-1)?.data.message.text).toBe('of another team');
  await acknowledge(feed, left);
  await feed.until(({ length }) => length === MOST_UNACKNOWLEDGED + 4);
  expect(feed.events.at(-1)?.data.message.text).toBe(`${MOST_UNACKNOWLEDGED + 2}`);
  feed.close();
});

it('a team goes to another stream as soon as all that it was sent is acknowledged', async () => {
  const one = await Feed.open(app.credentials, path);
  for (const team of [left, kept]) await post('first', team);
  await one.until(({ length }) => length === 2);
  const other = await Feed.open(app.credentials, path);
  // The first stream renews its lease, and sees that there are two.
  server.clock.advance(RENEW_MS / 1000);
  for (const team of [left, kept]) await post('second', team);
  await one.until(({ length }) => length === 3);
  for (const team of [left, kept]) await acknowledge(one, team);
  for (const team of [left, kept]) await post('third', team);
  await one.until((events) => events.some(({ data }) => data.message.text === 'third'));
  await other.until((events) => events.some(({ data }) => data.message.text === 'third'));
  for (const feed of [one, other]) feed.close();
});
