import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type LookupFunction, Socket, type TcpSocketConnectOpts } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  CALLS_OF_OWNER,
  callTurns,
  createOutbound,
  isBrokenOff,
  type Lookup,
  type Outbound,
  type OutboundOptions,
} from './index.ts';
import { answering, dripping, flooding, type Listener, listen } from './test-listener.ts';

const HOUR_MS = 3_600_000;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) await close();
});

const noInternet: Lookup = async (hostname) => {
  throw new Error(`a test asked for ${hostname}`);
};

/** Calls for one owner. */
function outbound(options: Partial<OutboundOptions> = {}) {
  const created = createOutbound({
    allowLoopback: true,
    timeoutMs: 5_000,
    userAgent: 'Test/1',
    lookup: noInternet,
    ...options,
  });
  closers.push(() => created.close());
  return ofOwner(created);
}

const ofOwner = ({ post, get, close }: Outbound) => ({
  post: (url: string, body: string | Uint8Array, headers: Record<string, string>) =>
    post('owner', async () => ({ url, body, headers })),
  get: (url: string, maxBytes: number) => get(url, maxBytes, 'owner'),
  close,
});

async function listener(...args: Parameters<typeof listen>): Promise<Listener> {
  const opened = await listen(...args);
  closers.push(() => opened.close());
  return opened;
}

const onLoopback = (onConnection: (socket: Socket) => void) => listener(onConnection, '127.0.0.1');
const answersOk = answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
const resolvingTo = (...answers: string[][]) =>
  vi.fn<Lookup>(
    async () => (answers.length > 1 ? answers.shift() : answers[0])?.map((address) => ({ address })) ?? [],
  );

