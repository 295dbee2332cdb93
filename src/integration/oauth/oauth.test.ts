import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../../test/support/client.ts';
import {
  authorize,
  exchangeForm,
  install,
  join,
  makeTeam,
  openForCode,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server, host } = scene();
let admin: Person;
let member: Person;
let team: string;
let application: RegisteredApplication;

beforeAll(async () => {
  admin = await signUp(server, 'Admin');
  member = await signUp(server, 'Member');
  team = await makeTeam(admin, [member]);
  application = await register(admin, host);
  await install(admin, team, application);
});

function token(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
  return server.anonymous().ask('POST', '/v1/oauth2/token', { form, headers });
}

const refreshForm = (refresh_token: string, from = application) => ({
  grant_type: 'refresh_token',
  refresh_token,
  client_id: from.id,
  client_secret: from.secret,
});

const profile = (access: string) => server.anonymous().withToken(access).get('/v1/users/me');

describe('authorization codes', () => {
  it('give tokens that act for the user', async () => {
    const answer = await token(exchangeForm(application, await openForCode(member, team, application)));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'token_type',
    ]);
    expect(answer.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await profile(answer.body.access_token)).data[0].id).toBe(member.id);
  });

  it('are refused when expired', async () => {
    const code = await openForCode(member, team, application);
    const other = await openForCode(member, team, application);
    server.clock.advance(110);
    expect((await token(exchangeForm(application, other))).status).toBe(200);
    server.clock.advance(11);
    expect((await token(exchangeForm(application, code))).text).toBe('{"error":"invalid_grant"}');
  });

  it('work once; a replay ends what the first use obtained (claim: codes-work-once)', async () => {
    const form = exchangeForm(application, await openForCode(member, team, application));
    const first = await token(form);
    expect((await profile(first.body.access_token)).status).toBe(200);
    const replay = await token(form);
    expect([replay.status, replay.text]).toEqual([400, '{"error":"invalid_grant"}']);
    expect((await profile(first.body.access_token)).code).toBe(4012);
    expect((await token(refreshForm(first.body.refresh_token))).body).toEqual({ error: 'invalid_grant' });
  });

  it('belong to one application and one redirect address, and survive attempts of others', async () => {
    const other = await register(admin, host, { name: 'Other' });
    const form = exchangeForm(application, await openForCode(member, team, application));
    const stolen = { ...form, client_id: other.id, client_secret: other.secret };
    expect((await token(stolen)).body).toEqual({ error: 'invalid_grant' });
    const elsewhere = { ...form, redirect_uri: `${host.url}/elsewhere` };
    expect((await token(elsewhere)).body).toEqual({ error: 'invalid_grant' });
    const wrongSecret = await token({ ...form, client_secret: other.secret });
    expect([wrongSecret.status, wrongSecret.body]).toEqual([401, { error: 'invalid_client' }]);
    expect((await token(form)).status).toBe(200);
  });

  it('accept the redirect address encoded once more', async () => {
    const form = exchangeForm(application, await openForCode(member, team, application));
    const answer = await token({ ...form, redirect_uri: encodeURIComponent(form.redirect_uri as string) });
    expect(answer.status).toBe(200);
  });

  it('are used by one of fifty at once', async () => {
    const form = exchangeForm(application, await openForCode(member, team, application));
    const answers = await Promise.all(Array.from({ length: 50 }, () => token(form)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ text }) => text))).toEqual(new Set(['{"error":"invalid_grant"}']));
  });
});

describe('the credentials of the token route', () => {
  it('are given once', async () => {
    const form = exchangeForm(application, await openForCode(member, team, application));
    const basic = Buffer.from(`${application.id}:${application.secret}`).toString('base64');
    const both = await token(form, { Authorization: `Basic ${basic}` });
    expect([both.status, both.text]).toEqual([400, '{"error":"invalid_request"}']);
    expect((await token(form)).status).toBe(200);
  });

  it.each(['token', 'revoke', 'introspect'])('are needed for %s', async (path) => {
    const ask = (form: Record<string, string>) =>
      server.anonymous().ask('POST', `/v1/oauth2/${path}`, { form });
    const refused = await ask({ grant_type: 'refresh_token', token: 'x' });
    expect([refused.status, refused.text]).toEqual([401, '{"error":"invalid_client"}']);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    const { id: client_id, secret: client_secret } = application;
    const empty = await ask({ grant_type: 'refresh_token', client_id, client_secret });
    expect([empty.status, empty.text]).toEqual([400, '{"error":"invalid_request"}']);
  });
});

