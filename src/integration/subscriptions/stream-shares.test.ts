import { beforeEach, expect, it } from 'vitest';
import { allPlaced, Feed, pathOf, subscribe } from '../../../test/support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

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