describe('an allowed call', () => {
  it('sends the request and gives back the answer', async () => {
    const received = Promise.withResolvers<[IncomingMessage, string]>();
    const server = createServer(async (request, response) => {
      received.resolve([request, await text(request)]);
      response.writeHead(201, { 'X-Kind': 'Answer', 'Set-Cookie': ['a=1', 'b=2'] }).end('grüß dich');
    }).listen(0, '127.0.0.1');
    closers.push(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const answer = await outbound().post(`http://127.0.0.1:${port}/a%20b?c=d`, '{"e":"é"}', {
      'webhook-id': 'm1',
    });

    expect(answer).toMatchObject({ ok: true, status: 201, body: 'grüß dich', truncated: false });
    expect(answer).toMatchObject({ headers: { 'x-kind': 'Answer', 'set-cookie': 'a=1, b=2' } });
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
    const [request, body] = await received.promise;
    expect([request.method, request.url, body]).toEqual(['POST', '/a%20b?c=d', '{"e":"é"}']);
    expect(request.headers).toMatchObject({
      'user-agent': 'Test/1',
      'webhook-id': 'm1',
      'content-length': '10',
    });
  });

  it('reaches localhost by name, whichever family listens', async () => {
    const server = await onLoopback(answersOk);
    const lookup = resolvingTo(['::1', '127.0.0.1']);
    const answer = await outbound({ lookup }).post(`http://localhost:${server.port}/`, '', {});
    expect(answer).toMatchObject({ ok: true, status: 200, body: 'ok' });
  });

  it('resolves names by default', async () => {
    const server = await onLoopback(answersOk);
    const plain = ofOwner(createOutbound({ allowLoopback: true, userAgent: 'Test/1' }));
    closers.push(() => plain.close());
    expect(await plain.post(`http://localhost:${server.port}/`, '', {})).toMatchObject({ ok: true });
  });

  it.each([204, 400, 404, 500])('gives back status %d as an answer', async (status) => {
    const server = await onLoopback(answering(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`));
    expect(await outbound().post(server.url, '', {})).toMatchObject({ ok: true, status, body: '' });
  });

  it('opens a connection for each call and leaves none behind', async () => {
    const server = await onLoopback(answersOk);
    const client = outbound();
    await client.post(server.url, '', {});
    await client.post(server.url, '', {});
    await allClosed(server);
    expect(await server.connections()).toBe(2);
  });

  it('throws for a header that HTTP does not allow, because that is our own mistake', async () => {
    const server = await onLoopback(answersOk);
    await expect(outbound().post(server.url, '', { 'x-bad': 'a\r\nb: c' })).rejects.toThrow('header');
  });
});

describe('a forbidden address', () => {
  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'app.localhost',
    '127.0.0.1',
    '127.0.0.1.',
    '127.8.8.8',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '017700000001',
    '0x7f000001',
    '0x7f.0x0.0x0.0x1',
    '0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
  ])('is loopback, spelled %s: its listener sees no connection', async (host) => {
    const server = await listener(answersOk);
    const client = outbound({ allowLoopback: false, lookup: resolvingTo(['127.0.0.1', '::1']) });
    for (const scheme of ['http', 'https']) {
      const answer = await client.post(`${scheme}://${host}:${server.port}/`, 'secret', {});
      expect(answer).toMatchObject({ ok: false, reason: 'refused_address' });
    }
    expect(await server.connections()).toBe(0);
  });

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '167772161',
    '012.0.0.1',
    '0xa000001',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '169.254.169.254',
    '2852039166',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
    '[::ffff:10.0.0.1]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '224.0.0.1',
    '255.255.255.255',
  ])('is %s, with loopback allowed or not', async (host) => {
    for (const allowLoopback of [false, true]) {
      const answer = await outbound({ allowLoopback }).post(`https://${host}/`, '', {});
      expect(answer).toMatchObject({ ok: false, reason: 'refused_address' });
    }
  });

  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['0.0.0.0'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['fe80::1'],
    ['2130706433'],
    ['8.8.8.8', '127.0.0.1'],
    ['2606:4700:4700::1111', '10.0.0.1'],
  ])('is what a name resolves to: %s %s', async (...addresses) => {
    const server = await listener(answersOk);
    const client = outbound({ allowLoopback: false, lookup: resolvingTo(addresses) });
    const answer = await client.post(`https://hooks.example.com:${server.port}/`, 'secret', {});
    expect(answer).toMatchObject({ ok: false, reason: 'refused_address' });
    expect(answer).not.toMatchObject({ detail: expect.stringContaining(addresses[0] ?? '') });
    expect(await server.connections()).toBe(0);
  });

  it('is a private one behind a name, even where loopback is allowed', async () => {
    const client = outbound({ lookup: resolvingTo(['127.0.0.1', '10.0.0.1']) });
    expect(await client.post('https://hooks.example.com/', '', {})).toMatchObject({
      reason: 'refused_address',
    });
  });

  it('is a public one behind localhost: plain HTTP never leaves the machine', async () => {
    const client = outbound({ lookup: resolvingTo(['8.8.8.8']) });
    expect(await client.post('http://localhost/', 'secret', {})).toMatchObject({ reason: 'refused_address' });
  });
});

