// An application holds `messages:read` and `messages:write` for a team. With the token of a member its owner tries to
// get at what this member writes with others in private: direct messages, notes to oneself, and sidebars, also those
// beside messages of its own team. Without `direct:read` and `direct:write` none of it exists for the token; with them
// alone, nothing of the team does.
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { authorize, install, makeTeam, register, signUp } from '../support/people.ts';
import { type Conversation, converse, expectUnknown, listEverything } from '../support/reach.ts';
import { scene } from '../support/scene.ts';

const { server, host, mallory, bob, carol } = scene({ people: ['Mallory', 'Bob', 'Carol'] });
let team: string;
let ofTeam: Client;
let ofDirect: Client;
let inTeam: Conversation;
let received: Conversation;
let sent: Conversation;

beforeAll(async () => {
  team = await makeTeam(mallory, [bob, carol]);
  const tokenWith = async (scopes: string[]) => {
    const application = await register(mallory, host, { scopes });
    await install(mallory, team, application);
    return server.anonymous().withToken((await authorize(bob, team, application)).access_token);
  };
  ofTeam = await tokenWith(['messages:read', 'messages:write']);
  ofDirect = await tokenWith(['direct:read', 'direct:write']);
  inTeam = await converse(carol, bob, { addressed_teams: [team] });
  received = await converse(carol, bob, { addressed_users: [bob.id] });
  sent = await converse(bob, carol, { addressed_users: [carol.id] });
});

const idsOf = ({ root, reply, aside }: Conversation) => [root, reply, aside];

it('no list and no search of the team’s scopes has a direct message or a sidebar (claim: token-reaches-its-team)', async () => {
  expect(await listEverything(ofTeam)).toEqual(new Set([inTeam.root, inTeam.reply]));
  expect(await listEverything(ofTeam, team)).toEqual(new Set([inTeam.root, inTeam.reply]));
  const [shown] = (await ofTeam.get(`/v1/messages/${inTeam.root}`)).data;
  expect([shown.sidebars, shown.unread_sidebar, shown.user_replied_to_sidebar]).toEqual([[], false, false]);
});

it('by its id, none of it exists for the team’s scopes', async () => {
  for (const { root, reply, aside, file } of [received, sent]) {
    for (const id of [root, reply, aside]) {
      expect((await ofTeam.get(`/v1/messages/${id}`)).code).toBe(4040);
      expect((await ofTeam.get(`/v1/messages/${id}/replies`)).code).toBe(4040);
      expect((await ofTeam.get(`/v1/messages/${id}/high_fives`)).code).toBe(4040);
      expect((await ofTeam.put(`/v1/messages/${id}/high_five`)).code).toBe(4040);
      expect((await ofTeam.post(`/v1/messages/${id}/replies`, { text: 'x' })).code).toBe(4040);
      expect((await ofTeam.patch(`/v1/messages/${id}`, { text: 'x' })).code).toBe(4040);
      expect((await ofTeam.delete(`/v1/messages/${id}`)).code).toBe(4040);
      expect((await ofTeam.get(`/v1/messages?around=${id}`)).code).toBe(4040);
    }
    expect((await ofTeam.get(`/v1/attachments/${file}`)).code).toBe(4040);
  }
  expect((await ofTeam.get(`/v1/messages/${inTeam.aside}`)).code).toBe(4040);
});

it('sidebars are closed to the team’s scopes, also in the team', async () => {
  for (const { sidebar, root } of [inTeam, received]) {
    expect((await ofTeam.get(`/v1/sidebars/${sidebar}`)).code).toBe(4031);
    expect((await ofTeam.get(`/v1/sidebars/${sidebar}/messages`)).code).toBe(4031);
    expect((await ofTeam.post(`/v1/sidebars/${sidebar}/messages`, { text: 'x' })).code).toBe(4031);
    expect((await ofTeam.get(`/v1/messages/${root}/sidebars`)).code).toBe(4031);
  }
});

it('the scopes for direct messages reach these, and nothing of the team', async () => {
  const expected = [...idsOf(received), ...idsOf(sent)];
  expect(await listEverything(ofDirect)).toEqual(new Set(expected));
  expect((await ofDirect.get(`/v1/messages?team=${team}`)).code).toBe(4040);
  await expectUnknown(ofDirect, inTeam);
  expect((await ofDirect.get(`/v1/attachments/${received.file}`)).text).toBe('a file with a secret');
  const answer = await ofDirect.post(`/v1/messages/${received.root}/replies`, { text: 'by an application' });
  expect(answer.status).toBe(200);
});

it('to write is not to read: a high five gives no text to a token that may only write', async () => {
  const mallory = await signUp(server, 'Mallory');
  const other = await makeTeam(mallory, [bob]);
  const application = await register(mallory, host, { scopes: ['messages:write'] });
  await install(mallory, other, application);
  const token = server.anonymous().withToken((await authorize(bob, other, application)).access_token);
  const posted = await mallory.client.post('/v1/messages', { text: 'secret', addressed_teams: [other] });
  const given = await token.put(`/v1/messages/${posted.data[0].id}/high_five`);
  expect([given.status, given.data]).toEqual([200, []]);
  const [shown] = (await mallory.client.get(`/v1/messages/${posted.data[0].id}`)).data;
  expect(shown.num_high_fives).toBe(1);
});

it('messages that the user marked as unread in a team take no places in the lists of direct scopes', async () => {
  const other = await makeTeam(carol, [bob]);
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    const { data } = await carol.client.post('/v1/messages', { text, addressed_teams: [other] });
    ids.push(data[0].id);
  }
  await bob.client.put(`/v1/teams/${other}/read`, { up_to: ids[2] });
  for (const id of [ids[0], received.root]) await bob.client.delete(`/v1/messages/${id}/read`);
  const unread = await ofDirect.get('/v1/messages?tag=_unread&limit=1');
  expect(unread.data.map(({ id }) => id)).toEqual([received.root]);
  expect(unread.body.meta.next_cursor).toBeNull();
});
