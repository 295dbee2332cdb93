// The owner of an application is an admin of one team and installs it there with every scope about messages. A member
// opens it, who is in other teams too. With the token the owner tries to read, change and delete what was said in those
// other teams, by ids, lists, searches, cursors, replies, sidebars, files and repeated requests.
// Scopes about messages hold for the team of the grant: all else does not exist for the token.
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { authorize, install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { type Conversation, converse, expectUnknown, listEverything, uploadText } from '../support/reach.ts';
import { scene } from '../support/scene.ts';

const SCOPES = ['messages:read', 'messages:write', 'direct:read', 'direct:write'];

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
  application = await register(mallory, host, { scopes: SCOPES });
  await install(mallory, own, application);
  token = await tokenFor(own, application);
  here = await converse(mallory, bob, { addressed_teams: [own] });
  there = await converse(carol, bob, { addressed_teams: [other] });
});

const tokenFor = async (team: string, app: RegisteredApplication) =>
  server.anonymous().withToken((await authorize(bob, team, app)).access_token);

it('nothing of another team exists by its id (claim: token-reaches-its-team)', async () => {
  await expectUnknown(token, there);
  expect((await bob.client.get(`/v1/messages/${there.root}`)).data[0].text).toBe('secret root');
});

it('its own team is open', async () => {
  expect((await token.get(`/v1/messages/${here.root}`)).data[0].text).toBe('secret root');
  expect((await token.get(`/v1/attachments/${here.file}`)).text).toBe('a file with a secret');
  expect((await token.get(`/v1/sidebars/${here.sidebar}/messages`)).data).toHaveLength(1);
});

it('no list and no search has what is not of its team', async () => {
  expect(await listEverything(token)).toEqual(new Set([here.root, here.reply, here.aside]));
  expect(await listEverything(token, own)).toEqual(new Set([here.root, here.reply, here.aside]));
  expect((await token.get(`/v1/messages?team=${other}`)).code).toBe(4040);
  expect((await token.get(`/v1/messages?team=${other}&q=secret`)).code).toBe(4040);
});

it('a cursor that the user got opens nothing', async () => {
  for (const query of ['order=oldest', `order=oldest&team=${other}`, 'q=secret']) {
    const page = await bob.client.get(`/v1/messages?${query}&limit=1`);
    const cursor = page.body.meta.next_cursor ?? page.body.meta.previous_cursor;
    if (!cursor) continue;
    const answer = await token.get(`/v1/messages?limit=200&cursor=${cursor}`);
    expect(answer.text).not.toContain(there.root);
  }
});

it('a file of the user cannot be brought into its team', async () => {
  const kept = await uploadText(bob, 'not yet posted');
  for (const file of [kept, there.file]) {
    const posted = await token.post('/v1/messages', {
      addressed_teams: [own],
      attachments: { files: [file] },
    });
    expect(posted.body.errors).toMatchObject([{ code: 4002, reason: 'attachments.files.0' }]);
    expect((await token.get(`/v1/attachments/${file}`)).code).toBe(4040);
  }
});

it('what it posts elsewhere, as the interface allows, is closed to it afterwards', async () => {
  const posted = await token.post('/v1/messages', { text: 'hello there', addressed_teams: [other] });
  const { id } = posted.data[0];
  expect(posted.data[0].text).toBe('hello there');
  for (const answer of [
    await token.get(`/v1/messages/${id}`),
    await token.patch(`/v1/messages/${id}`, { text: 'changed' }),
    await token.delete(`/v1/messages/${id}`),
  ]) {
    expect(answer.code).toBe(4040);
  }
});

it('live events are not for tokens', async () => {
  expect((await token.get('/v1/events')).code).toBe(4031);
  const withCursor = await token.get('/v1/events', { headers: { 'Last-Event-ID': '0' } });
  expect(withCursor.code).toBe(4031);
});
