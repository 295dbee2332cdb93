// The owner of an application has it installed in one team, with every scope there is. With the token that the
// application gets for itself, without any person, the owner tries to be a person: to read profiles, lists, direct
// messages and sidebars, to write to other teams and to people, to address its own author, to sign in as it, and to
// change what others wrote. The token opens the team's messages one by one, and nothing else.
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { type Conversation, converse } from '../support/reach.ts';
import { scene } from '../support/scene.ts';

const { server, host, mallory, bob, carol } = scene({ people: ['Mallory', 'Bob', 'Carol'] });
let own: string;
let other: string;
let application: RegisteredApplication;
let token: Client;
let here: Conversation;
let there: Conversation;

beforeAll(async () => {
  own = await makeTeam(mallory, [bob]);
  other = await makeTeam(carol, [bob]);
  application = await register(mallory, host, {
    scopes: ['messages:read', 'messages:write', 'direct:read', 'direct:write'],
  });
  await install(mallory, own, application);
  token = server.anonymous().withToken((await tokenOf(own)).body.access_token);
  here = await converse(mallory, bob, { addressed_teams: [own] });
  there = await converse(carol, bob, { addressed_teams: [other] });
});

const tokenOf = (team: string) =>
  application.credentials.ask('POST', '/v1/oauth2/token', {
    form: { grant_type: 'client_credentials', team },
  });

it('acts for no person (claim: own-token-is-no-person)', async () => {
  for (const path of [
    '/v1/users/me',
    '/v1/users/me/connections',
    '/v1/users/me/teams',
    '/v1/users/me/inbox',
    `/v1/users/${bob.id}`,
    `/v1/teams/${own}`,
    `/v1/teams/${own}/users`,
    '/v1/messages',
    `/v1/messages?team=${own}&q=secret`,
    `/v1/sidebars/${here.sidebar}/messages`,
    `/v1/attachments/${here.file}`,
    '/v1/events',
    '/v1/admin/users',
  ]) {
    const answer = await token.get(path);
    expect([path, answer.code]).toEqual([path, 4031]);
  }
});

it('finds the messages of its team alone', async () => {
  expect((await token.get(`/v1/messages/${here.root}`)).data[0].text).toBe('secret root');
  for (const id of [here.aside, there.root, there.reply, there.aside])
    for (const answer of [
      await token.get(`/v1/messages/${id}`),
      await token.get(`/v1/messages/${id}/replies`),
      await token.post(`/v1/messages/${id}/replies`, { text: 'in' }),
      await token.patch(`/v1/messages/${id}`, { text: 'changed' }),
      await token.delete(`/v1/messages/${id}`),
    ])
      expect(answer.code).toBe(4040);
  expect((await token.get(`/v1/messages/${here.root}`)).data[0].sidebars).toEqual([]);
});

it('reaches what it wrote itself in another team by the token of that team alone', async () => {
  const second = await makeTeam(mallory, [bob]);
  await install(mallory, second, application);
  const elsewhere = server.anonymous().withToken((await tokenOf(second)).body.access_token);
  const [posted] = (await elsewhere.post('/v1/messages', { text: 'there', addressed_teams: [second] })).data;
  for (const answer of [
    await token.get(`/v1/messages/${posted.id}`),
    await token.post(`/v1/messages/${posted.id}/replies`, { text: 'in' }),
    await token.patch(`/v1/messages/${posted.id}`, { text: 'changed' }),
    await token.delete(`/v1/messages/${posted.id}`),
  ])
    expect(answer.code).toBe(4040);
  expect((await elsewhere.get(`/v1/messages/${posted.id}`)).data[0].text).toBe('there');
});

it('writes to no other team and to no person', async () => {
  expect((await tokenOf(other)).body.error).toBe('invalid_target');
  const write = async (to: object) => (await token.post('/v1/messages', { text: 'psst', ...to })).code;
  expect(await write({ addressed_teams: [other] })).toBe(4008);
  // Without `direct:app` it writes to no person at all.
  expect(await write({ addressed_users: [bob.id] })).toBe(4031);
  expect(await write({ addressed_users: { ids: [], emails: [bob.email] } })).toBe(4031);
});

it('its author cannot be addressed, joined to a team or signed in', async () => {
  const posted = await token.post('/v1/messages', { text: 'here I am', addressed_teams: [own] });
  const { id } = posted.data[0].author;
  expect((await mallory.client.post('/v1/messages', { text: 'hi', addressed_users: [id] })).code).toBe(4008);
  const aside = await mallory.client.post(`/v1/messages/${posted.data[0].id}/sidebars`, {
    users: [id],
    text: 'between us',
  });
  expect(aside.status).toBe(400);
  for (const email of ['', `application:${id}`])
    expect((await server.anonymous().post('/v1/sessions', { email, password: '' })).status).not.toBe(200);
  const made = await mallory.client.put(`/v1/admin/teams/${own}/admins/${id}`);
  expect(made.status).not.toBe(200);
  expect((await mallory.client.patch(`/v1/admin/users/${id}`, { active: true })).code).toBe(4040);
});