describe('the token route', () => {
  it.each([
    ['no grant type', { grant_type: '' }, 'unsupported_grant_type'],
    ['an unknown grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['no code', { code: '' }, 'invalid_request'],
    ['no redirect address', { redirect_uri: '' }, 'invalid_request'],
    ['a malformed code', { code: '1234' }, 'invalid_grant'],
  ])('refuses %s', async (_, fields, error) => {
    const answer = await token({ ...exchangeForm(application, 'none'), ...fields });
    expect([answer.status, answer.text]).toEqual([400, JSON.stringify({ error })]);
  });

  it('takes forms only, each parameter once', async () => {
    const json = await server.anonymous().post('/v1/oauth2/token', exchangeForm(application, 'x'));
    expect([json.status, json.text]).toEqual([400, '{"error":"invalid_request"}']);
    const twice = await server.anonymous().ask('POST', '/v1/oauth2/token', {
      raw: `${new URLSearchParams(exchangeForm(application, 'x'))}&code=y`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([twice.status, twice.text]).toEqual([400, '{"error":"invalid_request"}']);
  });

  it('takes credentials as Basic', async () => {
    const { client_id, client_secret, ...form } = exchangeForm(
      application,
      await openForCode(member, team, application),
    );
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
    expect((await token(form, { Authorization: `Basic ${basic}` })).status).toBe(200);
    const missing = await token(form);
    expect([missing.status, missing.text]).toEqual([401, '{"error":"invalid_client"}']);
  });
});

describe('refreshing', () => {
  it('fifty at once all succeed; after the grace, reuse ends the family', async () => {
    const first = await authorize(member, team, application);
    const form = refreshForm(first.refresh_token);
    const answers = await Promise.all(Array.from({ length: 50 }, () => token(form)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const newest = answers[49]?.body;
    expect((await profile(newest.access_token)).status).toBe(200);
    server.clock.advance(11);
    expect((await token(form)).body).toEqual({ error: 'invalid_grant' });
    expect((await profile(newest.access_token)).code).toBe(4012);
    expect((await token(refreshForm(newest.refresh_token))).body).toEqual({ error: 'invalid_grant' });
  });

  it('access tokens live an hour, refresh tokens sixty days without use', async () => {
    const { access_token, refresh_token } = await authorize(member, team, application);
    server.clock.advance(3590);
    expect((await profile(access_token)).status).toBe(200);
    server.clock.advance(11);
    const expired = await profile(access_token);
    expect([expired.status, expired.body]).toEqual([
      401,
      { errors: [{ message: 'OAuth authorization error.', code: 4012, reason: 'access_denied' }] },
    ]);
    server.clock.advance(59 * 86_400);
    const second = await token(refreshForm(refresh_token));
    expect(second.status).toBe(200);
    server.clock.advance(61 * 86_400);
    expect((await token(refreshForm(second.body.refresh_token))).body).toEqual({ error: 'invalid_grant' });
    admin = await signInAgain(admin);
    member = await signInAgain(member);
  });

  it('is for the application that has the token', async () => {
    const other = await register(admin, host, { name: 'Other' });
    const { refresh_token } = await authorize(member, team, application);
    expect((await token(refreshForm(refresh_token, other))).body).toEqual({ error: 'invalid_grant' });
    expect((await token(refreshForm(refresh_token))).status).toBe(200);
  });
});

/** A session lasts a month without use, and these tests move the clock further. */
async function signInAgain(person: Person): Promise<Person> {
  const client = server.anonymous();
  await client.post('/v1/sessions', { email: person.email, password: 'a password of length' });
  return { ...person, client };
}

describe('revocation and introspection', () => {
  it('introspects a token, and revokes an access token alone or a family', async () => {
    const { access_token, refresh_token } = await authorize(member, team, application);
    const ask = (path: string, given: string) =>
      application.credentials.ask('POST', `/v1/oauth2/${path}`, { form: { token: given } });
    expect((await ask('introspect', access_token)).body).toMatchObject({
      active: true,
      client_id: application.id,
      sub: member.id,
      team,
    });
    await ask('revoke', access_token);
    expect((await profile(access_token)).code).toBe(4012);
    expect((await ask('introspect', access_token)).body).toEqual({ active: false });
    const renewed = await token(refreshForm(refresh_token));
    await ask('revoke', renewed.body.refresh_token);
    expect((await profile(renewed.body.access_token)).code).toBe(4012);
    expect((await ask('revoke', 'unknown')).status).toBe(200);
  });

  it('shows nothing to another application', async () => {
    const other = await register(admin, host, { name: 'Other' });
    const { access_token } = await authorize(member, team, application);
    const form = { token: access_token };
    const seen = await other.credentials.ask('POST', '/v1/oauth2/introspect', { form });
    expect(seen.body).toEqual({ active: false });
    await other.credentials.ask('POST', '/v1/oauth2/revoke', { form });
    expect((await profile(access_token)).status).toBe(200);
  });

  it('publishes its metadata', async () => {
    const { body } = await server.anonymous().get('/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      issuer: server.running.url,
      token_endpoint: `${server.running.url}/v1/oauth2/token`,
    });
  });
});

describe('the end of tokens', () => {
  it('uninstalling', async () => {
    const own = await register(admin, host);
    await install(admin, team, own);
    const { access_token, refresh_token } = await authorize(member, team, own);
    const code = await openForCode(member, team, own);
    await admin.client.delete(`/v1/teams/${team}/applications/${own.id}`);
    expect((await profile(access_token)).code).toBe(4012);
    expect((await token(refreshForm(refresh_token, own))).body).toEqual({ error: 'invalid_grant' });
    expect((await token(exchangeForm(own, code))).body).toEqual({ error: 'invalid_grant' });
  });

  it('uninstalling, also for codes that the next installation might take', async () => {
    const own = await register(admin, host);
    await install(admin, team, own);
    const code = await openForCode(member, team, own);
    await admin.client.delete(`/v1/teams/${team}/applications/${own.id}`);
    await install(admin, team, own);
    expect((await token(exchangeForm(own, code))).body).toEqual({ error: 'invalid_grant' });
    expect((await token(exchangeForm(own, await openForCode(member, team, own)))).status).toBe(200);
  });

  it('removing the member, also for codes that they might use when they are back', async () => {
    const guest = await signUp(server, 'Guest');
    await join(admin, team, guest);
    const code = await openForCode(guest, team, application);
    await admin.client.delete(`/v1/teams/${team}/users/${guest.id}`);
    expect((await token(exchangeForm(application, code))).body).toEqual({ error: 'invalid_grant' });
    await join(admin, team, guest);
    expect((await token(exchangeForm(application, code))).body).toEqual({ error: 'invalid_grant' });
  });

  it('deactivating the user, whose code and refresh token are of no use either', async () => {
    const guest = await signUp(server, 'Guest');
    await join(admin, team, guest);
    const { access_token, refresh_token } = await authorize(guest, team, application);
    const code = await openForCode(guest, team, application);
    await server.running.db.write((tx) =>
      tx.all(`UPDATE users SET active = 0 WHERE id = '${guest.id}' RETURNING id`, []),
    );
    expect((await profile(access_token)).code).toBe(4012);
    expect((await token(refreshForm(refresh_token))).body).toEqual({ error: 'invalid_grant' });
    expect((await token(exchangeForm(application, code))).body).toEqual({ error: 'invalid_grant' });
  });

  it('deleting the application', async () => {
    const own = await register(admin, host);
    await install(admin, team, own);
    const { access_token, refresh_token } = await authorize(member, team, own);
    await admin.client.delete(`/v1/applications/${own.id}`);
    expect((await profile(access_token)).code).toBe(4012);
    expect((await token(refreshForm(refresh_token, own))).status).not.toBe(200);
    expect((await own.credentials.get('/v1/oauth2/test/app')).code).toBe(4010);
  });

  it('uninstalling or removing while codes are exchanged, in any order', async () => {
    for (let round = 0; round < 12; round++) {
      const guest = await signUp(server, 'Guest');
      await join(admin, team, guest);
      const own = await register(admin, host);
      await install(admin, team, own);
      const forms = await Promise.all(
        Array.from({ length: 6 }, async () => exchangeForm(own, await openForCode(guest, team, own))),
      );
      const ended =
        round % 2 ? `/v1/teams/${team}/applications/${own.id}` : `/v1/teams/${team}/users/${guest.id}`;
      const [removal, ...answers] = await Promise.all([
        admin.client.delete(ended),
        ...forms.map((form) => token(form)),
      ]);
      expect(removal.status).toBe(200);
      for (const { status, body } of answers) {
        if (status === 200) expect((await profile(body.access_token)).code).toBe(4012);
        else expect(body).toEqual({ error: 'invalid_grant' });
      }
    }
  });

  it('removing the member, and closing the team', async () => {
    const guest = await signUp(server, 'Guest');
    await join(admin, team, guest);
    const { access_token } = await authorize(guest, team, application);
    await admin.client.delete(`/v1/teams/${team}/users/${guest.id}`);
    expect((await profile(access_token)).code).toBe(4012);
    const second = await makeTeam(admin, [guest]);
    await install(admin, second, application);
    const tokens = await authorize(guest, second, application);
    await admin.client.delete(`/v1/teams/${second}`);
    expect((await profile(tokens.access_token)).code).toBe(4012);
  });
});

describe('application credentials', () => {
  const url = '/v1/oauth2/test/app';

  it('are checked in the query and as Basic, whatever they look like', async () => {
    const query = `client_id=${application.id}&client_secret=${application.secret}`;
    expect((await server.anonymous().get(`${url}?${query}`)).body).toMatchObject({ meta: {}, data: [] });
    expect((await application.credentials.get(url)).status).toBe(200);
    const wrong = [
      '',
      `?client_id=${application.id}`,
      `?client_id=${application.id}&client_secret=1234567890`,
      `?client_id=x&client_secret=${application.secret}`,
      `?${query}&client_secret=x`,
      `?client_id=${application.id}&client_secret=${createHash('sha256').digest('hex')}`,
    ];
    for (const attempt of wrong) {
      const { status, body } = await server.anonymous().get(url + attempt);
      expect([status, body]).toEqual([401, { errors: [{ message: 'Not authorized', code: 4010 }] }]);
    }
  });

  it('are told apart from what another route takes (claim: credentials-advised)', async () => {
    const adviceOf = async (asked: Promise<{ body: object; headers: Headers }>) => {
      const { body, headers } = await asked;
      expect(body).toEqual({ errors: [{ code: 4010, message: 'Not authorized' }] });
      return headers.get('www-authenticate');
    };
    const nobody = server.anonymous();
    const { credentials } = application;
    expect(await adviceOf(nobody.get(url))).toMatch(/"This route takes the credentials of an application/);
    expect(await adviceOf(nobody.get(`${url}?client_id=x&client_secret=y`))).toMatch(/is wrong"$/);
    expect(await adviceOf(credentials.get('/v1/messages'))).toMatch(/an access token.* get a token at POST/);
    expect(await adviceOf(nobody.get('/v1/messages'))).toMatch(
      /"This route takes an access token or a session"$/,
    );
    const sessionsAlone = await adviceOf(credentials.get('/v1/sessions'));
    expect(sessionsAlone).toMatch(/takes a session, and not the credentials/);
  });

  it('keep the old secret for the overlap only', async () => {
    const own = await register(admin, host);
    const rotate = async (overlap_seconds: number) => {
      const answer = await admin.client.post(`/v1/applications/${own.id}/secret`, { overlap_seconds });
      return own.credentials.withCredentials(own.id, answer.data[0].client_secret);
    };
    const second = await rotate(60);
    expect((await own.credentials.get(url)).status).toBe(200);
    expect((await second.get(url)).status).toBe(200);
    server.clock.advance(61);
    expect((await own.credentials.get(url)).code).toBe(4010);
    const third = await rotate(0);
    expect((await second.get(url)).code).toBe(4010);
    expect((await third.get(url)).status).toBe(200);
  });
});

it('"Bearer" is matched without regard to case', async () => {
  const { access_token } = await authorize(member, team, application);
  const { status } = await server.anonymous().get('/v1/oauth2/test/app_as_user', {
    headers: { Authorization: `bEaReR ${access_token}` },
  });
  expect(status).toBe(200);
  expect((await server.anonymous().get('/v1/oauth2/test/app_as_user')).code).toBe(4010);
  expect((await server.anonymous().withToken('nonsense').get('/v1/oauth2/test/app_as_user')).code).toBe(4012);
});
