// The operator keeps applications to the team of their grant (`APPLICATION_POSTING=team`). With a token for one team the
// owner of an application tries to learn who is in the other teams of its user, how much is unread there, and to post
// there or to people who are not in its own team. Teams and people outside of it are unknown to the token.
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { authorize, install, makeTeam, type Person, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

const { server, host, mallory, bob, carol } = scene({
  people: ['Mallory', 'Bob', 'Carol'],
  environment: {
    APPLICATION_POSTING: 'team',
    PROFILE_VISIBILITY: 'connections',
  },
});
let own: string;
let other: string;
let token: Client;

beforeAll(async () => {
  own = await makeTeam(mallory, [bob]);
  other = await makeTeam(carol, [bob]);
  const application = await register(mallory, host);
  await install(mallory, own, application);
  token = server.anonymous().withToken((await authorize(bob, own, application)).access_token);
  await carol.client.post('/v1/messages', { text: 'one', addressed_teams: [other] });
  await carol.client.post('/v1/messages', { text: 'two', addressed_users: [bob.id] });
  await mallory.client.post('/v1/messages', { text: 'three', addressed_teams: [own] });
});

it('teams, members and connections are those of its team (claim: posting-narrowed-to-team)', async () => {
  expect((await token.get('/v1/users/me/teams')).data.map(({ team }) => team.id)).toEqual([own]);
  expect((await token.get(`/v1/users/me/teams?users=${carol.id}`)).data).toEqual([]);
  expect((await token.get(`/v1/users/me/teams?users=${mallory.id}`)).data).toEqual([own]);
  expect((await token.get(`/v1/teams/${other}/users`)).code).toBe(4040);
  expect((await token.get(`/v1/teams/${own}/users`)).data).toHaveLength(2);
  const { data, body } = await token.get('/v1/users/me/connections');
  expect([data.map(({ id }) => id), body.meta.num_connections]).toEqual([[mallory.id], 1]);
  expect((await token.get('/v1/users/me/connections?query=carol')).data).toEqual([]);
  expect((await token.get(`/v1/users/me/connections?users=${carol.id}`)).data).toEqual([]);
  expect((await bob.client.get('/v1/users/me/connections')).data).toHaveLength(2);
});

it('profiles are those of its team where a profile is for connections only', async () => {
  const seen = async (client: Client, { id }: Person) => (await client.get(`/v1/users/${id}`)).code;
  expect(await seen(token, mallory)).toBeUndefined();
  expect(await seen(token, bob)).toBeUndefined();
  expect(await seen(token, carol)).toBe(4001);
  expect(await seen(bob.client, carol)).toBeUndefined();
});

it('unread counts are those of its team', async () => {
  const [{ unread_counts: seen }] = (await token.get('/v1/users/me')).data;
  expect(seen).toEqual({
    teams: { [own]: 1 },
    user: { total: 1, direct: 0 },
    tags: { _sent: 0, _other: 1, _inbox: 1, _direct: 0, _unread: 1 },
  });
  const [{ unread_counts: all }] = (await bob.client.get('/v1/users/me')).data;
  expect([all.user.total, all.teams]).toEqual([3, { [own]: 1, [other]: 1 }]);
});

it('it posts to its team and to the people there, and to nobody else (claim: posting-narrowed-to-team)', async () => {
  const post = async (to: object) => (await token.post('/v1/messages', { text: 'hello', ...to })).code;
  expect(await post({ addressed_teams: [own] })).toBeUndefined();
  expect(await post({ addressed_users: [mallory.id] })).toBeUndefined();
  expect(await post({ addressed_teams: [other] })).toBe(4008);
  expect(await post({ addressed_users: [carol.id] })).toBe(4008);
  expect(await post({ addressed_users: { emails: [carol.email] } })).toBe(4008);
});

it('it has nothing any more that it had scheduled for another team (claim: scheduled-narrowed)', async () => {
  const path = '/v1/users/me/scheduled_messages';
  const send_at = {
    local: new Date(server.clock.now() + 3_600_000).toISOString().slice(0, 16),
    zone: 'Etc/UTC',
  };
  const schedule = (addressed_teams: string[]) =>
    token.post(path, { send_at, message: { text: 'later', addressed_teams } });
  expect((await schedule([other])).code).toBe(4008);
  const [{ id }] = (await schedule([own])).data;
  expect((await token.get(path)).data.map((row) => row.id)).toEqual([id]);
  // As if the operator had kept applications to their teams later.
  const move = `UPDATE scheduled SET place = 'team ${other}', to_read = 'messages:read ${other}' WHERE id = '${id}'`;
  await runSql(server.running.db, move);
  expect((await token.get(path)).data).toEqual([]);
  expect((await token.patch(`${path}/${id}`, { send_at })).code).toBe(4040);
  expect((await token.delete(`${path}/${id}`)).code).toBe(4040);
  expect((await bob.client.delete(`${path}/${id}`)).status).toBe(200);
});
