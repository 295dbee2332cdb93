import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { authorize, install, makeTeam, type RegisteredApplication, register } from '../support/people.ts';
import { propertyRuns } from '../support/property.ts';
import { scene } from '../support/scene.ts';

const { server, host, ann, bob, cleo } = scene({ people: ['Ann', 'Bob', 'Cleo'] });
let team: string;
let application: RegisteredApplication;
let token: Client;

beforeAll(async () => {
  team = await makeTeam(ann, [bob, cleo]);
  application = await register(ann, host);
  await install(ann, team, application);
  token = server.anonymous().withToken((await authorize(ann, team, application)).access_token);
});

const first = ({ body }: { body: { errors: { code: number; reason?: string; message: string }[] } }) =>
  body.errors[0];

describe('a body', () => {
  const post = (raw: string | Uint8Array, headers: Record<string, string>) =>
    ann.client.ask('POST', '/v1/messages', {
      raw,
      headers: { 'Content-Type': 'application/json', ...headers },
    });
  const body = () => JSON.stringify({ text: 'café', addressed_teams: [team] });

  it('that is not UTF-8 is refused, and not stored with U+FFFD', async () => {
    expect((await post(Buffer.from(body(), 'latin1'), {})).code).toBe(4000);
    expect((await post(body(), {})).data[0].text).toBe('café');
  });

  it.each(['iso-8859-1', 'utf-16', '"windows-1252"'])('of the charset %s is 4150', async (charset) => {
    const answer = await post(body(), { 'Content-Type': `application/json; charset=${charset}` });
    expect(answer.code).toBe(4150);
  });

  it('that is compressed is 4150', async () => {
    expect((await post(body(), { 'Content-Encoding': 'gzip' })).code).toBe(4150);
    expect((await post(body(), { 'Content-Encoding': 'identity' })).status).toBe(200);
  });

  it('that a DELETE does not have needs no type that fits', async () => {
    const made = await ann.client.post('/v1/teams', { name: 'T' });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await ann.client.ask('DELETE', `/v1/teams/${made.data[0].id}`, { headers });
    expect(answer.status).toBe(200);
  });
});

describe('a list of ids in the query', () => {
  const connections = (query: string) => ann.client.get(`/v1/users/me/connections?${query}`);
  const names = async (query: string) => (await connections(query)).data.map(({ first_name }) => first_name);

  it('comes repeated, with commas and blanks, or with brackets', async () => {
    for (const query of [
      `users=${bob.id}`,
      `users[]=${bob.id}`,
      `users[0]=${bob.id}`,
      `users=%20${bob.id},`,
    ]) {
      expect(await names(query)).toEqual(['Cleo']);
    }
    for (const query of [`users[]=${bob.id}&users[]=${cleo.id}`, `users=${bob.id},%20${cleo.id}`]) {
      expect(await names(query)).toEqual([]);
      expect((await ann.client.get(`/v1/users/me/teams?${query}`)).data).toEqual([team]);
    }
  });

  it.each(['nonsense', `["x"]`, 'a,b'])(
    'with %s is refused, since it would look like nothing in common',
    async (ids) => {
      for (const path of ['connections', 'teams']) {
        const answer = await ann.client.get(`/v1/users/me/${path}?users=${encodeURIComponent(ids)}`);
        expect(first(answer)).toMatchObject({ code: 4002, reason: 'users' });
      }
    },
  );
});

