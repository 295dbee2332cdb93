/*
 * The attacker has a session, a token or a secret, and sends the headers of requests with the first letter of their bodies.
 * They are let in then. The owner ends what let them in; the attacker sends the rest, up to a minute later, an upload later
 * still. The caller is looked up again once the body is there.
 */
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { install, makeTeam, type RegisteredApplication, register, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const { server, host, root, ada } = scene({ people: ['Root', 'Ada'] });
const PASSWORD = 'a password of length';
const sockets: Socket[] = [];
let team: string;
let app: RegisteredApplication;

beforeEach(async () => {
  await ada.client.post('/v1/sessions', { email: ada.email, password: PASSWORD });
  team = await makeTeam(ada);
  app = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, app);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** @returns a function that sends the rest, and gives the status of the answer */
async function halfOf(path: string, headers: Record<string, string>, body: string | Buffer) {
  const { hostname, port, host: authority, origin } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const bytes = Buffer.from(body);
  const all = {
    Host: authority,
    Origin: origin,
    'Content-Length': String(bytes.length),
    Expect: '100-continue',
    ...headers,
  };
  const head = [`POST ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(bytes.subarray(0, 1));
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk)).on('error', () => undefined);
  // The server has the headers, and has answered another caller since.
  await until(() => answer.startsWith('HTTP/1.1 100 '));
  for (let turn = 0; turn < 5; turn++) await root.client.get('/v1/users/me');
  answer = '';
  const begun = performance.now();
  return async () => {
    await until(() => performance.now() - begun > 150);
    socket.write(bytes.subarray(1));
    await until(() => /^HTTP\/1\.1 \d{3}/.test(answer));
    return Number(answer.slice(9, 12));
  };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const thief = () => ({ Cookie: ada.client.cookie, ...JSON_TYPE });
const asJson = (body: object) => JSON.stringify(body);

describe('a request whose body arrives after the session has ended (claim: half-sent-requests)', () => {
  afterEach(async () => {
    await ada.client.post('/v1/sessions', { email: ada.email, password: PASSWORD });
  });

  const bodies: Record<string, () => [string, object]> = {
    'a message': () => ['/v1/messages', { text: 'late', addressed_teams: [team] }],
    'an invitation as an admin': () => [
      `/v1/teams/${team}/invitations`,
      { emails: ['thief@example.org'], membership_type: 1 },
    ],
    'an application': () => [
      '/v1/applications',
      {
        name: 'Late',
        base_url: host.url,
        preinstall_url: `${host.url}/install`,
        redirect_uris: [`${host.url}/redirect`],
      },
    ],
    'a new secret': () => [`/v1/applications/${app.id}/secret`, { overlap_seconds: 0 }],
  };
  it.each(Object.entries(bodies))('is refused: %s', async (_, body) => {
    const [path, fields] = body();
    const rest = await halfOf(path, thief(), asJson(fields));
    await ada.client.copy().delete('/v1/sessions/current');
    expect(await rest()).toBe(401);
  });

  it('is refused: an upload', async () => {
    const form = new Response(
      (() => {
        const data = new FormData();
        data.append('file', new Blob(['late']), 'late.txt');
        return data;
      })(),
    );
    const type = { 'Content-Type': form.headers.get('content-type') ?? '' };
    const rest = await halfOf(
      '/v1/attachments',
      { Cookie: ada.client.cookie, ...type },
      Buffer.from(await form.arrayBuffer()),
    );
    await ada.client.copy().delete('/v1/sessions/current');
    expect(await rest()).toBe(401);
  });

  it('is answered where nothing has ended', async () => {
    const rest = await halfOf('/v1/messages', thief(), asJson({ text: 'slow', addressed_teams: [team] }));
    expect(await rest()).toBe(200);
  });
});

it('a request of an application that was suspended meanwhile is refused (claim: half-sent-requests)', async () => {
  const tokens = await app.credentials.ask('POST', '/v1/oauth2/token', {
    form: { grant_type: 'client_credentials', team },
  });
  const bearer = { Authorization: `Bearer ${tokens.body.access_token}`, ...JSON_TYPE };
  const basic = {
    Authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString('base64')}`,
    ...JSON_TYPE,
  };
  const posting = await halfOf('/v1/messages', bearer, asJson({ text: 'late', addressed_teams: [team] }));
  const subscribing = await halfOf(
    `/v1/applications/${app.id}/subscriptions`,
    basic,
    asJson({ kinds: ['message.posted'] }),
  );
  expect((await root.client.put(`/v1/admin/applications/${app.id}/suspension`)).status).toBe(200);
  expect(await posting()).toBe(401);
  expect(await subscribing()).toBe(403);
});

it('an administrator who is none any more does nothing (claim: half-sent-requests)', async () => {
  const eve = await signUp(server, 'Eve');
  await root.client.patch(`/v1/admin/users/${eve.id}`, { superuser: true });
  const { cookie } = eve.client;
  const rest = await halfOf(
    '/v1/messages',
    { Cookie: cookie, ...JSON_TYPE },
    asJson({ text: 'x', addressed_teams: [team] }),
  );
  await root.client.patch(`/v1/admin/users/${eve.id}`, { active: false });
  expect(await rest()).toBe(401);
});
