import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ApplicationHost,
  authorize,
  exchangeForm,
  install,
  makeTeam,
  openForCode,
  register,
  signUp,
} from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
afterEach(() => server.stop());

describe('the log', () => {
  it('has a line a request, and never a secret, token, code or cookie (claim: logs-hold-no-secrets)', async () => {
    let log = '';
    const memory = new Writable({
      write: (chunk, _, done) => {
        log += chunk;
        done();
      },
    });
    server = await startTestServer({}, { logger: pino({ level: 'debug' }, memory) });
    const host = await new ApplicationHost().start();
    const ada = await signUp(server, 'Ada');
    const team = await makeTeam(ada);
    const application = await register(ada, host);
    await install(ada, team, application);
    const code = await openForCode(ada, team, application);
    await server.anonymous().ask('POST', '/v1/oauth2/token', {
      form: { ...exchangeForm(application, code), client_secret: 'wrong' },
    });
    const tokens = await authorize(ada, team, application);
    const credentials = `client_id=${application.id}&client_secret=${application.secret}`;
    await server.anonymous().get(`/v1/oauth2/test/app?${credentials}`);
    await server.anonymous().withToken(tokens.access_token).get('/v1/users/me');
    const signIn = await server.anonymous().post('/v1/sessions', {
      email: ada.email,
      password: 'a password of length',
    });
    const invited = await ada.client.post(`/v1/teams/${team}/invitations`, { emails: ['x@example.org'] });
    await ada.client.put(`/v1/invitations/${invited.data[0].token}`);
    await host.stop();
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const answered = lines.filter((line) => line.msg === 'answered');
    expect(answered.length).toBeGreaterThan(10);
    expect(answered[0]).toMatchObject({ method: 'POST', route: '/v1/users', status: 200 });
    expect(typeof answered[0].id).toBe('string');
    expect(typeof answered[0].milliseconds).toBe('number');
    const cookie = signIn.headers.getSetCookie()[0]?.split('=')[1]?.split(';')[0] ?? '';
    const secrets = [
      application.secret,
      code,
      tokens.access_token,
      tokens.refresh_token,
      invited.data[0].token,
    ];
    for (const secret of [...secrets, cookie, decodeURIComponent(cookie), 'a password of length']) {
      expect(secret.length).toBeGreaterThan(10);
      expect(log).not.toContain(secret);
    }
  });
});

describe('rate limits', () => {
  it('appear in every answer, and refuse with the seconds to wait', async () => {
    server = await startTestServer({ RATE_LIMIT: 'on', RATE_LIMIT_TOKEN: '3' });
    server.clock.toNextMinute();
    const ada = await signUp(server, 'Ada');
    const first = await ada.client.get('/v1/users/me');
    expect(first.headers.get('ratelimit')).toMatch(/^"token";r=2;t=\d+$/);
    expect(first.headers.get('ratelimit-policy')).toBe('"token";q=3;w=60');
    await ada.client.get('/v1/users/me');
    await ada.client.get('/v1/users/me');
    const refused = await ada.client.get('/v1/users/me');
    expect([refused.status, refused.code]).toEqual([429, 4290]);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    server.clock.advance(wait);
    expect((await ada.client.get('/v1/users/me')).status).toBe(200);
  });

  it('are stricter where passwords and tokens could be guessed', async () => {
    server = await startTestServer({
      RATE_LIMIT: 'on',
      RATE_LIMIT_ACCOUNT: '2',
      RATE_LIMIT_SIGN_IN: '5',
      RATE_LIMIT_STRICT: '1',
    });
    server.clock.toNextMinute();
    const attempt = (email: string) => server.anonymous().post('/v1/sessions', { email, password: 'guess' });
    expect((await attempt('a@example.org')).code).toBe(4010);
    expect((await attempt('A@example.org')).code).toBe(4010);
    expect((await attempt('a@example.org')).code).toBe(4290);
    expect((await attempt('b@example.org')).code).toBe(4010);
    expect((await attempt('c@example.org')).code).toBe(4010);
    expect((await attempt('d@example.org')).code).toBe(4290);
    const token = () => server.anonymous().ask('POST', '/v1/oauth2/token', { form: { grant_type: 'x' } });
    expect((await token()).status).toBe(401);
    const second = await token();
    expect([second.status, second.body]).toEqual([429, { error: 'temporarily_unavailable' }]);
    server.clock.toNextMinute();
    const ada = await signUp(server, 'Ada');
    const push = () => ada.client.post(`/v1/users/me/push_subscriptions/${ada.id}/test`);
    expect((await push()).code).toBe(4040);
    expect((await push()).code).toBe(4290);
  });
});

