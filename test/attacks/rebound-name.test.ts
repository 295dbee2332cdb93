/**
 * The attacker lets a name of theirs lead to a server that only its own network reaches, and a page of theirs in the browser
 * of somebody there is then of the same origin. The server answers under its own name alone.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/process.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let port: number;

const start = async (environment: NodeJS.ProcessEnv) => {
  port = await freePort();
  server = await startTestServer({ PORT: String(port), HOST: '127.0.0.1', ...environment });
};

/** @returns the status of the answer, and what it says */
async function ask(lines: readonly string[]): Promise<{ status: number; text: string }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text };
}

const as = (host: string, path = '/v1/server', more: readonly string[] = []) =>
  ask([`GET ${path} HTTP/1.1`, `Host: ${host}`, ...more]);

describe('a server with BASE_URL (claim: own-name)', () => {
  beforeAll(() => start({ BASE_URL: 'https://chat.example.org', TRUST_PROXY: '1' }));
  afterAll(() => server.stop());

  it.each([
    'chat.example.org',
    'CHAT.Example.org',
    'chat.example.org.',
    'chat.example.org:443',
    'chat.example.org:3000',
    'chat.example.org.:3000',
  ])('answers as %s', async (host) => {
    expect((await as(host)).status).toBe(200);
  });

  it.each([
    'attacker.example',
    '127.0.0.1',
    'localhost:3000',
    '[::1]:3000',
    'example.org',
    'chat.example.org.attacker.example',
    'attacker.example#chat.example.org',
    'chat.example.org@attacker.example',
    'attacker.example@chat.example.org',
    'chat.example.org..',
    'chat.example.org:99999',
    'chat.example.org, attacker.example',
    'x y',
  ])('does not answer as %s', async (host) => {
    const { status, text } = await as(host);
    expect([host, status]).toEqual([host, 421]);
    expect(text).toContain('"code":4210');
  });

  it('believes no header that a client writes in its place', async () => {
    for (const header of ['X-Forwarded-Host', 'X-Host', 'Forwarded', ':authority'])
      expect((await as('attacker.example', '/v1/server', [`${header}: chat.example.org`])).status).not.toBe(
        200,
      );
    const forwarded = ['X-Forwarded-Host: attacker.example', 'X-Forwarded-For: 192.0.2.1'];
    expect((await as('chat.example.org', '/v1/server', forwarded)).status).toBe(200);
  });

  it('compares an address in the first line in the place of Host', async () => {
    expect((await as('chat.example.org', 'http://attacker.example/v1/server')).status).toBe(421);
    expect((await as('attacker.example', 'https://chat.example.org/v1/server')).status).toBe(200);
  });

  it('refuses pages, files, unknown addresses and requests that write as well', async () => {
    for (const path of [
      '/',
      '/docs',
      '/openapi.json',
      '/v1/nothing',
      '/v1/events',
      '/.well-known/security.txt',
      '/.well-known/oauth-authorization-server',
    ])
      expect([path, (await as('attacker.example', path)).status]).toEqual([path, 421]);
    expect((await as('attacker.example', '/.well-known/oauth-authorization-server')).text).toContain(
      '"code":4210',
    );
    for (const path of ['token', 'revoke', 'introspect']) {
      const lines = [`POST /v1/oauth2/${path} HTTP/1.1`, 'Host: attacker.example', 'Content-Length: 0'];
      const { status, text } = await ask(lines);
      expect([path, status]).toEqual([path, 421]);
      expect(text).toContain('{"error":"invalid_request"}');
    }
    const signUp = ['POST /v1/users HTTP/1.1', 'Host: attacker.example', 'Origin: http://attacker.example'];
    expect((await ask([...signUp, 'Content-Length: 0'])).status).toBe(421);
  });

  it('answers monitors under every name, and HTTP/1.0 without one', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await as('10.0.0.7:3000', path)).status).toBe(200);
    expect((await as('10.0.0.7:3000', '/metrics')).status).toBe(403);
    expect((await ask(['GET /v1/server HTTP/1.0'])).status).toBe(200);
    expect((await ask(['GET /v1/server HTTP/1.1'])).status).toBe(400);
  });
});

describe('a server with an IPv6 address', () => {
  beforeAll(() => start({ BASE_URL: 'http://[2001:db8::1]:3000' }));
  afterAll(() => server.stop());

  it('knows it in each spelling', async () => {
    for (const host of ['[2001:db8::1]:3000', '[2001:DB8:0:0::1]', '[2001:0db8::0001]:8080'])
      expect([host, (await as(host)).status]).toEqual([host, 200]);
    expect((await as('[2001:db8::2]:3000')).status).toBe(421);
  });
});

describe('a server without BASE_URL', () => {
  beforeAll(() => start({}));
  afterAll(() => server.stop());

  it('answers under every name', async () => {
    expect((await as('chat.example.org')).status).toBe(200);
  });
});
