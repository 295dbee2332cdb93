// Bob writes to an application in confidence. A member, the team's admin, who administers the server, too, and another
// application of the team with every scope that it can have want to read along, or to write in its name. The application
// itself wants more than what is written to it: other direct messages, people outside of its team, and people who have
// blocked it.
import { expect, it } from 'vitest';
import { install, join, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, ada, bob, eve, mallory, stranger } = scene({
  people: ['Ada', 'Bob', 'Eve', 'Mallory', 'Stranger'],
});

const EVERYTHING = [
  'messages:read',
  'messages:write',
  'direct:app',
  'files:read',
  'files:write',
  'members:read',
];

async function installed(team: string, name: string): Promise<RegisteredApplication> {
  const application = await register(mallory, host, { name, scopes: EVERYTHING });
  await install(ada, team, application);
  return application;
}

async function itselfIn(team: string, { credentials }: RegisteredApplication) {
  const form = { grant_type: 'client_credentials', team };
  const { body } = await credentials.ask('POST', '/v1/oauth2/token', { form });
  return server.anonymous().withToken(body.access_token);
}

it('nobody but a person and the application finds what they wrote, or writes there', async () => {
  const team = await makeTeam(ada, [bob, eve]);
  const [helper, other] = [await installed(team, 'Helper'), await installed(team, 'Other')];
  const to = { addressed_application: helper.id, team };
  const [said] = (await bob.client.post('/v1/messages', { text: 'In confidence', ...to })).data;
  const of = `application=${helper.id}&team=${team}`;
  const { id } = (await bob.client.get(`/v1/users/me/conversations?${of}`)).data[0];
  const stolen = await itselfIn(team, other);
  for (const client of [ada.client, eve.client, mallory.client]) {
    expect((await client.get(`/v1/messages?${of}`)).data).toEqual([]);
    expect((await client.get(`/v1/messages?${of}&q=confidence`)).data).toEqual([]);
    expect((await client.get(`/v1/users/me/conversations?${of}`)).data).toEqual([]);
    expect((await client.get(`/v1/users/me/conversations/${id}/files`)).code).toBe(4040);
    expect((await client.get(`/v1/messages?${of}&around=${said.id}`)).code).toBe(4040);
    const read = { application: helper.id, team, up_to: said.id };
    expect((await client.put('/v1/users/me/conversations/read', read)).code).toBe(4002);
    expect((await client.get(`/v1/quotes?messages=${said.id}`)).data).toEqual([null]);
  }
  for (const client of [ada.client, eve.client, mallory.client, stolen]) {
    for (const path of ['', '/replies', '/versions'])
      expect((await client.get(`/v1/messages/${said.id}${path}`)).status).not.toBe(200);
    expect((await client.post(`/v1/messages/${said.id}/replies`, { text: 'x' })).code).toBe(4040);
    expect((await client.patch(`/v1/messages/${said.id}`, { text: 'x' })).code).toBe(4040);
    expect((await client.delete(`/v1/messages/${said.id}`)).code).toBe(4040);
  }
  expect((await stolen.get(`/v1/messages?with=${bob.id}`)).data).toEqual([]);
  expect((await stolen.get(`/v1/messages?with=${bob.id}&around=${said.id}`)).code).toBe(4040);
  expect((await stolen.get(`/v1/quotes?messages=${said.id}`)).data).toEqual([null]);
  // In the name of the application, or of a person.
  const [author] = said.addressed_users;
  const forged = await eve.client.post('/v1/messages', { text: 'x', addressed_users: [author] });
  expect(forged.code).toBe(4008);
  expect((await stolen.post('/v1/messages', { text: 'x', ...to })).code).toBe(4031);
});

it('an application reaches no other direct messages, no strangers, and nobody who has left', async () => {
  const team = await makeTeam(ada, [bob, eve]);
  const away = await makeTeam(stranger, [eve]);
  const itself = await itselfIn(team, await installed(team, 'Helper'));
  const [note] = (await bob.client.post('/v1/messages', { text: 'To Eve', addressed_users: [eve.id] })).data;
  expect((await itself.get(`/v1/messages/${note.id}`)).code).toBe(4040);
  expect((await itself.get(`/v1/messages?with=${bob.id}`)).data).toEqual([]);
  for (const people of [`${bob.id},${eve.id}`, '', 'everybody'])
    expect((await itself.get(`/v1/messages?with=${encodeURIComponent(people)}`)).code).toBe(4002);
  const say = (to: string) => itself.post('/v1/messages', { text: 'Hello', addressed_users: [to] });
  expect((await say(stranger.id)).code).toBe(4008);
  expect((await itself.get(`/v1/messages?with=${eve.id}&team=${away}`)).code).toBe(4040);
  const [mine] = (await say(eve.id)).data;
  await ada.client.delete(`/v1/teams/${team}/users/${eve.id}`);
  expect((await say(eve.id)).code).toBe(4008);
  expect((await itself.post(`/v1/messages/${mine.id}/replies`, { text: 'Come back' })).code).toBe(4008);
  expect((await itself.patch(`/v1/messages/${mine.id}`, { text: 'Come back' })).code).toBe(4008);
  await join(ada, team, mallory);
  expect((await say(mallory.id)).status).toBe(200);
});