describe('signing up', () => {
  const fields = (email: string, more: object = {}) => ({
    email,
    password: 'a password of length',
    first_name: 'N',
    last_name: '',
    ...more,
  });

  it.each([
    ['invite', 'invitation_needed'],
    ['closed', 'registration_closed'],
  ])('REGISTRATION=%s lets the first account in, and then refuses', async (REGISTRATION, reason) => {
    server = await startTestServer({ REGISTRATION });
    const ada = await signUp(server, 'Ada');
    const refused = await server.anonymous().post('/v1/users', fields('x@example.org'));
    expect(refused.body.errors[0]).toMatchObject({ code: 4030, reason });
    const team = await makeTeam(ada);
    const { data } = await ada.client.post(`/v1/teams/${team}/invitations`, { emails: ['x@example.org'] });
    const invited = await server
      .anonymous()
      .post('/v1/users', fields('x@example.org', { invitation: data[0].token }));
    expect(invited.status).toBe(REGISTRATION === 'invite' ? 200 : 403);
  });

  it('of many at once, one is the first, and the others need an invitation', async () => {
    server = await startTestServer({ REGISTRATION: 'invite' });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        server.anonymous().post('/v1/users', fields(`user${n}@example.org`)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403, 403]);
  });

  it('an address has one account, whatever its case; of many at once, one is the administrator', async () => {
    server = await startTestServer();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        server.anonymous().post('/v1/users', fields(`user${n}@example.org`)),
      ),
    );
    expect(answers.filter(({ data }) => data[0].superuser)).toHaveLength(1);
    expect((await server.anonymous().post('/v1/users', fields('USER0@example.org'))).code).toBe(4090);
    expect((await server.anonymous().post('/v1/users', fields('no address'))).code).toBe(4002);
  });
});

it('PROFILE_VISIBILITY=connections shows profiles within common teams only', async () => {
  server = await startTestServer({ PROFILE_VISIBILITY: 'connections' });
  const [ada, bob, stranger] = [
    await signUp(server, 'A'),
    await signUp(server, 'B'),
    await signUp(server, 'C'),
  ];
  await makeTeam(ada, [bob]);
  expect((await ada.client.get(`/v1/users/${bob.id}`)).status).toBe(200);
  expect((await ada.client.get(`/v1/users/${ada.id}`)).status).toBe(200);
  expect((await ada.client.get(`/v1/users/${stranger.id}`)).code).toBe(4001);
});

describe('pictures', () => {
  it('are uploaded, made into every size, shown and taken away', async () => {
    server = await startTestServer();
    const ada = await signUp(server, 'Ada');
    const red = { r: 200, g: 0, b: 0 };
    const png = await sharp({ create: { width: 900, height: 400, channels: 3, background: red } })
      .png()
      .toBuffer();
    const upload = async (bytes: Uint8Array) => {
      const raw = new FormData();
      raw.set('file', new Blob([new Uint8Array(bytes)]), 'me.png');
      return ada.client.ask('PUT', '/v1/users/me/image', { raw });
    };
    const { data } = await upload(png);
    const shown = await fetch(data[0].image.icon);
    expect(shown.headers.get('content-type')).toBe('image/webp');
    const { width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
    expect([width, height]).toEqual([64, 64]);
    expect((await ada.client.get('/v1/users/me')).data[0].images).toEqual([data[0].image]);
    expect((await upload(Buffer.from('<svg onload="alert(1)"/>'))).code).toBe(4002);
    const without = await ada.client.delete('/v1/users/me/image');
    expect(without.data[0].image.icon).not.toBe(data[0].image.icon);
    expect((await fetch(data[0].image.icon)).status).toBe(404);
    expect((await ada.client.get('/v1/users/me')).data[0].images).toEqual([]);
  });

  it.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'that breaks off',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"',
    ],
    ['that is no multipart', 'multipart/form-data; boundary=b', '{}'],
    ['that is empty', 'multipart/form-data; boundary=b', ''],
  ])('an upload %s is refused', async (_, type, raw) => {
    server = await startTestServer();
    const ada = await signUp(server, 'Ada');
    const answer = await ada.client.ask('PUT', '/v1/users/me/image', {
      raw,
      headers: { 'Content-Type': type },
    });
    expect([answer.status, answer.body.errors[0].code]).toEqual(
      expect.arrayContaining([400, expect.toBeOneOf([4000, 4002])]),
    );
  });
});

