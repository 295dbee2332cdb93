import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { exchangeForm, install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { scene } from '../support/scene.ts';

/*
 * An application has two tokens for the same person and team: one may do much, the other little, as in a browser
 * extension. With the second one, somebody tries to list, change, send and cancel what the first has scheduled, and to
 * learn of it by its key. A row says what a token needs to write there and to read there. What another grant has
 * scheduled asks for both, and what the own one has scheduled for the first.
 */

const { server, host, ada, bob } = scene({ people: ['Ada', 'Bob'] });
const MESSAGES = '/v1/users/me/scheduled_messages';
const REMINDERS = '/v1/users/me/reminders';
const ALL_OF_THEM = `${MESSAGES}?limit=200`;
const ALL = ['messages:read', 'messages:write', 'direct:read', 'direct:write', 'files:read'];
const VERIFIER = 'a verifier of a code that is long enough, in every test';
const HOUR = 3600;

let team: string;
let other: string;
let root: string;
let direct: string;
let sidebar: string;
let apart: string;
let app: RegisteredApplication;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  other = await makeTeam(ada, [bob]);
  root = await posted({ text: 'A plan', addressed_teams: [team] });
  direct = await posted({ text: 'For you alone', addressed_users: [bob.id] });
  sidebar = await begun(root);
  apart = await begun(direct);
  app = await register(ada, host, { scopes: [...ALL, 'direct:app'] });
  await install(ada, team, app);
});

const posted = async (message: object): Promise<string> =>
  (await ada.client.post('/v1/messages', message)).data[0].id;

const begun = async (message: string): Promise<string> =>
  (await ada.client.post(`/v1/messages/${message}/sidebars`, { users: [bob.id], text: 'Between us' })).data[0]
    .id;

const inHours = (hours: number) => ({
  local: new Date(server.clock.now() + hours * HOUR * 1000).toISOString().slice(0, 16),
  zone: 'Etc/UTC',
});

/** A token of Bob with these scopes, by a grant of its own. */
async function tokenWith(scopes: readonly string[], of = app): Promise<Client> {
  const { data } = await bob.client.post('/v1/oauth2/consent', {
    response_type: 'code',
    client_id: of.id,
    redirect_uri: of.redirectUri,
    scope: scopes.join(' '),
    code_challenge: hash('sha256', VERIFIER, 'base64url'),
    code_challenge_method: 'S256',
    team,
    decision: 'allow',
  });
  const code = new URL(data[0].url).searchParams.get('code') ?? '';
  const form = { ...exchangeForm(of, code), code_verifier: VERIFIER };
  const { body } = await server.anonymous().ask('POST', '/v1/oauth2/token', { form });
  expect(body.scope).toBe(scopes.join(' '));
  return server.anonymous().withToken(body.access_token);
}

/** A token of the application itself. */
async function ownTokenWith(scopes: readonly string[]): Promise<Client> {
  const form = { grant_type: 'client_credentials', team, scope: scopes.join(' ') };
  const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
  expect(body.scope).toBe(scopes.join(' '));
  return server.anonymous().withToken(body.access_token);
}

const schedule = async (by: Client, message: object): Promise<string> => {
  const { data, text } = await by.post(MESSAGES, { send_at: inHours(1), message });
  expect(data, text).toHaveLength(1);
  return data[0].id;
};
const remind = async (by: Client, fields: object): Promise<string> =>
  (await by.post(REMINDERS, { at: inHours(1), ...fields })).data[0].id;

