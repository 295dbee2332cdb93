/*
 * An application is installed with links of its own, and asks for those of a bank afterwards: it would hear of them, and
 * show a card of its own below a colleague's link, and nobody had agreed. What a team agreed to is kept with the
 * installation; what comes later waits for an admin, and what goes ends at once.
 */
import { beforeEach, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { allPlaced, pathOf, pullAll, subscribe } from '../support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, mallory, ada, bob } = scene({ people: ['Mallory', 'Ada', 'Bob'] });
const SCOPES = ['messages:read', 'messages:write'];
const OWN = 'https://own.example/tasks';
const BANK = 'https://bank.example/';
const BANK_LINK = 'https://bank.example/account';
let team: string;
let app: RegisteredApplication;
let bot: Client;

beforeEach(async () => {
  team = await makeTeam(ada, [bob]);
  app = await register(mallory, host, { scopes: SCOPES, link_prefixes: [OWN] });
  await install(ada, team, app);
  bot = await tokenFor(team);
});

async function tokenFor(inTeam: string): Promise<Client> {
  const form = { grant_type: 'client_credentials', team: inTeam };
  const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
  return server.anonymous().withToken(body.access_token);
}

const askFor = (...link_prefixes: string[]) =>
  mallory.client.patch(`/v1/applications/${app.id}`, { link_prefixes });
const decide = (fields: object, admin = ada) =>
  admin.client.put(`/v1/teams/${team}/applications/${app.id}/scopes`, { scopes: SCOPES, ...fields });
async function links() {
  const { data } = await ada.client.get(`/v1/teams/${team}/applications`);
  const { link_prefixes, requested_link_prefixes, declined_link_prefixes } = data[0];
  return [link_prefixes, requested_link_prefixes, declined_link_prefixes];
}
const post = async (text: string): Promise<string> =>
  (await bob.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id;
const show = async (id: string, url: string, by = bot) =>
  (await by.put(`/v1/messages/${id}/unfurls`, { unfurls: [{ url, title: 'Call +1 555 0100 at once' }] }))
    .status;
const cards = async (id: string) =>
  ((await bob.client.get(`/v1/messages/${id}`)).data[0].unfurls ?? []).map(({ url }: { url: string }) => url);
async function heard(path: string) {
  await allPlaced(server);
  const { events } = await pullAll(app.credentials, path, 'since=0');
  return events.flatMap(({ type, data }) => (type === 'link.posted' ? [data.links[0].url] : []));
}

it('links that an application asks for later wait for an admin of each team (claim: links-are-granted)', async () => {
  const path = pathOf(app, (await subscribe(app, { kinds: ['link.posted'], teams: [team] })).id);
  const id = await post(BANK_LINK);
  const own = await post(`${OWN}/1`);
  expect((await askFor(OWN, BANK)).status).toBe(200);
  expect(await links()).toEqual([[OWN], [BANK], []]);
  expect(await show(id, BANK_LINK)).toBe(400);
  expect(await show(own, `${OWN}/1`)).toBe(200);
  expect(await heard(path)).toEqual([`${OWN}/1`]);
  // A decision about scopes is none about links, and a member decides nothing.
  await decide({});
  expect(await links()).toEqual([[OWN], [BANK], []]);
  expect((await decide({ link_prefixes: [OWN, BANK] }, bob)).code).toBe(4030);
  expect((await decide({ link_prefixes: [OWN], declined_link_prefixes: [BANK] })).data[0]).toMatchObject({
    link_prefixes: [OWN],
    declined_link_prefixes: [BANK],
  });
  expect(await links()).toEqual([[OWN], [], [BANK]]);
  expect(await show(id, BANK_LINK)).toBe(400);
  await decide({ link_prefixes: [OWN, BANK] });
  expect(await links()).toEqual([[OWN, BANK], [], []]);
  expect(await show(id, BANK_LINK)).toBe(200);
  expect(await heard(path)).toEqual([BANK_LINK, `${OWN}/1`]);
  // Another team has decided nothing.
  const other = await makeTeam(bob);
  const refused = await decide({
    link_prefixes: ['https://else.example/'],
    declined_link_prefixes: [OWN, OWN],
  });
  expect(refused.code).toBe(4002);
  expect((await decide({ link_prefixes: [OWN], declined_link_prefixes: [OWN] })).code).toBe(4002);
  const answer = await bob.client.post(`/v1/teams/${other}/applications`, {
    application: app.id,
    link_prefixes: [OWN],
  });
  expect(answer.data[0]).toMatchObject({ link_prefixes: [OWN], requested_link_prefixes: [BANK] });
});

it('links that it asks for no more, or that an admin takes back, end at once, with their cards (claim: links-are-granted)', async () => {
  const path = pathOf(app, (await subscribe(app, { kinds: ['link.posted'], teams: [team] })).id);
  await askFor(OWN, BANK);
  await decide({ link_prefixes: [OWN, BANK] });
  const [own, bank] = [await post(`${OWN}/1`), await post(BANK_LINK)];
  for (const [id, url] of [
    [own, `${OWN}/1`],
    [bank, BANK_LINK],
  ] as const)
    await show(id, url);
  await decide({ link_prefixes: [OWN] });
  expect([await cards(own), await cards(bank)]).toEqual([[`${OWN}/1`], []]);
  expect(await heard(path)).toEqual([`${OWN}/1`]);
  await askFor(BANK);
  expect([await cards(own), await cards(bank)]).toEqual([[], []]);
  expect(await heard(path)).toEqual([]);
  expect(await show(own, `${OWN}/1`)).toBe(400);
});

it('a part of what was granted needs no agreement, and more leaves what was granted', async () => {
  const id = await post(`${OWN}/1 ${OWN}/2 https://own.example/other`);
  await askFor(`${OWN}/1`);
  expect(await links()).toEqual([[`${OWN}/1`], [], []]);
  expect([await show(id, `${OWN}/1`), await show(id, `${OWN}/2`)]).toEqual([200, 400]);
  await askFor('https://own.example/');
  expect(await links()).toEqual([[OWN], ['https://own.example/'], []]);
  expect([await show(id, `${OWN}/2`), await show(id, 'https://own.example/other')]).toEqual([200, 400]);
  expect((await decide({ link_prefixes: [OWN] })).data[0].link_prefixes).toEqual([OWN]);
});
