/*
 * Mallory registers an application that reads messages, installs it on a team of hers, and gets Bob to follow a link
 * that opens it. She hopes for a token that reads for Bob without his consent. Opening leads to our own page instead,
 * until Bob himself has agreed to exactly these scopes; and whatever grows later waits for him again, while what he
 * agreed to goes on.
 */
import { beforeAll, expect, it } from 'vitest';
import {
  agreeAndOpen,
  authorize,
  exchangeForm,
  install,
  makeTeam,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

const { server, host, mallory, bob } = scene({ people: ['Mallory', 'Bob'] });
let team: string;
let application: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(mallory, [bob]);
  application = await register(mallory, host, { scopes: ['messages:read'] });
  await install(mallory, team, application);
});

const openPath = (of = application) => `/v1/applications/${of.id}/open?team=${team}`;
const pagePath = (of = application) => `/applications/${of.id}/open?team=${team}`;
const reads = async (token: string) =>
  (await server.anonymous().withToken(token).get(`/v1/messages?team=${team}`)).code ?? 200;
const whereTo = async (of: RegisteredApplication, who = bob) =>
  (await who.client.get(openPath(of))).headers.get('location');

async function exchange(url: string, of: RegisteredApplication) {
  const code = new URL(url).searchParams.get('code') as string;
  return (await server.anonymous().ask('POST', '/v1/oauth2/token', { form: exchangeForm(of, code) })).body;
}

it('opening an application with content scopes asks first, once (claim: consent-before-content)', async () => {
  const who = await signUp(server, 'Somebody');
  const own = await makeTeam(mallory, [who]);
  await install(mallory, own, application);
  const path = `/v1/applications/${application.id}/open?team=${own}`;
  const asked = await who.client.get(path);
  expect([asked.status, asked.headers.get('location')]).toEqual([
    303,
    `/applications/${application.id}/open?team=${own}`,
  ]);
  const json = await who.client.get(path, { headers: { Accept: 'application/json' } });
  expect(json.data[0].url).toBe(`${server.running.url}/applications/${application.id}/open?team=${own}`);
  const shown = await who.client.get(`/v1/applications/${application.id}/opening?team=${own}`);
  expect(shown.data).toMatchObject([
    { application: { id: application.id }, team: { id: own }, scopes: ['messages:read'], agreed: [] },
  ]);
  await agreeAndOpen(who, own, application);
  const second = await who.client.get(path);
  expect(new URL(second.headers.get('location') as string).searchParams.get('code')).toBeTruthy();
});

it('an agreement holds for one person, one team and one application', async () => {
  await authorize(bob, team, application);
  const other = await makeTeam(mallory, [bob]);
  await install(mallory, other, application);
  const elsewhere = await bob.client.get(`/v1/applications/${application.id}/open?team=${other}`);
  expect(elsewhere.headers.get('location')).toBe(`/applications/${application.id}/open?team=${other}`);
  expect(await whereTo(application, mallory)).toBe(pagePath());
  const another = await register(mallory, host, { scopes: ['messages:read'] });
  await install(mallory, team, another);
  expect(await whereTo(another)).toBe(pagePath(another));
});

it('an application without content scopes asks the first time alone', async () => {
  const plain = await register(mallory, host);
  await install(mallory, team, plain);
  expect(await whereTo(plain)).toBe(pagePath(plain));
  const opening = `/v1/applications/${plain.id}/opening`;
  const early = await bob.client.post(opening, { team });
  expect([early.code, early.body.errors[0].reason]).toEqual([4090, 'asks_first']);
  expect((await bob.client.get(`${opening}?team=${team}`)).data).toMatchObject([{ opened: false }]);
  await agreeAndOpen(bob, team, plain);
  expect((await whereTo(plain))?.startsWith(plain.redirectUri)).toBe(true);
  expect((await bob.client.get(`${opening}?team=${team}`)).data).toMatchObject([{ opened: true }]);
  expect((await bob.client.post(opening, { team })).data[0].url.startsWith(plain.redirectUri)).toBe(true);
});

it('agrees to what was shown, and to nothing that the admin did not grant', async () => {
  const made = await register(mallory, host, { scopes: ['messages:read'] });
  await install(mallory, team, made);
  await mallory.client.patch(`/v1/applications/${made.id}`, { scopes: ['messages:read', 'messages:write'] });
  const opened = await bob.client.post(`/v1/applications/${made.id}/opening`, {
    team,
    scopes: ['messages:read', 'messages:write', 'direct:read'],
  });
  expect((await exchange(opened.data[0].url, made)).scope).toBe('messages:read');
  const unshown = await mallory.client.post(`/v1/applications/${made.id}/opening`, { team, scopes: [] });
  const tokens = await exchange(unshown.data[0].url, made);
  expect(tokens).not.toHaveProperty('scope');
  expect(await reads(tokens.access_token)).toBe(4031);
});

it('what grows waits for admin and person, and what was agreed to goes on', async () => {
  const made = await register(mallory, host, { scopes: ['messages:read'] });
  await install(mallory, team, made);
  const { access_token: old } = await authorize(bob, team, made);
  const grown = ['messages:read', 'direct:read'];
  await mallory.client.patch(`/v1/applications/${made.id}`, { scopes: grown });
  // The team's admin has not granted it yet: there is nothing to ask the person for.
  expect((await whereTo(made))?.startsWith(made.redirectUri)).toBe(true);
  const path = `/v1/teams/${team}/applications`;
  const listed = (await mallory.client.get(path)).data.find((one) => one.application.id === made.id);
  expect([listed.scopes, listed.requested_scopes]).toEqual([['messages:read'], ['direct:read']]);
  const granted = await mallory.client.put(`${path}/${made.id}/scopes`, { scopes: grown });
  expect([granted.data[0].scopes, granted.data[0].requested_scopes]).toEqual([grown, []]);
  expect(await whereTo(made)).toBe(pagePath(made));
  const { data } = await bob.client.get(`/v1/applications/${made.id}/opening?team=${team}`);
  expect(data[0]).toMatchObject({ scopes: grown, agreed: ['messages:read'] });
  expect(await reads(old)).toBe(200);
  const tokens = await exchange(await agreeAndOpen(bob, team, made), made);
  expect(tokens.scope).toBe('messages:read direct:read');
});

it('tokens from before there were agreements keep what every application may do', async () => {
  const made = await register(mallory, host, { scopes: ['messages:read'] });
  await install(mallory, team, made);
  const { access_token: token } = await authorize(bob, team, made);
  // As the migration leaves them.
  await runSql(server.running.db, "UPDATE agreements SET scopes_json = '[]' WHERE application_id = ?", [
    made.id,
  ]);
  expect(await reads(token)).toBe(4031);
  expect((await server.anonymous().withToken(token).get('/v1/users/me')).data[0].id).toBe(bob.id);
  await agreeAndOpen(bob, team, made);
  expect(await reads(token)).toBe(200);
});
