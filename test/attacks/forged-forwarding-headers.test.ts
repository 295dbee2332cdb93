/**
 * The attacker writes X-Forwarded-For into their requests, a new address in each, to get a new allowance of guesses each time and to
 * have the audit log name somebody else. The proxy appends the address that it sees, so only what stands behind the
 * attacker's text counts. Without a trusted proxy the header is ignored. A caller who owns a /64 of IPv6 is one caller.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { setUp, signUp } from '../support/people.ts';
import { type ForwardingProxy, startProxy } from '../support/proxy.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const QUOTA = 5;
let server: TestServer;
let proxies: ForwardingProxy[] = [];
afterEach(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  proxies = [];
  await server.stop();
});

async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  const limits = { RATE_LIMIT: 'on', RATE_LIMIT_SIGN_IN: String(QUOTA) };
  server = await startTestServer({ ...limits, ...environment });
  server.clock.toNextMinute();
}

async function proxyTo(url: string): Promise<ForwardingProxy> {
  const proxy = await startProxy(url);
  proxies.push(proxy);
  return proxy;
}

const guess = (url: string, forged: string) =>
  new Client(url).ask('POST', '/v1/sessions', {
    json: { email: 'nobody@example.org', password: 'a guess' },
    headers: { 'X-Forwarded-For': forged },
  });

/** One guess more than the quota, each with another forged text. @returns the last status */
async function guessTooOften(url: string, forge: (attempt: number) => string): Promise<number> {
  let status = 0;
  for (let attempt = 0; attempt <= QUOTA; attempt++) status = (await guess(url, forge(attempt))).status;
  return status;
}

const FORGED: [string, (attempt: number) => string][] = [
  ['an address', (n) => `198.51.100.${n}`],
  ['several addresses', (n) => `198.51.100.${n}, 203.0.113.${n}`],
  ['no address', (n) => `nonsense-${n}`],
  ['an address before no address', (n) => `198.51.100.${n}, nonsense-${n}`],
  ['an address with a port', (n) => `198.51.100.7:${1000 + n}`],
];

describe('behind one proxy (claim: forwarded-address)', () => {
  it.each(FORGED)('%s before what the proxy appends changes nothing', async (_name, forge) => {
    await start({ TRUST_PROXY: 'yes' });
    const { url } = await proxyTo(server.url);
    expect(await guessTooOften(url, forge)).toBe(429);
  });

  it('callers at other addresses are not refused with the attacker', async () => {
    await start({ TRUST_PROXY: '127.0.0.0/8' });
    const proxy = await proxyTo(server.url);
    expect(await guessTooOften(proxy.url, (n) => `198.51.100.${n}`)).toBe(429);
    proxy.client = '192.0.2.2';
    expect((await guess(proxy.url, '192.0.2.1')).status).toBe(401);
  });

  it('the addresses of one IPv6 network are one caller', async () => {
    await start({ TRUST_PROXY: '1' });
    const proxy = await proxyTo(server.url);
    for (let attempt = 0; attempt < QUOTA; attempt++) {
      proxy.client = `2001:db8:1:2::${attempt}`;
      expect((await guess(proxy.url, '')).status).toBe(401);
    }
    proxy.client = '2001:db8:1:2:ffff::1';
    expect((await guess(proxy.url, '')).status).toBe(429);
    proxy.client = '2001:db8:1:3::1';
    expect((await guess(proxy.url, '')).status).toBe(401);
  });

  it('the audit log names the address that the proxy saw', async () => {
    await start({ TRUST_PROXY: 'loopback' });
    const root = await signUp(server, 'Root', setUp(server));
    const { url } = await proxyTo(server.url);
    await new Client(url).ask('POST', '/v1/sessions', {
      json: { email: root.email, password: 'a wrong guess' },
      headers: { 'X-Forwarded-For': '198.51.100.9' },
    });
    const { data } = await root.client.get('/v1/admin/audit?action=sign_in.refused');
    expect(data[0].address).toBe('192.0.2.1');
  });
});

it('behind two proxies, the address that the first one saw counts', async () => {
  await start({ TRUST_PROXY: '2' });
  const inner = await proxyTo(server.url);
  const outer = await proxyTo(inner.url);
  inner.client = '127.0.0.1';
  expect(await guessTooOften(outer.url, (n) => `198.51.100.${n}`)).toBe(429);
  outer.client = '192.0.2.2';
  expect((await guess(outer.url, '')).status).toBe(401);
});

it.each(['no', '10.0.0.0/8'])(
  'TRUST_PROXY=%s: what an untrusted caller forwards is ignored',
  async (value) => {
    await start({ TRUST_PROXY: value });
    expect(await guessTooOften(server.url, (n) => `198.51.100.${n}`)).toBe(429);
  },
);
