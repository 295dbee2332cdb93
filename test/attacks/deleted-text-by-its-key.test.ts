// A person deletes or edits a message, and then repeats the request that posted it, with the same Idempotency-Key: the
// first answer held the text. An application does the same with what it posted outside of its reach, to see what became
// of it. The repeated answer shows the message as it is now, and nothing that was removed; to a token that does not reach
// the message it shows what the application sent itself.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { ApplicationHost, authorize, install, makeTeam, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, ada, bob } = scene({ people: ['Ada', 'Bob'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
});

/** Posts, and gives a function that repeats the very request. */
async function post(path: string, json: object, client = ada.client) {
  const key = { 'Idempotency-Key': randomUUID() };
  const again = () => client.post(path, json, key);
  const { data } = await again();
  return { id: data[0].id as string, again };
}

it('a deleted message comes back without its text (claim: deleted-is-gone)', async () => {
  const conversation = await post('/v1/messages', { text: 'the root', addressed_users: [bob.id] });
  const places = [
    await post('/v1/messages', { text: 'secret', addressed_teams: [team] }),
    await post('/v1/messages', { text: 'secret', addressed_users: [bob.id] }),
    await post(`/v1/messages/${conversation.id}/replies`, { text: 'secret' }),
  ];
  const sidebar = await post(`/v1/messages/${conversation.id}/sidebars`, { text: 'beside', users: [bob.id] });
  places.push(await post(`/v1/sidebars/${sidebar.id}/messages`, { text: 'secret' }));
  for (const { id, again } of places) {
    expect((await again()).data).toMatchObject([{ id, text: 'secret' }]);
    await ada.client.delete(`/v1/messages/${id}`);
    const repeated = await again();
    expect([repeated.status, repeated.data[0].id, repeated.data[0].text]).toEqual([200, id, '']);
    expect(repeated.data[0].events).toMatchObject([{ type: 'deleted' }]);
    expect(repeated.text).not.toContain('secret');
  }
});

it('an edited message comes back with its present text', async () => {
  const { id, again } = await post('/v1/messages', { text: 'secret', addressed_teams: [team] });
  await ada.client.patch(`/v1/messages/${id}`, { text: 'harmless' });
  const repeated = await again();
  expect(repeated.data[0].text).toBe('harmless');
  expect(repeated.text).not.toContain('secret');
});

it('a token without reach learns nothing of what became of its message', async () => {
  const host = await new ApplicationHost().start();
  const other = await makeTeam(bob, [ada]);
  const application = await register(ada, host, { scopes: ['messages:read'] });
  await install(ada, team, application);
  const token = server.anonymous().withToken((await authorize(ada, team, application)).access_token);
  const { id, again } = await post('/v1/messages', { text: 'sent', addressed_teams: [other] }, token);
  await ada.client.patch(`/v1/messages/${id}`, { text: 'a secret correction' });
  await bob.client.post(`/v1/messages/${id}/replies`, { text: 'a secret reply' });
  await bob.client.put(`/v1/messages/${id}/high_five`);
  const [repeated] = (await again()).data;
  expect(repeated).toMatchObject({ id, text: 'sent', events: [], num_replies: 0, num_high_fives: 0 });
  await ada.client.delete(`/v1/messages/${id}`);
  expect((await again()).data[0]).toMatchObject({ id, text: '' });
  await host.stop();
});

it('a key that was used with the token of one team is another one with the token of another', async () => {
  const host = await new ApplicationHost().start();
  const other = await makeTeam(ada, [bob]);
  const application = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
  const key = { 'Idempotency-Key': 'the same' };
  const json = { text: 'hello', addressed_teams: [team] };
  const ids: string[] = [];
  for (const from of [team, other]) {
    await install(ada, from, application);
    const token = server.anonymous().withToken((await authorize(ada, from, application)).access_token);
    ids.push((await token.post('/v1/messages', json, key)).data[0].id);
  }
  expect(new Set(ids).size).toBe(2);
  await host.stop();
});
