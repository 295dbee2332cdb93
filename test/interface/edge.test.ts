import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { ApplicationHost, authorize, install, makeTeam, register, signUp } from '../support/people.ts';
import { freePort, root } from '../support/process.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const PUBLIC = 'https://chat.example.org';
const FOREIGN = 'https://elsewhere.example';
const HTML = { Accept: 'text/html' };
let server: TestServer;
afterEach(() => server?.stop());

async function start(environment: NodeJS.ProcessEnv = {}): Promise<void> {
  server = await startTestServer({ PORT: String(await freePort()), ...environment });
}

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers, redirect: 'manual' });

describe('the headers of every answer', () => {
  const PATHS = ['/v1/server', '/v1/nothing', '/v1/users%', '/docs', '/openapi.json', '/healthz', '/'];

  it('forbid to guess types, and keep browsers with HTTPS (claim: answer-headers)', async () => {
    await start({ BASE_URL: PUBLIC });
    for (const path of PATHS) {
      const { headers } = await ask(path, HTML);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
      expect([path, headers.get('referrer-policy')]).toEqual([path, 'same-origin']);
    }
    const json = await ask('/v1/server');
    expect(json.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  it('promise no HTTPS on a plain HTTP server', async () => {
    await start();
    expect((await ask('/v1/server')).headers.get('strict-transport-security')).toBeNull();
  });

  it('let no other site frame the documents', async () => {
    await start();
    const policy = (await ask('/docs', HTML)).headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('upgrade-insecure-requests');
  });
});

describe('pages of other sites', () => {
  const preflight = (path: string, asked: string) =>
    ask(
      path,
      {
        Origin: FOREIGN,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': asked,
      },
      'OPTIONS',
    );

  it('call the interface with a token, and never with cookies (claim: cors)', async () => {
    await start();
    const host = await new ApplicationHost().start();
    const ada = await signUp(server, 'Ada');
    const team = await makeTeam(ada);
    const application = await register(ada, host);
    await install(ada, team, application);
    const { access_token } = await authorize(ada, team, application);
    await host.stop();
    const asked = await preflight('/v1/messages', 'authorization, content-type');
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization');
    const answers = [
      await ask('/v1/users/me', { Origin: FOREIGN, Authorization: `Bearer ${access_token}` }),
      await ask('/v1/users/me', { Origin: FOREIGN, Authorization: 'Bearer wrong' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    for (const { headers } of [asked, ...answers]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    const withCookie = await ask('/v1/users/me', { Origin: FOREIGN, Cookie: ada.client.cookie });
    expect(withCookie.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('are not let to the token route, nor in without a token', async () => {
    await start();
    const refused = [
      await preflight('/v1/oauth2/token', 'authorization'),
      await preflight('//v1//oauth2/token/', 'authorization'),
      await preflight('/v1/messages', 'content-type'),
      await preflight('/metrics', 'authorization'),
      await ask('/v1/oauth2/token', { Origin: FOREIGN, Authorization: 'Bearer x' }, 'POST'),
    ];
    for (const { status, headers } of refused) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('are counted with their preflights', async () => {
    await start({ RATE_LIMIT: 'on', RATE_LIMIT_ADDRESS: '2' });
    server.clock.toNextMinute();
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await preflight('/v1/messages', 'authorization')).status);
    expect(statuses).toEqual([204, 204, 429]);
  });

  it('are kept out where the operator says so', async () => {
    await start({ CORS: 'off' });
    const { status, headers } = await preflight('/v1/messages', 'authorization');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });
});

describe('metrics', () => {
  it('are refused to everybody without a token, also on this machine (claim: metrics-token)', async () => {
    await start();
    expect((await ask('/metrics')).status).toBe(403);
    expect((await ask('/metrics', { Authorization: 'Bearer ' })).status).toBe(403);
    await server.stop();
    await start({ METRICS_TOKEN: 'a-token' });
    for (const token of ['', 'another-token'])
      expect((await ask('/metrics', { Authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it('report queue lengths and open streams', async () => {
    await start({ METRICS_TOKEN: 'a-token' });
    expect((await ask('/metrics')).status).toBe(401);
    const answer = await ask('/metrics', { Authorization: 'Bearer a-token', 'X-Forwarded-For': '192.0.2.1' });
    const text = await answer.text();
    expect(text).toContain('parley_queue_waiting{queue="callbacks"} 0');
    expect(text).toContain('parley_queue_oldest_seconds{queue="mails"} 0');
    expect(text).toContain('parley_streams 0');
  });
});

describe('well-known addresses', () => {
  it('name the security contact, if one is set', async () => {
    await start({ SECURITY_CONTACT: 'mailto:security@example.org', BASE_URL: PUBLIC });
    const text = await (await ask('/.well-known/security.txt')).text();
    expect(text).toContain('Contact: mailto:security@example.org\n');
    expect(text).toContain(`Canonical: ${PUBLIC}/.well-known/security.txt\n`);
    const [, expires = ''] = /Expires: (\S+)/.exec(text) ?? [];
    expect(Date.parse(expires)).toBeGreaterThan(server.clock.now());
    await server.stop();
    await start();
    expect((await ask('/.well-known/security.txt')).status).toBe(404);
  });

  it('lead to the page where a password is changed', async () => {
    await start();
    const answer = await ask('/.well-known/change-password');
    expect(answer.status).toBe(303);
    const page = await ask(answer.headers.get('location') ?? '', HTML);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });
});

it('a backup cannot be downloaded unless the operator allows it (claim: backup-off)', async () => {
  await start({ ADMIN_BACKUP: '' });
  const admin = await signUp(server, 'Root');
  const answer = await new Client(server.url, { Cookie: admin.client.cookie }).get('/v1/admin/backup');
  expect([answer.status, answer.body.errors[0].reason]).toEqual([403, 'backup_off']);
});

it('the dependencies of the server are printed from the lock file', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    env: { ...process.env, npm_config_offline: 'true' },
    maxBuffer: 64 * 1024 * 1024,
  });
  const { bomFormat, components } = JSON.parse(stdout) as {
    bomFormat: string;
    components: { name: string; version: string }[];
  };
  expect(bomFormat).toBe('CycloneDX');
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const needed = Object.entries<{ version: string; dev?: boolean }>(lock.packages)
    .filter(([place, { dev }]) => place !== '' && !dev)
    .map(([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`);
  expect(needed).toContain(`pg@${lock.packages['node_modules/pg'].version}`);
  const listed = components.map(({ name, version }) => `${name}@${version}`);
  expect(new Set(listed)).toEqual(new Set(needed));
});
