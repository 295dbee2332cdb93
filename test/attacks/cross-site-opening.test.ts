/*
 * A page of another site, or a text on one of our own pages, leads a signed-in member to an address that opens an
 * application. The browser sends their cookie along, and the attacker hopes that a code for the application is made
 * without the member's will. Such a request gets our own page, which asks. An address opens at once only what this
 * member has opened from this team before, from our pages, the person's own bookmarks and programs.
 */
import { beforeAll, expect, it } from 'vitest';
import { agreeAndOpen, install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, admin, member } = scene({ people: ['Admin', 'Member'] });
let team: string;
let application: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(admin, [member]);
  application = await register(admin, host);
  await install(admin, team, application);
});

const OWN: Record<string, string>[] = [
  { 'Sec-Fetch-Site': 'same-origin' },
  { 'Sec-Fetch-Site': 'none' },
  { 'Sec-Fetch-Site': 'none', Accept: 'text/html' },
  {},
];

it('is asked the first time, wherever the request comes from (claim: first-opening-asks)', async () => {
  const own = await makeTeam(admin, [member]);
  await install(admin, own, application);
  // What was opened from another team changes nothing here.
  await agreeAndOpen(member, team, application);
  for (const headers of OWN) expect(await openedWith(headers, own)).toBe('asked');
  await agreeAndOpen(member, own, application);
  for (const headers of OWN) expect(await openedWith(headers, own)).toBe('opened');
});

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

async function openedWith(headers: Record<string, string>, of = team): Promise<'opened' | 'asked'> {
  const path = `/v1/applications/${application.id}/open?team=${of}`;
  const { status, headers: answered } = await member.client.get(path, { headers });
  expect(status).toBe(303);
  const location = answered.get('location') as string;
  if (location === `/applications/${application.id}/open?team=${of}`) return 'asked';
  expect(new URL(location).searchParams.get('code')).toBeTruthy();
  return 'opened';
}

it.each([
  ['another site', { 'Sec-Fetch-Site': 'cross-site', Accept: HTML }],
  ['another site, which hides what it wants', { 'Sec-Fetch-Site': 'cross-site' }],
  ['a neighbour under the same domain', { 'Sec-Fetch-Site': 'same-site', Accept: HTML }],
  ['a value that does not exist', { 'Sec-Fetch-Site': 'friendly', Accept: HTML }],
  ['an old browser on another site', { Accept: HTML, Referer: 'https://evil.example/' }],
  ['an old browser that does not say from where', { Accept: HTML }],
  ['an address that looks like ours', { Accept: HTML, Referer: 'http://127.0.0.1.evil.example/' }],
])('is asked first: %s (claim: opening-is-our-own-navigation)', async (_, headers) => {
  expect(await openedWith(headers as Record<string, string>)).toBe('asked');
});

it('opens at once from our own pages, from a bookmark, and for a program', async () => {
  await agreeAndOpen(member, team, application);
  expect(await openedWith({ 'Sec-Fetch-Site': 'same-origin', Accept: HTML })).toBe('opened');
  expect(await openedWith({ 'Sec-Fetch-Site': 'none', Accept: HTML })).toBe('opened');
  expect(await openedWith({ Accept: HTML, Referer: `${server.url}/teams/${team}` })).toBe('opened');
  expect(await openedWith({ Accept: HTML, Referer: `${server.running.url}/inbox` })).toBe('opened');
  expect(await openedWith({})).toBe('opened');
});

it('the page that asks opens it, and another site cannot press its button', async () => {
  const path = `/v1/applications/${application.id}/opening`;
  const foreign = await member.client.post(path, { team, scopes: [] }, { 'Sec-Fetch-Site': 'cross-site' });
  expect([foreign.code, foreign.body.errors[0].reason]).toEqual([4030, 'cross_site']);
  const url = new URL(await agreeAndOpen(member, team, application));
  expect([...url.searchParams.keys()]).toEqual(['code', 'platform_team_id', 'iss']);
});