describe('malformed HTTP', () => {
  /** Sends bytes as they are. @returns status and parsed body of the answer */
  async function send(bytes: string) {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    const answer = await text(socket);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
  }

  it.each([
    ['broken HTTP', 'nonsense\r\n\r\n', 400, 4000],
    ['a header without a colon', 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n', 400, 4000],
    [
      'a body with two lengths',
      'POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      4000,
    ],
    ['too large headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 4310],
  ])('%s gets an error of ours', async (_, bytes, status, code) => {
    server = await startTestServer();
    expect(await send(bytes)).toEqual({
      status,
      body: { errors: [{ code, message: expect.any(String) }] },
    });
  });

  it.each(['/v1/users/%', '/v1/users/%ff', '/v1/teams/%c0%af/users'])('%s is no address', async (path) => {
    server = await startTestServer();
    const ada = await signUp(server, 'Ada');
    const { status, body } = await ada.client.get(path);
    expect([status, body.errors[0].code]).toEqual([404, 4040]);
  });
});

it('sessions are listed, ended one by one, and all but the present one by a new password', async () => {
  server = await startTestServer();
  const ada = await signUp(server, 'Ada');
  const other = server.anonymous();
  const signIn = { email: ada.email, password: 'a password of length' };
  await other.post('/v1/sessions', signIn);
  const { data } = await ada.client.get('/v1/sessions');
  expect(data.map(({ current }) => current).sort()).toEqual([false, true]);
  const change = { current: signIn.password, password: 'a new password of length' };
  expect((await ada.client.post('/v1/users/me/password', change)).status).toBe(200);
  expect((await other.get('/v1/users/me')).code).toBe(4010);
  expect((await ada.client.get('/v1/users/me')).status).toBe(200);
  expect((await other.post('/v1/sessions', signIn)).code).toBe(4010);
  expect((await ada.client.delete('/v1/sessions/current')).status).toBe(200);
  expect((await ada.client.get('/v1/users/me')).code).toBe(4010);
});

it('a session lives on by being used, but not for ever (claim: sessions-end)', async () => {
  server = await startTestServer({ SESSION_LIFETIME: '120', SESSION_MAX_LIFETIME: '1000' });
  const { email, client } = await signUp(server, 'Ada');
  for (let times = 0; times < 4; times++) {
    server.clock.advance(90);
    expect((await client.get('/v1/users/me')).status).toBe(200);
  }
  const signIn = { email, password: 'a password of length' };
  const { headers } = await server.anonymous().post('/v1/sessions', signIn);
  const [, seconds] = /Max-Age=(\d+)/.exec(headers.getSetCookie()[0] ?? '') ?? [];
  expect(Number(seconds)).toBe(1000);
  for (let times = 0; times < 7; times++) {
    server.clock.advance(90);
    expect((await client.get('/v1/users/me')).status).toBe(200);
  }
  // Used all the time, it ends 1000 seconds after signing in.
  server.clock.advance(20);
  expect((await client.get('/v1/users/me')).code).toBe(4010);
});

it('a session that is used outlives the shortest lifetime', async () => {
  server = await startTestServer({ SESSION_LIFETIME: '60' });
  const { client } = await signUp(server, 'Ada');
  for (let times = 0; times < 10; times++) {
    server.clock.advance(40);
    expect((await client.get('/v1/users/me')).status).toBe(200);
  }
  server.clock.advance(61);
  expect((await client.get('/v1/users/me')).code).toBe(4010);
});

it('no cache stores private answers or refusals', async () => {
  server = await startTestServer();
  const { client } = await signUp(server, 'Ada');
  for (const path of ['/v1/users/me', '/v1/sessions', '/v1/messages', '/v1/teams/unknown', '/v1/unknown'])
    expect((await client.get(path)).headers.get('cache-control'), path).toBe('no-store');
  const refused = await server.anonymous().get('/v1/users/me');
  expect([refused.code, refused.headers.get('cache-control')]).toEqual([4010, 'no-store']);
});

it('a password that was right when it was looked at, and is changed by then, neither lets in nor sets another', async () => {
  server = await startTestServer();
  const { db } = server.running;
  const ada = await signUp(server, 'Ada');
  const other = server.anonymous();
  const [old, present] = ['a password of length', 'a new password of length'];
  await other.post('/v1/sessions', { email: ada.email, password: old });
  const beforeNextWrite = (act: () => Promise<unknown>) => {
    const real = db.batch.bind(db);
    const batch = vi.spyOn(db, 'batch').mockImplementation(async (work, item, options) => {
      // Workers write, too.
      if (!new Error().stack?.includes('.routes.ts')) return real(work, item, options);
      batch.mockRestore();
      await act();
      return db.batch(work, item, options);
    });
  };
  const change = (current: string, password: string, client = ada.client) =>
    client.post('/v1/users/me/password', { current, password });

  beforeNextWrite(() => change(old, present));
  expect((await change(old, 'what a thief would choose', other)).code).toBe(4010);
  beforeNextWrite(() => change(present, old));
  expect((await server.anonymous().post('/v1/sessions', { email: ada.email, password: present })).code).toBe(
    4010,
  );
  expect((await ada.client.get('/v1/sessions')).data).toHaveLength(1);
  expect((await server.anonymous().post('/v1/sessions', { email: ada.email, password: old })).status).toBe(
    200,
  );
});

it('health, readiness and metrics', async () => {
  server = await startTestServer({ METRICS_TOKEN: 'let-me-see' });
  const anonymous = server.anonymous();
  expect((await anonymous.get('/healthz')).body).toEqual({ status: 'alive' });
  expect((await anonymous.get('/readyz')).body).toEqual({ status: 'ready' });
  expect((await anonymous.get('/metrics')).code).toBe(4010);
  const { text } = await anonymous.get('/metrics', { headers: { Authorization: 'Bearer let-me-see' } });
  expect(text).toContain('parley_http_request_seconds_count{method="GET",route="/healthz",status="200"} 1');
});