/** What a token of a person may schedule: by their names, the ids. */
const fill = async (by: Client) => ({
  post: await schedule(by, { text: 'a post', addressed_teams: [team] }),
  elsewhere: await schedule(by, { text: 'a post elsewhere', addressed_teams: [other] }),
  direct: await schedule(by, { text: 'a direct one', addressed_users: [ada.id] }),
  reply: await schedule(by, { text: 'a reply', reply_to: root }),
  answer: await schedule(by, { text: 'an answer', reply_to: direct }),
  aside: await schedule(by, { text: 'an aside', sidebar }),
  apart: await schedule(by, { text: 'apart', sidebar: apart }),
  note: await remind(by, { text: 'a note' }),
  reminder: await remind(by, { message: root }),
});
type Filled = Awaited<ReturnType<typeof fill>>;
const isReminder = (name: string) => name === 'note' || name === 'reminder';

/** The names of what a token lists of these. */
async function listed(by: Client, filled: object): Promise<string[]> {
  const ids = (await Promise.all([MESSAGES, REMINDERS].map((path) => by.get(`${path}?limit=200`)))).flatMap(
    ({ data }) => (data ?? []).map(({ id }) => id),
  );
  return Object.entries(filled)
    .filter(([, id]) => ids.includes(id))
    .map(([name]) => name);
}

/** The answers of all ways to act on one. */
async function tried(by: Client, name: string, id: string): Promise<unknown[]> {
  if (isReminder(name)) return [(await by.delete(`${REMINDERS}/${id}`)).code];
  const path = `${MESSAGES}/${id}`;
  const changes = [
    { send_now: true },
    { send_at: inHours(2) },
    { message: { text: 'mine', addressed_teams: [team] } },
  ];
  const codes: unknown[] = [];
  for (const change of changes) codes.push((await by.patch(path, change)).code);
  codes.push((await by.delete(path)).code);
  return codes;
}

const REACHES: [string[], (keyof Filled)[]][] = [
  [['files:read'], []],
  [['messages:write'], []],
  [['messages:read'], ['post']],
  [
    ['messages:read', 'messages:write'],
    ['post', 'reply'],
  ],
  [['direct:read'], ['direct']],
  [['direct:write'], []],
  [
    ['direct:read', 'direct:write'],
    ['direct', 'answer', 'apart', 'note'],
  ],
  [ALL, ['post', 'direct', 'reply', 'answer', 'aside', 'apart', 'note', 'reminder']],
];

describe.each(REACHES)('beside a token for much, one with %s', (scopes, reached) => {
  it('lists, changes, sends and cancels no more than it may read and write (claim: scheduled-narrowed)', async () => {
    const wide = await tokenWith(ALL);
    const filled = await fill(wide);
    const narrow = await tokenWith(scopes);
    expect(await listed(narrow, filled)).toEqual(reached);
    const rows = async () => [...(await wide.get(ALL_OF_THEM)).data, ...(await wide.get(REMINDERS)).data];
    const before = await rows();
    for (const [name, id] of Object.entries(filled)) {
      if (reached.includes(name as keyof Filled)) continue;
      const closed = isReminder(name) && !scopes.includes('direct:write') ? 4031 : 4040;
      expect([name, new Set(await tried(narrow, name, id))]).toEqual([name, new Set([closed])]);
    }
    expect(await rows()).toEqual(before);
    // Its own grant lists all of it, also what goes elsewhere.
    expect(await listed(wide, filled)).toEqual(Object.keys(filled));
  });
});

it('a key that a wider token used opens nothing to a narrower one', async () => {
  const wide = await tokenWith(ALL);
  const narrow = await tokenWith(['messages:write']);
  const asked = { send_at: inHours(1), message: { text: 'by its key', addressed_teams: [team] } };
  const headers = { 'Idempotency-Key': 'one-for-both' };
  const first = await wide.ask('POST', MESSAGES, { json: asked, headers });
  const again = await narrow.ask('POST', MESSAGES, { json: asked, headers });
  expect([first.status, again.code]).toEqual([200, 4040]);
  expect((await narrow.get(MESSAGES)).data).toEqual([]);
  const rows = (await wide.get(ALL_OF_THEM)).data.filter(({ message }) => message?.text === 'by its key');
  expect(rows).toHaveLength(1);
});

