/*
 * A person has just started a server on their machine, and looks at a page of another site in the same browser. The
 * page sends a sign-up to localhost: the first account administers the server. It may even ask by CORS, which is open
 * to callers with a token. No preflight opens a route that takes no token, and a request that a page of another site
 * causes needs the link of the start, as one from another machine does.
 */
import { afterEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
afterEach(() => server?.stop());

const FOREIGN = 'https://elsewhere.example';

const signUp = (headers: Record<string, string>) =>
  server.running.inject({
    method: 'POST',
    url: '/v1/users',
    headers: { host: 'localhost:3000', ...headers },
    payload: {
      email: 'mallory@example.org',
      password: 'a password of length',
      first_name: 'Mallory',
      last_name: 'Test',
    },
  });

const preflight = (url: string, method: string) =>
  server.running.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin: FOREIGN,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  });

it('a page of another site does not make the first account', async () => {
  server = await startTestServer({ REGISTRATION: 'open' });
  const foreign: Record<string, string>[] = [
    { origin: FOREIGN, authorization: 'Bearer x' },
    { origin: FOREIGN },
    { origin: 'null' },
    { origin: 'http://localhost:4000' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    const { statusCode, payload } = await signUp(headers);
    expect([headers, statusCode]).toEqual([headers, 403]);
    expect(JSON.parse(payload).errors[0].reason).toBe('setup_link_needed');
  }
  const own = await signUp({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' });
  expect(JSON.parse(own.payload).data[0].superuser).toBe(true);
});

it('a preflight opens no route that takes no token, in whichever spelling', async () => {
  server = await startTestServer();
  const closed: [string, string][] = [
    ['/v1/users', 'POST'],
    ['/v1/sessions', 'POST'],
    ['/v1/password_resets', 'POST'],
    ['/v1/admin/users', 'GET'],
    ['/v1/oauth2/token', 'POST'],
    ['/v1/oauth2/toke%6e', 'POST'],
    ['/v1/oauth2/revok%65', 'POST'],
    ['/v1/nothing', 'GET'],
  ];
  for (const [url, method] of closed) {
    const { headers } = await preflight(url, method);
    expect([url, headers['access-control-allow-origin']]).toEqual([url, undefined]);
  }
  const spelt = {
    method: 'POST',
    url: '/v1/oauth2/toke%6e',
    headers: { authorization: 'Bearer x' },
  } as const;
  expect((await server.running.inject(spelt)).headers['access-control-allow-origin']).toBeUndefined();
  const open = await preflight('/v1/users/me', 'GET');
  expect([open.statusCode, open.headers['access-control-allow-origin']]).toEqual([204, '*']);
});
