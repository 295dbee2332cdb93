/*
 * A scanner finds a server that was just published and signs up before its owner does: the first account administers
 * the server. Where other machines can reach the server, the first account needs the link that the start prints.
 * The link is the same on every node of one database, works once, and no route tells it.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { startServer } from '../../src/app/start.ts';
import { readConfig } from '../../src/process/config.ts';
import { Client } from '../support/client.ts';
import { freePort } from '../support/process.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
afterEach(() => server?.stop());

const account = (name: string, fields: object = {}) => ({
  email: `${name}@example.org`,
  password: 'a password of length',
  first_name: name,
  last_name: 'Test',
  ...fields,
});
const tokenOf = (link: string | undefined) => new URL(link ?? '').hash.slice(1);

describe.each([
  ['a public address', { BASE_URL: 'https://chat.example.org' }],
  ['a host for every interface', { HOST: '0.0.0.0', ALLOW_LOOPBACK_APPS: 'no' }],
  ['a proxy', { TRUST_PROXY: 'yes' }],
])('a server with %s', (_, settings) => {
  it('gives its first account to the holder of the link (claim: first-account-needs-link)', async () => {
    const port = await freePort();
    server = await startTestServer({ REGISTRATION: 'open', PORT: String(port), ...settings });
    const scanner = new Client(server.url);
    const { text, data } = await scanner.get('/v1/server');
    expect(data[0]).toMatchObject({ needs_setup: true, needs_setup_link: true });
    const token = tokenOf(server.running.setUpUrl);
    expect(text).not.toContain(token);
    for (const setup_token of [undefined, '', 'guess', `${token}x`]) {
      const answer = await scanner.post('/v1/users', account('mallory', { setup_token }));
      expect([answer.status, answer.body.errors[0].reason]).toEqual([403, 'setup_link_needed']);
    }
    const owner = await new Client(scanner.url).post('/v1/users', account('ada', { setup_token: token }));
    expect([owner.status, owner.data[0].superuser]).toEqual([200, true]);
    // From then on it is worth nothing.
    const late = await scanner.post('/v1/users', account('mallory', { setup_token: token }));
    expect(late.data[0].superuser).toBe(false);
    expect((await scanner.get('/v1/server')).data[0]).toMatchObject({
      needs_setup: false,
      needs_setup_link: false,
    });
  });
});

it('a server on localhost takes its first account from the machine itself, and from nowhere else', async () => {
  server = await startTestServer({ REGISTRATION: 'closed' });
  const from = (headers: Record<string, string>) =>
    server.running.inject({ method: 'POST', url: '/v1/users', headers, payload: account('mallory') });
  // A proxy that the settings do not mention, and a name that an attacker made lead to this machine.
  const elsewhere: Record<string, string>[] = [
    { host: 'localhost', 'x-forwarded-for': '192.0.2.1' },
    { host: 'localhost', forwarded: 'for=192.0.2.1' },
    { host: 'rebound.example.org' },
  ];
  for (const headers of elsewhere) {
    const { statusCode, payload } = await from(headers);
    expect([statusCode, JSON.parse(payload).errors[0].reason]).toEqual([403, 'setup_link_needed']);
  }
  expect((await server.anonymous().post('/v1/users', account('ada'))).data[0].superuser).toBe(true);
});

it('of many who send the link at once, one administers the server', async () => {
  server = await startTestServer({ REGISTRATION: 'open', TRUST_PROXY: 'yes' });
  const setup_token = tokenOf(server.running.setUpUrl);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      new Client(server.url).post('/v1/users', account(`racer${n}`, n % 2 === 0 ? { setup_token } : {})),
    ),
  );
  const administrators = answers.filter(({ status, data }) => status === 200 && data[0].superuser);
  expect(administrators).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(3);
});

it('another node and another start print the same link', async () => {
  server = await startTestServer({ TRUST_PROXY: 'yes' });
  const first = tokenOf(server.running.setUpUrl);
  const settings = { ...server.environment, PORT: String(await freePort()) };
  const other = await startServer(readConfig(settings, ''), { clock: server.clock.now });
  try {
    expect(tokenOf(other.setUpUrl)).toBe(first);
  } finally {
    await other.stop();
  }
  await server.anonymous().post('/v1/users', account('ada', { setup_token: first }));
  const later = await startServer(readConfig(settings, ''), { clock: server.clock.now });
  try {
    expect(later.setUpUrl).toBeUndefined();
  } finally {
    await later.stop();
  }
});
