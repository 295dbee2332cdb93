/**
 * The attacker is any member of a server. They register an application whose callback address is a program on the server's own
 * machine (a database, an administration page, Parley itself) and have the server call it, to read the answer or to learn
 * which ports are open. A server that people reach from elsewhere calls no loopback address, in any spelling, and no
 * server calls itself. Where local applications are allowed by default, neither answers nor kinds of failure are shown.
 */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Person, setUp, signUp } from '../support/people.ts';
import { freePort } from '../support/process.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const SECRET = 'internal: the password is hunter2';
const MACHINE = 'machine.example';
const PUBLIC = 'https://chat.example.org';

let server: TestServer;
let internal: Server;
let port: number;
let own: number;
let called: number;
let mallory: Person;

beforeEach(async () => {
  called = 0;
  internal = createServer((_request, response) => {
    called++;
    response.writeHead(200, { 'X-Internal': SECRET }).end(SECRET);
  });
  await new Promise<void>((resolve) => internal.listen(0, '127.0.0.1', resolve));
  port = (internal.address() as AddressInfo).port;
});
afterEach(async () => {
  await server.stop();
  await new Promise((resolve) => internal.close(resolve));
});

/** Every name leads to this machine, as its own host name does. */
async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  const lookup = async () => [{ address: '127.0.1.1' }];
  own = await freePort();
  server = await startTestServer({ PORT: String(own), ...environment }, { lookup });
  mallory = await signUp(server, 'Mallory', setUp(server));
}

const register = (preinstall_url: string) =>
  mallory.client.post('/v1/applications', {
    name: 'Probe',
    base_url: 'https://mallory.example',
    preinstall_url,
    redirect_uris: ['https://mallory.example/cb'],
  });

/** @returns the attempt, as the owner sees it */
async function call(url: string) {
  const registered = await register(url);
  if (registered.status !== 200) return { refused: registered.body.errors[0].reason };
  const tested = await mallory.client.post(`/v1/applications/${registered.data[0].id}/test_callback`);
  return tested.data[0].attempts[0];
}

/** The addresses of this machine, with one port. */
const spellings = (at: number) => [
  `http://localhost:${at}/`,
  `http://sub.localhost:${at}/`,
  `http://127.0.0.1:${at}/`,
  `http://127.1:${at}/`,
  `http://2130706433:${at}/`,
  `http://0177.0.0.1:${at}/`,
  `http://0x7f.0.0.1:${at}/`,
  `http://127.0.0.1.:${at}/`,
  `http://[::1]:${at}/`,
  `https://localhost:${at}/`,
  `https://127.0.0.1:${at}/`,
];

describe('a server that people reach by a public address (claim: loopback-apps)', () => {
  beforeEach(() => start({ ALLOW_LOOPBACK_APPS: 'auto', BASE_URL: PUBLIC }));

  it('accepts no address of its own machine, in any spelling', async () => {
    for (const url of [...spellings(port), `http://[::ffff:127.0.0.1]:${port}/`]) {
      expect([url, await call(url)]).toEqual([url, { refused: 'preinstall_url' }]);
    }
    expect(called).toBe(0);
  });

  it('does not connect where a name leads to its own machine', async () => {
    const attempt = await call(`https://${MACHINE}:${port}/`);
    expect(attempt).toMatchObject({ reason: 'refused_address', response: null });
  });

  it('sends a page that loads no pictures from the machine of its reader', async () => {
    const page = await mallory.client.get('/', { headers: { Accept: 'text/html' } });
    expect(page.headers.get('content-security-policy')).not.toMatch(/localhost|127\.0\.0\.1/);
  });
});

describe('a server that allows applications on its machine', () => {
  it('does not call itself, in any spelling (claim: own-port)', async () => {
    await start({ ALLOW_LOOPBACK_APPS: 'yes', BASE_URL: PUBLIC });
    for (const url of [...spellings(own), `https://${MACHINE}:${own}/`]) {
      expect([url, (await call(url)).reason]).toEqual([url, 'refused_address']);
    }
    expect(await call(`${PUBLIC}/v1/users`)).toEqual({ refused: 'preinstall_url' });
  });

  it('by default shows neither what a local program answers, nor why a call failed', async () => {
    const silent = createTcpServer((socket) => socket.resume().end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    await start({ ALLOW_LOOPBACK_APPS: 'auto' });
    const answered = await call(`http://127.0.0.1:${port}/`);
    expect(called).toBe(1);
    expect(JSON.stringify(answered)).not.toContain('hunter2');
    expect(answered.response).toMatchObject({ status: 200, headers: {} });
    const failures = [
      `http://127.0.0.1:${await freePort()}/`,
      `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
      `https://127.0.0.1:${port}/`,
    ];
    for (const url of failures) expect([url, (await call(url)).reason]).toEqual([url, 'connection']);
    await new Promise((resolve) => silent.close(resolve));
  });

  it('shows the answers where the operator said yes', async () => {
    await start({ ALLOW_LOOPBACK_APPS: 'yes' });
    expect((await call(`http://127.0.0.1:${port}/`)).response.body).toBe(SECRET);
  });
});
