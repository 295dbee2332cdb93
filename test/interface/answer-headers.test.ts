import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf, subscribe } from '../support/feed.ts';
import { documentedOperations } from '../support/openapi.ts';
import {
  ApplicationHost,
  type Person,
  type RegisteredApplication,
  register,
  setUp,
  signUp,
} from '../support/people.ts';
import { freePort } from '../support/process.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const PUBLIC = 'chat.example.org';
const EXPECTED = {
  'x-content-type-options': 'nosniff',
  // Stricter where an application leads to.
  'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
  'strict-transport-security': 'max-age=31536000',
};
/** Seconds until a body must have arrived. */
const REQUEST_TIMEOUT = '1';

let server: TestServer;
let port: number;
let person: Person;
let application: RegisteredApplication;
let subscription: string;
const host = new ApplicationHost();

beforeAll(async () => {
  await host.start();
  port = await freePort();
  server = await startTestServer({ PORT: String(port), BASE_URL: `https://${PUBLIC}`, REQUEST_TIMEOUT });
  person = await signUp(server, 'Ada', setUp(server));
  application = await register(person, host);
  subscription = (await subscribe(application)).id;
});
afterAll(async () => {
  await server.stop();
  await host.stop();
});

const shown = (headers: Headers) =>
  Object.fromEntries(Object.keys(EXPECTED).map((name) => [name, headers.get(name)]));

const isStream = ({ path }: { path: string }) => path === '/v1/events' || path.endsWith('/stream');

/** @returns the status and the headers of what is answered to these bytes */
async function answerTo(bytes: string): Promise<[number, Headers]> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  const [first = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]));
  return [Number(first.split(' ')[1]), headers];
}

const head = (...lines: string[]) => [...lines, `Host: ${PUBLIC}`, 'Connection: close', '', ''].join('\r\n');

describe('claim: answer-headers', () => {
  it.each(
    documentedOperations()
      .filter((operation) => !isStream(operation) && operation.path !== '/v1/sessions/current')
      .map(({ method, path }) => [method, path] as const),
  )('%s %s, with and without a session', async (method, path) => {
    const url = path.replaceAll(/\{[^}]+\}/g, '0190cafe-0000-7000-8000-000000000000');
    for (const client of [server.anonymous(), person.client.copy()]) {
      const { status, headers } = await client.ask(method, url, {});
      expect([status, shown(headers)]).toEqual([status, EXPECTED]);
    }
  });

  it('streams, which are not to be changed on their way', async () => {
    const streams = [
      ['/v1/events', person.client],
      [`${pathOf(application, subscription)}/stream`, application.credentials],
    ] as const;
    for (const [path, client] of streams) {
      const leaving = new AbortController();
      const { signal } = leaving;
      const { status, headers } = await fetch(server.url + path, { headers: client.credentials(), signal });
      leaving.abort();
      expect([path, status, shown(headers)]).toEqual([path, 200, EXPECTED]);
      expect(headers.get('cache-control')).toBe('no-store, no-transform');
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    }
    const refused = await fetch(`${server.url}/v1/events`);
    expect([refused.status, shown(refused.headers)]).toEqual([401, EXPECTED]);
  });

  it.each([
    [400, 'no HTTP', 'what is this\r\n\r\n'],
    [400, 'no Host', 'GET /v1/server HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [404, 'an address that cannot be decoded', head('GET /v1/users% HTTP/1.1')],
    [
      408,
      'a body that does not come',
      head('POST /v1/users HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 9'),
    ],
    [
      413,
      'too long a body',
      head('POST /v1/sessions HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 99999999'),
    ],
    [405, 'another method', head('PROPFIND /v1/server HTTP/1.1')],
    [421, 'another name', head('GET /v1/server HTTP/1.1').replace(PUBLIC, 'attacker.example')],
    [431, 'too large a head', head('GET /v1/server HTTP/1.1', `X-Long: ${'x'.repeat(20_000)}`)],
    [200, 'an unknown expectation', head('GET /v1/server HTTP/1.1', 'Expect: a-miracle')],
  ])('%i for %s', async (status, _, bytes) => {
    const [answered, headers] = await answerTo(bytes);
    expect([answered, shown(headers)]).toEqual([status, EXPECTED]);
  });
});
