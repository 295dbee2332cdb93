// Somebody has the address of an incoming webhook, from a configuration file. With it they try to post in the name of a
// person or of another program, to another team, to people, as an answer, or with a file; to read; to use it as a
// token; to flood the team; and to go on when the team is deleted.
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, alice, bob } = scene({
  people: ['Alice', 'Bob'],
  environment: {
    RATE_LIMIT: 'on',
    RATE_LIMIT_TOKEN: '40',
  },
});
let team: string;
let other: string;
let path: string;
let thief: Client;

beforeAll(async () => {
  team = await makeTeam(alice, [bob]);
  other = await makeTeam(alice, [bob]);
  path = await newAddress('Grafana');
  thief = server.anonymous();
});

async function newAddress(name: string, inTeam = team): Promise<string> {
  const { data } = await alice.client.post(`/v1/teams/${inTeam}/webhooks`, { name });
  return new URL(data[0].url).pathname;
}

const listOf = async (id: string) => (await alice.client.get(`/v1/messages?team=${id}`)).data;

it('posts in one name to one team, whatever the payload says (claim: webhook-address)', async () => {
  const [message] = (await alice.client.post('/v1/messages', { text: 'hi', addressed_teams: [team] })).data;
  const sent = await thief.post(path, {
    text: 'trust me',
    username: 'Alice Test',
    icon_url: 'https://example.org/alice.png',
    channel: '@bob',
    author: alice.id,
    author_id: alice.id,
    team: other,
    addressed_teams: [other],
    addressed_users: [bob.id],
    reply_to: message.id,
    root_id: message.id,
  });
  expect(sent.text).toBe('ok');
  expect(await listOf(other)).toEqual([]);
  const [posted] = await listOf(team);
  expect(posted).toMatchObject({
    // What is no field of a known product is shown as content, and does nothing.
    text: expect.stringContaining('trust me'),
    author_type: 'application',
    author: { first_name: 'Grafana' },
  });
  expect(posted).not.toHaveProperty('reply_to');
  expect((await bob.client.get('/v1/messages?tag=_direct')).data).toEqual([]);
});

it('opens nothing to read, and is no token', async () => {
  const secret = path.split('/').at(-1) as string;
  const token = server.anonymous().withToken(secret);
  expect((await token.get('/v1/users/me')).code).toBe(4012);
  expect((await token.get(`/v1/messages?team=${team}`)).code).toBe(4012);
  expect((await thief.get(path)).status).not.toBe(200);
});

it('a file cannot be attached by its id', async () => {
  const raw = new FormData();
  raw.set('file', new Blob(['secret']), 'a.txt');
  const file = (await alice.client.ask('POST', '/v1/attachments', { raw })).data[0].id;
  await thief.post(path, { text: 'look', attachments: { files: [file] } });
  expect((await listOf(team))[0]).toMatchObject({ text: 'look', attachments: [] });
});

it('ends with the team', async () => {
  const doomed = await makeTeam(alice);
  const address = await newAddress('Doomed', doomed);
  expect((await thief.post(address, { text: 'hi' })).text).toBe('ok');
  await alice.client.delete(`/v1/teams/${doomed}`);
  expect((await thief.post(address, { text: 'hi' })).code).toBe(4040);
});

it('cannot flood the team, and does not use up the pace of another webhook', async () => {
  const flooded = await newAddress('Flood');
  server.clock.toNextMinute();
  const codes = new Set<number>();
  for (let call = 0; call < 60; call++) {
    const { code, status } = await thief.post(flooded, { text: `call ${call}` });
    codes.add(code ?? status);
  }
  expect([...codes]).toEqual([200, 4290]);
  expect((await thief.post(await newAddress('Sentry'), { text: 'still heard' })).text).toBe('ok');
});
