// Applications show cards for links to themselves. Mallory's application tries it for links of others, for links that nobody
// posted, for messages of other teams, private ones and deleted ones, with scripts for addresses, with too much, and
// twice at once; people and half a token try it, too. A card needs a link in the text, an address of the application's own, and
// both scopes where it is installed.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { authorize, install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, mallory, ada, bob } = scene({ people: ['Mallory', 'Ada', 'Bob'] });
const OWN = 'https://mallory.example/x';
const HONEST = 'https://tasks.example/1';
const SCOPES = ['messages:read', 'messages:write'];
let team: string;
let app: RegisteredApplication;
let bot: Client;

async function tokenFor(of: RegisteredApplication, inTeam = team, scope?: string): Promise<Client> {
  const form = { grant_type: 'client_credentials', team: inTeam, ...(scope !== undefined && { scope }) };
  const { body } = await of.credentials.ask('POST', '/v1/oauth2/token', { form });
  return server.anonymous().withToken(body.access_token);
}

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  app = await register(mallory, host, {
    scopes: SCOPES,
    link_prefixes: ['https://mallory.example/', 'https://x.example/a'],
  });
  await install(ada, team, app);
  bot = await tokenFor(app);
});

const post = async (text: string, to: object = { addressed_teams: [team] }): Promise<string> =>
  (await ada.client.post('/v1/messages', { text, ...to })).data[0].id;
const put = (id: string, unfurls: unknown, by = bot) => by.put(`/v1/messages/${id}/unfurls`, { unfurls });
const card = (url: string = OWN, fields: object = {}) => ({ url, title: 'Free money', ...fields });
const shown = async (id: string) => (await ada.client.get(`/v1/messages/${id}`)).data[0].unfurls ?? [];

it.each([
  ['another application’s', HONEST],
  ['a host that only begins alike', 'https://mallory.example.evil.example/x'],
  ['a path that only begins alike', 'https://x.example/ab'],
  ['a path that leads out again', 'https://x.example/a/../b'],
  ['an encoded way out', 'https://x.example/a/%2e%2e%2fb'],
  ['a user name that looks like the host', 'https://mallory.example@evil.example/'],
  ['a host that only a browser reads so', 'https://mallory.example\\@evil.example/'],
  ['another scheme', 'http://mallory.example/x'],
  ['another port', 'https://mallory.example:8443/x'],
])('shows no card for %s (claim: previews-of-own-links)', async (_, url) => {
  const id = await post(`Look: ${url} and ${OWN}`);
  const answer = await put(id, [card(), card(url)]);
  expect(answer.body.errors).toMatchObject([{ code: 4002, reason: 'unfurls.1.url' }]);
  expect(await shown(id)).toEqual([]);
});

it.each([
  ['not in the text', 'https://mallory.example/y'],
  ['only a part of one', 'https://mallory.example/'],
  ['in another case', 'https://MALLORY.example/x'],
  ['in code', 'https://mallory.example/code'],
  ['a script', 'javascript:alert(1)//https://mallory.example/x'],
  ['data', 'data:text/html,<script>alert(1)</script>'],
  ['a script with a host', 'javascript://mallory.example/%0aalert(1)'],
  ['a space before it', ` ${OWN}`],
  ['empty', ''],
])('shows no card for a link that is %s', async (_, url) => {
  const id = await post(`${OWN} \`https://mallory.example/code\` javascript://mallory.example/%0aalert(1)`);
  const answer = await put(id, [card(url)]);
  expect(answer.body.errors).toMatchObject([{ code: 4002, reason: 'unfurls.0.url' }]);
  expect(await shown(id)).toEqual([]);
});

it('refuses what is too much, too little, or of another kind', async () => {
  const links = Array.from({ length: 6 }, (_, n) => `${OWN}/${n}`);
  const long = `${OWN}/${'y'.repeat(2000)}`;
  const id = await post(`${OWN} ${links.join(' ')} ${long}`);
  const refused: unknown[] = [
    links.map((url) => card(url)),
    [card(), card()],
    [card(long)],
    [card(OWN, { title: '' })],
    [card(OWN, { title: ' \u200b ' })],
    [card(OWN, { title: 'x'.repeat(201) })],
    [card(OWN, { text: 'x'.repeat(501) })],
    [card(OWN, { text: null })],
    [card(OWN, { fields: Array.from({ length: 5 }, () => ({ name: 'a', value: 'b' })) })],
    [card(OWN, { fields: [{ name: 'a' }] })],
    [card(OWN, { fields: [{ name: 'a', value: 'x'.repeat(201) }] })],
    [card(OWN, { title: 'a\0b' })],
    [{ url: OWN }],
    [null],
    [[]],
    'x',
    {},
    null,
    undefined,
  ];
  for (const unfurls of refused) expect((await put(id, unfurls)).code).toBe(4002);
  expect(await shown(id)).toEqual([]);
  const half = await bot.ask('PUT', `/v1/messages/${id}/unfurls`, {
    raw: '{"unfurls":[{"url":',
    headers: { 'Content-Type': 'application/json' },
  });
  expect(half.status).toBe(400);
  // Five fit, and what is not declared is not kept.
  const extra = { id: randomUUID(), application: { name: 'Bank' }, image: 'https://evil.example/pixel.png' };
  const [first] = (
    await put(
      id,
      links.slice(1).map((url) => card(url, extra)),
    )
  ).data[0].unfurls;
  expect(Object.keys(first).sort()).toEqual(['application', 'fields', 'id', 'text', 'title', 'url']);
  expect(first.application.id).toBe(app.id);
  expect(first.id).not.toBe(extra.id);
  expect((await put(id, [card(OWN, { title: '\ud800 <b>\u202e x' })])).status).toBe(200);
});