describe('a field that is wrong', () => {
  it.each([
    ['PATCH', '/v1/users/me', { username: 'a b' }, 'username', /letters, digits/],
    ['POST', '/v1/teams', { name: 'x', color: 'reddish' }, 'color', /#1f6feb/],
    ['POST', '/v1/teams', { name: ' ' }, 'name', /^must not be blank$/],
    ['POST', '/v1/teams', { name: 'a\u0000b' }, 'name', /^must not contain U\+0000$/],
    [
      'POST',
      '/v1/users/me/password',
      { current: 'x', password: 'short' },
      'password',
      /^must be at least 10 characters$/,
    ],
    ['GET', '/v1/messages?tag=nonsense', undefined, 'tag', /^must be one of .*_inbox/],
    ['GET', '/v1/messages?limit=500', undefined, 'limit', /^must be at most 200$/],
    ['GET', '/v1/messages?team=abc', undefined, 'team', /^must be an id/],
  ])('%s %s %j says what is expected', async (method, path, json, reason, message) => {
    const answer = await ann.client.ask(method, path, json === undefined ? {} : { json });
    expect(first(answer)).toMatchObject({ code: 4002, reason, message: expect.stringMatching(message) });
  });

  it.each(['#1F6feb', 'red', 'hot-pink', 'HotPink'])('takes %s as a colour, and keeps it', async (color) => {
    const { data } = await ann.client.post('/v1/teams', { name: 'Colours', color });
    const changed = await ann.client.patch(`/v1/teams/${data[0].id}`, { icon: '🎨' });
    expect([data[0].color, changed.data[0].color]).toEqual([color, color]);
    const refused = await ann.client.patch(`/v1/teams/${data[0].id}`, { color: 'constructor' });
    expect(first(refused)).toMatchObject({ code: 4002, reason: 'color' });
  });

  it('names the values of a role', async () => {
    const answer = await ann.client.patch(`/v1/teams/${team}/users/${bob.id}`, { membership_type: 3 });
    expect(first(answer)?.message).toBe('must be 1 (admin) or 2 (member)');
  });
});

describe('a mention', () => {
  it('takes the name of its object, and one object stands for a list of one', async () => {
    const path = `/v1/applications/${application.id}/objects`;
    const { data } = await application.credentials.post(path, { name: 'Task 7', team, type: 't', url: '/7' });
    const mention = { type: 'appobject', id: data[0].id };
    for (const mentions of [[mention], mention, { ...mention, name: '\u200b' }]) {
      const posted = await token.post('/v1/messages', { text: 'see {0}', addressed_teams: [team], mentions });
      expect(posted.data[0].mentions[0].name).toBe('Task 7');
    }
  });
});

it('a text of blanks beside a file is kept as none', async () => {
  const attachments = [{ type: 'link', url: 'https://example.org/' }];
  const posted = await ann.client.post('/v1/messages', { text: ' \n', addressed_teams: [team], attachments });
  expect(posted.data[0].text).toBe('');
  await ann.client.patch(`/v1/messages/${posted.data[0].id}`, { text: 'x' });
  expect((await ann.client.patch(`/v1/messages/${posted.data[0].id}`, { text: '  ' })).data[0].text).toBe('');
});

describe('every answer', () => {
  it('names its request', async () => {
    for (const path of ['/v1/users/me', '/v1/nothing', '/v1/messages?limit=x']) {
      const answer = await ann.client.get(path, { headers: { 'X-Request-Id': 'mine-1' } });
      expect(answer.headers.get('x-request-id')).toBe('mine-1');
    }
    expect((await server.anonymous().get('/v1/users/me')).headers.get('x-request-id')).toMatch(/^[\w.-]+$/);
  });

  it.each(['TRACE', 'PROPFIND'])('to %s is 4050', async (method) => {
    const asked = request(`${server.url}/v1/users/me`, { method }).end();
    const [response] = await once(asked, 'response');
    expect(response.statusCode).toBe(405);
    expect(JSON.parse(await readAll(response)).errors[0].code).toBe(4050);
  });

  it('to a request without Host is in the envelope', async () => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /v1/users/me HTTP/1.1\r\nConnection: close\r\n\r\n');
    const answer = await readAll(socket);
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('"code":4000');
  });
});

it('the test of a token takes no session', async () => {
  expect((await ann.client.get('/v1/oauth2/test/app_as_user')).code).toBe(4010);
  expect((await token.get('/v1/oauth2/test/app_as_user')).status).toBe(200);
});

it('a token is of letters and digits, with 160 random bits or more', async () => {
  const { access_token, refresh_token } = await authorize(ann, team, application);
  for (const one of [access_token, refresh_token]) expect(one).toMatch(/^[0-9A-Za-z]{27,}$/);
});

describe('claim: undeclared-dropped — fields that no route declares', () => {
  const declared = new Set([
    'title',
    'name',
    'text',
    'addressed_teams',
    'location',
    'company',
    'username',
    'prefs',
  ]);
  for (const name of [
    'first_name',
    'last_name',
    'attachments',
    'mentions',
    'addressed_users',
    'color',
    'icon',
  ]) {
    declared.add(name);
  }
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter((one) => !declared.has(one));
  const extra = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5, noNullPrototype: true });
  const changing = new Set(['id', 'created_at', 'updated_at', 'num_members', 'author']);
  const stable = (item: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(item).filter(([one]) => !changing.has(one)));

  it.each([
    ['PATCH', '/v1/users/me', () => ({ title: 'T' })],
    ['PATCH', '/v1/users/me', () => ({ prefs: { email_on_at_mention: false } })],
    ['PATCH', `/v1/teams/{team}`, () => ({ name: 'N' })],
    ['POST', '/v1/messages', () => ({ text: 'hello', addressed_teams: [team] })],
  ])('change no answer of %s %s', async (method, path, valid) => {
    const ask = async (json: object) => {
      const answer = await ann.client.ask(method, path.replace('{team}', team), { json });
      expect(answer.status, answer.text).toBe(200);
      return stable(answer.data[0]);
    };
    const plain = await ask(valid());
    const numbered = ({ unread_counts: _, ...rest }: Record<string, unknown>) => rest;
    await fc.assert(
      fc.asyncProperty(extra, async (fields) => {
        expect(numbered(await ask({ ...fields, ...valid() }))).toEqual(numbered(plain));
      }),
      { numRuns: propertyRuns(10) },
    );
  });
});
