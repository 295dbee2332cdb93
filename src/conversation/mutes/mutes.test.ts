import { expect, it } from 'vitest';
import { EventStream } from '../../../test/support/event-stream.ts';
import { makeTeam, type Person } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const { server, ada, ben } = scene({
  people: ['Ada', 'Ben'],
  each: true,
  options: { workerIntervalMs: 20 },
});

const HOUR = 3600;
const now = () => server.clock.now() / 1000;
const settled = () =>
  until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
const at = (kind: string, id: string) => `/v1/users/me/mutes/${kind}/${id}`;
const mute = (kind: string, id: string, end: number | null) => ben.client.put(at(kind, id), { until: end });
const mutes = async () => (await ben.client.get('/v1/users/me/mutes')).data;
const counts = async () => {
  await settled();
  return (await ben.client.get('/v1/users/me/inbox/counts')).data[0];
};
const post = async (author: Person, text: string, fields: object): Promise<string> =>
  (await author.client.post('/v1/messages', { text, ...fields })).data[0].id;
const toBen = (text: string) => post(ada, text, { addressed_users: [ben.id] });
const conversation = async () => (await ben.client.get('/v1/users/me/conversations')).data[0].id;

it('a team is muted for an hour, on all devices, and heard again by itself (claim: mute-ends)', async () => {
  const team = await makeTeam(ada, [ben]);
  const membership = async () =>
    (await ben.client.get('/v1/users/me/teams')).data.find((one) => one.team.id === team);
  const stream = await EventStream.open(ben.client);
  const told = (times: number) =>
    stream.until((events) => events.filter(({ kind }) => kind === 'mute').length === times);
  const end = Math.floor(now()) + HOUR;
  expect((await mute('team', team, end)).data).toEqual([{ kind: 'team', id: team, until: end }]);
  await told(1);
  expect(await membership()).toMatchObject({ is_muted: 1 });
  expect(await mutes()).toEqual([{ kind: 'team', id: team, until: end }]);
  await post(ada, 'noise', { addressed_teams: [team] });
  expect(await counts()).toMatchObject({ teams: 0 });
  server.clock.advance(HOUR - 60);
  expect(await mutes()).toHaveLength(1);
  server.clock.advance(61);
  await told(2);
  expect(await membership()).toMatchObject({ is_muted: 0 });
  expect(await mutes()).toEqual([]);
  expect(await counts()).toMatchObject({ teams: 1 });
  stream.close();
});

it('a conversation is muted, and again for ever: an earlier end does not count any more', async () => {
  const team = await makeTeam(ada, [ben]);
  const root = await post(ben, 'who is in?', { addressed_teams: [team] });
  const answer = await ada.client.post(`/v1/messages/${root}/replies`, { text: 'I am' });
  expect(await counts()).toMatchObject({ total: 1 });
  const muted = async () => (await ben.client.get(`/v1/messages/${root}`)).data[0].muted;
  // A reply stands for what it answers.
  const { data } = await mute('message', answer.data[0].id, now() + HOUR);
  expect(data[0]).toMatchObject({ kind: 'message', id: root });
  expect([await muted(), await counts()]).toMatchObject([true, { total: 0 }]);
  await mute('message', root, null);
  expect(await mutes()).toEqual([]);
  server.clock.advance(HOUR + 1);
  expect(await muted()).toBe(true);
  await mute('message', root, now() + HOUR);
  // The routes that know no end undo one.
  await ben.client.put(`/v1/messages/${root}/mute`);
  expect(await mutes()).toEqual([]);
  await mute('message', root, now() + HOUR);
  server.clock.advance(HOUR + 1);
  await until(async () => !(await muted()));
  expect(await counts()).toMatchObject({ total: 1 });
});

it('all direct messages with the same people are muted at once, but for mentions', async () => {
  await makeTeam(ada, [ben]);
  const first = await toBen('one');
  expect(await counts()).toMatchObject({ total: 1, direct: 1 });
  const id = await conversation();
  await mute('conversation', id, null);
  expect(await mutes()).toEqual([{ kind: 'conversation', id, until: null }]);
  await toBen('two');
  await ada.client.post(`/v1/messages/${first}/replies`, { text: 'three' });
  expect(await counts()).toMatchObject({ total: 0, direct: 0 });
  const { username } = (await ben.client.get('/v1/users/me')).data[0];
  await toBen(`@${username}, please`);
  expect(await counts()).toMatchObject({ total: 1, mentions: 1 });
  await ben.client.put('/v1/users/me/read');
  expect((await ben.client.delete(at('conversation', id))).status).toBe(200);
  await toBen('four');
  expect([await mutes(), await counts()]).toMatchObject([[], { total: 1 }]);
  await mute('conversation', id, now() + HOUR);
  expect(await counts()).toMatchObject({ total: 0 });
  server.clock.advance(HOUR + 1);
  await until(async () => (await mutes()).length === 0);
  expect(await counts()).toMatchObject({ total: 1 });
});

it('an end that is over, a place that is none and one of others are refused', async () => {
  const team = await makeTeam(ada);
  for (const end of [now() - 1, 0, -1, 1e300]) {
    expect((await mute('team', team, end)).body.errors[0]).toMatchObject({ code: 4002, reason: 'until' });
  }
  expect((await ben.client.put(at('room', team), { until: null })).code).toBe(4002);
  for (const kind of ['team', 'message', 'conversation']) {
    for (const id of [team, 'x']) {
      expect((await mute(kind, id, null)).code).toBe(4040);
      expect((await ben.client.delete(at(kind, id))).code).toBe(4040);
    }
  }
});

it('who leaves a team and comes back does not find it muted, or unmuted by an old end', async () => {
  const team = await makeTeam(ada, [ben]);
  await mute('team', team, now() + HOUR);
  await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
  expect(await mutes()).toEqual([]);
});