it('is for the application as itself, with both scopes, and where it is installed', async () => {
  const id = await post(OWN);
  const person = server.anonymous().withToken((await authorize(ada, team, app)).access_token);
  expect((await put(id, [card()], person)).body.errors).toMatchObject([
    { code: 4030, reason: 'not_application' },
  ]);
  expect((await put(id, [card()], ada.client)).code).toBe(4030);
  expect((await put(id, [card()], mallory.client)).code).toBe(4030);
  expect((await put(id, [card()], app.credentials)).status).toBe(401);
  expect((await put(id, [card()], server.anonymous())).status).toBe(401);
  for (const scope of SCOPES) {
    const answer = await put(id, [card()], await tokenFor(app, team, scope));
    expect(answer.body.errors).toMatchObject([{ code: 4031 }]);
  }
  const aside = (await ada.client.post(`/v1/messages/${id}/sidebars`, { users: [bob.id], text: OWN }))
    .data[0];
  const [inSidebar] = (await ada.client.get(`/v1/sidebars/${aside.id}/messages`)).data;
  const elsewhere = await makeTeam(ada);
  const hidden = [
    inSidebar.id,
    await post(OWN, { addressed_users: [bob.id] }),
    await post(OWN, { addressed_teams: [elsewhere] }),
    randomUUID(),
    'none',
  ];
  for (const one of hidden) {
    expect((await put(one, [card()])).code).toBe(4040);
    expect((await bot.delete(`/v1/messages/${one}/unfurls`)).code).toBe(4040);
  }
  expect(await shown(id)).toEqual([]);
});

describe('cards of others', () => {
  it('are out of reach', async () => {
    const id = await post(`${OWN} ${HONEST}`);
    const honest = await register(mallory, host, {
      name: 'Tasks',
      scopes: SCOPES,
      link_prefixes: ['https://tasks.example/'],
    });
    await install(ada, team, honest);
    const [theirs] = (await put(id, [card(HONEST)], await tokenFor(honest))).data[0].unfurls;
    await put(id, []);
    await bot.delete(`/v1/messages/${id}/unfurls`);
    const path = `/v1/messages/${id}/unfurls/${theirs.id}`;
    expect((await bot.delete(path)).code).toBe(4031);
    expect((await bob.client.delete(path)).code).toBe(4030);
    expect((await mallory.client.delete(path)).code).toBe(4040);
    // Through a message of one's own, or a team that one leads.
    const own = (await bob.client.post('/v1/messages', { text: OWN, addressed_teams: [team] })).data[0].id;
    expect((await bob.client.delete(`/v1/messages/${own}/unfurls/${theirs.id}`)).code).toBe(4040);
    expect((await bob.client.delete(`/v1/messages/${own}/unfurls/none`)).code).toBe(4040);
    expect(await shown(id)).toMatchObject([{ id: theirs.id }]);
  });
});

it('what happens in the same moment leaves no card behind', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const id = await post(OWN);
    const answers = await Promise.all([
      put(id, [card()]),
      ada.client.delete(`/v1/messages/${id}`),
      put(id, [card(OWN, { title: 'Another' })]),
    ]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await shown(id)).toEqual([]);
    const edited = await post(OWN);
    const both = await Promise.all([
      put(edited, [card()]),
      ada.client.patch(`/v1/messages/${edited}`, { text: 'none' }),
    ]);
    for (const { status } of both) expect([200, 400]).toContain(status);
    expect(await shown(edited)).toEqual([]);
  }
  const leaving = await register(mallory, host, {
    scopes: SCOPES,
    link_prefixes: ['https://mallory.example/'],
  });
  await install(ada, team, leaving);
  const token = await tokenFor(leaving);
  const id = await post(OWN);
  const [answer] = await Promise.all([
    put(id, [card()], token),
    ada.client.delete(`/v1/teams/${team}/applications/${leaving.id}`),
  ]);
  expect([200, 401, 404]).toContain(answer?.status);
  expect(await shown(id)).toEqual([]);
  expect((await put(id, [card()], token)).status).toBe(401);
});

it('two changes of the prefixes at once are one after the other', async () => {
  const changing = await register(mallory, host, { scopes: SCOPES });
  await install(ada, team, changing);
  const token = await tokenFor(changing);
  const path = `/v1/applications/${changing.id}`;
  const lists = [['https://one.example/'], ['https://two.example/a', 'https://two.example/b']];
  const answers = await Promise.all(
    lists.map((link_prefixes) => mallory.client.patch(path, { link_prefixes })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { link_prefixes } = (await mallory.client.get(path)).data[0];
  expect(lists).toContainEqual(link_prefixes);
  await ada.client.put(`/v1/teams/${team}/applications/${changing.id}/scopes`, {
    scopes: SCOPES,
    link_prefixes,
  });
  // What counts is what they are when a card is shown.
  const id = await post(`${OWN} ${link_prefixes[0]}`);
  expect((await put(id, [card()], token)).code).toBe(4002);
  expect((await put(id, [card(link_prefixes[0])], token)).status).toBe(200);
});