it('a narrow token has what it scheduled itself, and sends with its own rights what another did', async () => {
  const narrow = await tokenWith(['messages:read']);
  const own = await schedule(narrow, { text: 'my own', addressed_teams: [other] });
  const moved = await narrow.patch(`${MESSAGES}/${own}`, {
    message: { text: 'my own, for Ada', addressed_users: [ada.id] },
  });
  expect(moved.data[0].message).toEqual({ text: 'my own, for Ada', addressed_users: [ada.id] });
  expect(await listed(narrow, { own })).toEqual(['own']);
  const wide = await tokenWith(ALL);
  const theirs = await schedule(wide, { text: 'for both', addressed_teams: [team] });
  // It may not answer, whoever scheduled the message.
  const answered = await narrow.patch(`${MESSAGES}/${theirs}`, { message: { text: 'mine', reply_to: root } });
  expect(answered.code).toBe(4040);
  expect((await narrow.patch(`${MESSAGES}/${theirs}`, { send_now: true })).data[0].status).toBe('sent');
  // What was sent is still listed to those alone who may read it.
  expect(await listed(await tokenWith(['messages:write']), { theirs })).toEqual([]);
});

it('what a token rewrites is sent with the rights of that token', async () => {
  const wide = await tokenWith(ALL);
  const id = await schedule(wide, { text: 'first', addressed_teams: [team] });
  const narrow = await tokenWith(['messages:read', 'messages:write']);
  const rewritten = await narrow.patch(`${MESSAGES}/${id}`, { message: { text: 'second', reply_to: root } });
  expect(rewritten.status).toBe(200);
  expect(await listed(await tokenWith(['messages:write']), { id })).toEqual([]);
  expect(await listed(await tokenWith(['messages:read']), { id })).toEqual([]);
  expect(await listed(wide, { id })).toEqual(['id']);
});

it('a scope that is taken back takes what it had scheduled out of sight', async () => {
  const losing = await register(ada, host, { scopes: ALL });
  await install(ada, team, losing);
  const wide = await tokenWith(ALL, losing);
  const filled = await fill(wide);
  const put = (scopes: string[]) =>
    ada.client.put(`/v1/teams/${team}/applications/${losing.id}/scopes`, { scopes });
  expect((await put(['messages:read', 'messages:write'])).status).toBe(200);
  expect(await listed(wide, filled)).toEqual(['post', 'elsewhere', 'direct', 'reply']);
  expect(new Set(await tried(wide, 'answer', filled.answer))).toEqual(new Set([4040]));
  expect((await put(ALL)).status).toBe(200);
  expect(await listed(wide, filled)).toEqual(Object.keys(filled));
});

it('an application as itself has two parts, and each of its tokens what it may do in them', async () => {
  const team_ = ['messages:read', 'messages:write'];
  const inTeam = await ownTokenWith(team_);
  const withPeople = await ownTokenWith(['direct:app']);
  const both = await ownTokenWith([...team_, 'direct:app']);
  const filled = {
    post: await schedule(both, { text: 'to all', addressed_teams: [team] }),
    reply: await schedule(both, { text: 'to all', reply_to: root }),
    direct: await schedule(both, { text: 'to Bob', addressed_users: [bob.id] }),
  };
  expect(await listed(inTeam, filled)).toEqual(['post', 'reply']);
  expect(await listed(withPeople, filled)).toEqual(['direct']);
  expect(await listed(await ownTokenWith(['messages:write']), filled)).toEqual([]);
  for (const [by, name] of [
    [inTeam, 'direct'],
    [withPeople, 'post'],
    [withPeople, 'reply'],
  ] as const)
    for (const change of [{ send_now: true }, { send_at: inHours(2) }])
      expect((await by.patch(`${MESSAGES}/${filled[name]}`, change)).code).toBe(4040);
  expect(await listed(both, filled)).toEqual(Object.keys(filled));
});