describe('a name that changes between check and use', () => {
  it('is resolved once a call, and connected to at the address that was checked', async () => {
    const server = await listener(answersOk);
    const lookup = resolvingTo(['8.8.8.8'], ['127.0.0.1']);
    const client = outbound({ allowLoopback: false, lookup });
    const url = `https://hooks.example.com:${server.port}/`;

    const used = stopBeforeConnecting();
    expect(await client.post(url, 'secret', {})).toMatchObject({ ok: false, reason: 'connection' });
    expect(used).toEqual(['8.8.8.8']);
    expect(lookup).toHaveBeenCalledTimes(1);

    vi.mocked(Socket.prototype.connect).mockRestore();
    expect(await client.post(url, 'secret', {})).toMatchObject({ ok: false, reason: 'refused_address' });
    expect(lookup).toHaveBeenCalledTimes(2);
    expect(await server.connections()).toBe(0);
  });

  it('does not reach the second address when the first is real', async () => {
    const server = await onLoopback(answersOk);
    const lookup = resolvingTo(['127.0.0.1'], ['10.0.0.1']);
    const client = outbound({ lookup });
    const url = `http://localhost:${server.port}/`;
    expect(await client.post(url, '', {})).toMatchObject({ ok: true });
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(await client.post(url, '', {})).toMatchObject({ ok: false, reason: 'refused_address' });
    expect(await server.connections()).toBe(1);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('with %d is an answer, and is not followed', async (status) => {
    const target = await listener(answersOk);
    const location = `http://127.0.0.1:${target.port}/`;
    const server = await onLoopback(
      answering(`HTTP/1.1 ${status} X\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
    );
    const answer = await outbound().post(server.url, 'secret', {});
    expect(answer).toMatchObject({ ok: true, status, headers: { location } });
    expect(await target.connections()).toBe(0);
  });

  it('to a forbidden address is not followed either', async () => {
    const server = await onLoopback(
      answering('HTTP/1.1 307 X\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n'),
    );
    expect(await outbound().post(server.url, '', {})).toMatchObject({ ok: true, status: 307 });
  });
});

describe('a slow answer ends with the time limit', () => {
  const timeoutMs = 150;

  it.each<[string, (socket: Socket) => void]>([
    ['accepts and says nothing', () => {}],
    ['drips its headers', dripping('HTTP/1.1 200 OK\r\n', 'a: b\r\n')],
    ['drips one header', dripping('HTTP/1.1 200 OK\r\nx-slow: ', 'x')],
    ['goes on announcing an answer', dripping('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['drips its body', dripping('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', 'x')],
    ['drips chunks', dripping('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n')],
    ['stops within its body', answering('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbegin')],
  ])('when the other side %s', async (_case, behaviour) => {
    const server = await onLoopback(behaviour);
    const answer = await outbound({ timeoutMs }).post(server.url, '', {});
    expect(answer).toMatchObject({ ok: false, reason: 'timeout' });
    expect(answer.durationMs).toBeGreaterThanOrEqual(timeoutMs - 5);
    await allClosed(server);
  });

  it('when TLS is never begun', async () => {
    const server = await onLoopback(() => {});
    const answer = await outbound({ timeoutMs }).post(`https://127.0.0.1:${server.port}/`, '', {});
    expect(answer).toMatchObject({ ok: false, reason: 'timeout' });
    await allClosed(server);
  });

  it('when the name is never resolved, and connects nowhere when it is at last', async () => {
    const server = await onLoopback(answersOk);
    const late = Promise.withResolvers<{ address: string }[]>();
    const client = outbound({ timeoutMs, lookup: () => late.promise });
    const answer = await client.post(`http://localhost:${server.port}/`, 'secret', {});
    expect(answer).toMatchObject({ ok: false, reason: 'timeout' });
    late.resolve([{ address: '127.0.0.1' }]);
    expect(await server.connections()).toBe(0);
  });

  it('when the request is never read', async () => {
    const server = await onLoopback((socket) => socket.pause());
    const answer = await outbound({ timeoutMs }).post(server.url, 'x'.repeat(8_000_000), {});
    expect(answer).toMatchObject({ ok: false, reason: 'timeout' });
    await allClosed(server);
  });
});

describe('a huge answer', () => {
  const maxResponseBytes = 1000;

  it.each<[string, (socket: Socket) => void]>([
    ['endless', flooding('HTTP/1.1 200 OK\r\n\r\n')],
    [
      'endless in one chunk',
      flooding('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffff\r\n'),
    ],
    ['of a terabyte', flooding('HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n')],
    ['one byte too long', answering(`HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n${'x'.repeat(1001)}`)],
  ])('%s is cut at the limit: the status counts', async (_case, behaviour) => {
    const server = await onLoopback(behaviour);
    const answer = await outbound({ maxResponseBytes }).post(server.url, '', {});
    expect(answer).toMatchObject({ ok: true, status: 200, truncated: true, body: 'x'.repeat(1000) });
    await allClosed(server);
  });

  it('is whole at exactly the limit', async () => {
    const body = 'x'.repeat(1000);
    const server = await onLoopback(answering(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${body}`));
    expect(await outbound({ maxResponseBytes }).post(server.url, '', {})).toMatchObject({
      body,
      truncated: false,
    });
  });

  it('is not unpacked', async () => {
    const packed = gzipSync(Buffer.alloc(1_000_000));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`;
    const server = await onLoopback(answering(Buffer.concat([Buffer.from(head), packed])));
    const answer = await outbound().post(server.url, '', {});
    expect(answer).toMatchObject({ ok: true, truncated: false });
    expect(answer.ok && answer.body.length).toBeLessThanOrEqual(packed.length);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['one', answering(`HTTP/1.1 200 OK\r\nx-big: ${'x'.repeat(20_000)}\r\n\r\n`)],
    ['many', answering(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`)],
    ['endless', flooding('HTTP/1.1 200 OK\r\nx-big: ')],
  ])('in its headers (%s) is refused', async (_case, behaviour) => {
    const server = await onLoopback(behaviour);
    expect(await outbound().post(server.url, '', {})).toMatchObject({ ok: false, reason: 'too_large' });
    await allClosed(server);
  });
});

describe('the text of an answer', () => {
  it.each<[string, number, number[], string]>([
    ['a character cut in two is left out', 4, [0x61, 0x62, 0x63, 0xc3, 0xa9], 'abc'],
    ['bytes that are no UTF-8 are replaced', 100, [0x61, 0xff, 0x62], 'a\uFFFDb'],
    ['NUL is replaced', 100, [0x61, 0x00, 0x62], 'a\uFFFDb'],
    ['an encoded surrogate is replaced', 100, [0xed, 0xa0, 0x80], '\uFFFD\uFFFD\uFFFD'],
  ])('is well-formed: %s', async (_case, maxResponseBytes, bytes, body) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    const server = await onLoopback(answering(Buffer.from([...Buffer.from(head), ...bytes])));
    expect(await outbound({ maxResponseBytes }).post(server.url, '', {})).toMatchObject({ ok: true, body });
  });

  it('comes with headers of any name', async () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
    const lines = [...names, ...names].map((name) => `${name}: 1\r\n`).join('');
    const server = await onLoopback(answering(`HTTP/1.1 200 OK\r\n${lines}Content-Length: 0\r\n\r\n`));
    const answer = await outbound().post(server.url, '', {});
    expect(answer).toMatchObject({ ok: true, status: 200 });
    expect(answer.ok && answer.headers.constructor).toBe('1, 1');
  });
});

describe('a failing connection', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['is reset at once', 'connection', (socket) => socket.resetAndDestroy()],
    [
      'is reset after the request',
      'connection',
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
    ],
    ['is closed without an answer', 'connection', (socket) => socket.once('data', () => socket.end())],
    [
      'is closed within the headers',
      'connection',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200')),
    ],
    [
      'is closed within the body',
      'connection',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbegin')),
    ],
    ['speaks another protocol', 'protocol', answering('SSH-2.0-OpenSSH_9.9\r\n')],
    ['speaks another protocol first', 'protocol', (socket) => socket.write('220 mail ESMTP\r\n')],
    ['answers random bytes', 'protocol', answering(Uint8Array.of(0, 1, 2, 3, 255, 254))],
    [
      'has two lengths',
      'protocol',
      answering('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    ],
    [
      'has a broken chunk',
      'protocol',
      answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
    ],
  ])('that %s has the reason %s', async (_case, reason, behaviour) => {
    const server = await onLoopback(behaviour);
    expect(await outbound().post(server.url, '', {})).toMatchObject({ ok: false, reason });
  });

  it('that is refused is reported with its code', async () => {
    const server = await onLoopback(answersOk);
    await server.close();
    closers.splice(closers.length - 1);
    const answer = await outbound().post(server.url, '', {});
    expect(answer).toMatchObject({
      ok: false,
      reason: 'connection',
      detail: 'The connection failed (ECONNREFUSED).',
    });
  });

  it.each<[string, Lookup]>([
    [
      'cannot be resolved',
      () => Promise.reject(Object.assign(new Error('10.0.0.53 said no'), { code: 'ENOTFOUND' })),
    ],
    ['has no address', async () => []],
  ])('to a name that %s has the reason dns', async (_case, lookup) => {
    const answer = await outbound({ lookup }).post('https://hooks.example.com/', '', {});
    expect(answer).toMatchObject({
      ok: false,
      reason: 'dns',
      detail: expect.not.stringContaining('10.0.0.53'),
    });
  });

  it('that does not speak TLS has the reason tls', async () => {
    const server = await onLoopback(answersOk);
    const answer = await outbound().post(`https://127.0.0.1:${server.port}/`, '', {});
    expect(answer).toMatchObject({ ok: false, reason: 'tls' });
  });

  it('with an untrusted certificate gets no request, even if the environment says so', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const onRequest = vi.fn();
    const server = createTlsServer({ key: UNTRUSTED_KEY, cert: UNTRUSTED_CERTIFICATE }, onRequest).listen(
      0,
      '127.0.0.1',
    );
    closers.push(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await outbound().post(`https://127.0.0.1:${port}/`, 'secret', {});
    expect(answer).toMatchObject({
      ok: false,
      reason: 'tls',
      detail: expect.stringContaining('SELF_SIGNED'),
    });
    expect(onRequest).not.toHaveBeenCalled();
  });

  it('is not mended by a proxy of the environment', async () => {
    const proxy = await listener(answersOk);
    for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    const client = outbound({ lookup: resolvingTo(['10.0.0.1']) });
    expect(await client.post('https://hooks.example.com/', '', {})).toMatchObject({
      reason: 'refused_address',
    });
    expect(await proxy.connections()).toBe(0);
  });
});

describe('calls to addresses of one owner (claim: calls-of-one-owner)', () => {
  it('wait for each other whichever client makes them, and the receiver is not to blame', async () => {
    const silent = await onLoopback(() => undefined);
    const near = await onLoopback(answersOk);
    const to = ({ url }: Listener) => ({ url, body: '', headers: {} });
    const turns = callTurns(50);
    const options = {
      allowLoopback: true,
      timeoutMs: HOUR_MS,
      userAgent: 'Test/1',
      lookup: noInternet,
      turns,
    };
    const [calls, pages] = [createOutbound(options), createOutbound(options)];
    const held = Array.from({ length: CALLS_OF_OWNER }, (_, at) =>
      at % 2 === 0 ? calls.post('mallory', async () => to(silent)) : pages.get(silent.url, 10, 'mallory'),
    );
    const late = await pages.get(near.url, 10, 'mallory');
    expect(late).toMatchObject({ ok: false, reason: 'busy' });
    expect(isBrokenOff(late)).toBe(true);
    expect(await calls.post('ada', async () => to(near))).toMatchObject({ ok: true, status: 200 });
    await Promise.all([calls.close(), pages.close()]);
    expect((await Promise.all(held)).every(isBrokenOff)).toBe(true);
  });
});

it('what a call sends is composed when its turn has come, and may be nothing', async () => {
  const gate = Promise.withResolvers<void>();
  const slow = await onLoopback(async (socket) => {
    await gate.promise;
    answersOk(socket);
  });
  const near = await onLoopback(answersOk);
  const calls = createOutbound({ allowLoopback: true, userAgent: 'Test/1', lookup: noInternet });
  closers.push(() => calls.close());
  const held = Array.from({ length: CALLS_OF_OWNER }, () =>
    calls.post('owner', async () => ({ url: slow.url, body: '', headers: {} })),
  );
  let composed = 0;
  let url: string | undefined = 'http://an.address.before/';
  const waiting = [1, 2].map(() =>
    calls.post('owner', async () => {
      composed += 1;
      return url === undefined ? undefined : { url, body: '', headers: {} };
    }),
  );
  await vi.waitUntil(() => slow.sockets.length === CALLS_OF_OWNER);
  expect(composed).toBe(0);
  url = near.url;
  gate.resolve();
  expect(await waiting[0]).toMatchObject({ ok: true, status: 200 });
  await Promise.all([...held, ...waiting]);
  expect(composed).toBe(2);
  url = undefined;
  expect(await calls.post('owner', async () => url && { url, body: '', headers: {} })).toBeUndefined();
});

describe('closing', () => {
  it('waits for calls under way and refuses new ones', async () => {
    const accepted = Promise.withResolvers<Socket>();
    const server = await onLoopback((socket) => socket.once('data', () => accepted.resolve(socket)));
    const client = outbound();
    const call = client.post(server.url, '', {});
    const socket = await accepted.promise;
    const onClosed = vi.fn();
    const closing = client.close().then(onClosed);
    expect(await client.post(server.url, '', {})).toMatchObject({ ok: false, reason: 'closed' });
    expect(onClosed).not.toHaveBeenCalled();
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    await closing;
    expect(await call).toMatchObject({ ok: true, status: 200 });
  });

  it.each([
    ['answers nothing', ''],
    ['stops within its answer', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'],
  ])('breaks off a call whose receiver %s', async (_, sent) => {
    const accepted = Promise.withResolvers<Socket>();
    const server = await onLoopback((socket) => socket.once('data', () => accepted.resolve(socket)));
    const client = outbound({ timeoutMs: HOUR_MS, showLoopback: false });
    const call = client.post(server.url, '', {});
    (await accepted.promise).write(sent);
    await client.close();
    expect(await call).toMatchObject({ ok: false, reason: 'closed' });
  });
});

/** Ends when our side has closed, gracefully or not (`once` would reject on a reset). */
async function allClosed(server: Listener): Promise<void> {
  for (const socket of server.sockets) {
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve).resume());
  }
}

/** Lets Node resolve as usual, records the addresses it would connect to, and fails there. */
function stopBeforeConnecting(): string[] {
  const used: string[] = [];
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [options] = args.flat() as [TcpSocketConnectOpts];
    const lookup = options.lookup as LookupFunction;
    options.lookup = (hostname, settings, callback) =>
      lookup(hostname, settings, (_error, found) => {
        for (const { address } of [found].flat() as { address: string }[]) used.push(address);
        callback(Object.assign(new Error('stopped'), { code: 'ECONNREFUSED' }), []);
      });
    return Reflect.apply(connect, this, args);
  });
  return used;
}

// Made for this test alone and trusted by nothing: the key protects no one.
const UNTRUSTED_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgB45QrY9AQM6g7v/0
beyZ4ar16JB3kE2CeyedAvbgKkuhRANCAATRvhrySk6pkqIPE0sCk3BSYJkEFo9V
aA7uypwyTjHDRheijTio1ef80asWCx/kALRbgUd30VOCKVWjOz7NOoHg
-----END PRIVATE KEY-----`;
const UNTRUSTED_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQ5uSsyoHwXYrYe6rRIJnDNKf/xQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA1MzE0M1oYDzIxMjYxMDI4
MDUzMTQzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATRvhrySk6pkqIPE0sCk3BSYJkEFo9VaA7uypwyTjHDRheijTio1ef8
0asWCx/kALRbgUd30VOCKVWjOz7NOoHgo28wbTAdBgNVHQ4EFgQUj9dxG1ZSALSb
6xGKKO+dAkrz8SAwHwYDVR0jBBgwFoAUj9dxG1ZSALSb6xGKKO+dAkrz8SAwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgQvkGjsw6Y5MdbvJervSPiE37oBZb98OuFS58YlFuZb8CIQDI
p9yjNcaknqBi6boZp7C8mzmrhCYNfXfUyyRnLGVP0A==
-----END CERTIFICATE-----`;
