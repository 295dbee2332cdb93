import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOutbound, type Lookup, type Outbound, type OutboundOptions } from './index.ts';
import { type Listener, listen } from './test-listener.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const HOUR_MS = 3_600_000;

let server: Listener;
let outbound: Outbound;
/** The receiver's reaction to a request, the first on its connection or a later one. */
let onRequest: (socket: Socket, isFirst: boolean) => void;

beforeEach(async () => {
  onRequest = (socket) => socket.write(OK);
  server = await listen((socket) => {
    let isFirst = true;
    socket.on('data', () => {
      onRequest(socket, isFirst);
      isFirst = false;
    });
  }, '127.0.0.1');
  begin();
});

afterEach(async () => {
  await outbound.close();
  await server.close();
});

function begin(options: Partial<OutboundOptions> = {}): void {
  outbound = createOutbound({ allowLoopback: true, timeoutMs: 5000, userAgent: 'Test/1', ...options });
}

const post = (owner = 'owner', url = server.url, mayRepeat = true) =>
  outbound.post(owner, async () => ({ url, body: '{}', headers: {}, mayRepeat }));
const isOk = { ok: true, status: 200, body: 'ok' };
const bothOk = [isOk, isOk];

it('postings that may be repeated share a connection, one after the other', async () => {
  expect([await post(), await post(), await post()]).toMatchObject([isOk, isOk, isOk]);
  expect(await server.connections()).toBe(1);
});

it('those at the same time have a connection each, and the next ones use these', async () => {
  expect(await Promise.all([post(), post()])).toMatchObject(bothOk);
  expect(await Promise.all([post(), post()])).toMatchObject(bothOk);
  expect(await server.connections()).toBe(2);
});

it.each([
  ['another owner', () => post('another')],
  ['another origin', () => post('owner', server.url.replace('127.0.0.1', 'localhost'))],
  ['a posting that may not be repeated', () => post('owner', server.url, false)],
])('%s does not use the connection', async (_, other) => {
  const lookup: Lookup = async () => [{ address: '127.0.0.1' }];
  await outbound.close();
  begin({ lookup });
  expect([await post(), await other()]).toMatchObject(bothOk);
  expect(await server.connections()).toBe(2);
});

it('a receiver that ends each connection is called on a new one, whose name is resolved and checked again', async () => {
  onRequest = (socket) => socket.end(OK.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const lookup = vi.fn<Lookup>(async () => [{ address: '127.0.0.1' }]);
  await outbound.close();
  begin({ lookup });
  const url = server.url.replace('127.0.0.1', 'localhost');
  expect([await post('owner', url), await post('owner', url)]).toMatchObject(bothOk);
  lookup.mockImplementation(async () => [{ address: '169.254.169.254' }]);
  expect(await post('owner', url)).toMatchObject({ ok: false, reason: 'refused_address' });
  expect(lookup).toHaveBeenCalledTimes(3);
  expect(await server.connections()).toBe(2);
});

it('a call that finds its connection closed is made again, on a new one (claim: webhook-connections)', async () => {
  onRequest = (socket, isFirst) => (isFirst ? socket.write(OK) : socket.destroy());
  expect([await post(), await post()]).toMatchObject(bothOk);
  expect(await server.connections()).toBe(2);
});

it('a call is made once where its answer has begun, or its connection is new', async () => {
  let requests = 0;
  onRequest = (socket, isFirst) => {
    requests += 1;
    if (isFirst) socket.write(OK);
    else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
  };
  expect([await post(), await post()]).toMatchObject([isOk, { ok: false, reason: 'connection' }]);
  expect(requests).toBe(2);
  onRequest = (socket) => {
    requests += 1;
    socket.destroy();
  };
  expect(await post()).toMatchObject({ ok: false, reason: 'connection' });
  expect(requests).toBe(3);
});

it('an answer that is too long to be read whole ends its connection', async () => {
  onRequest = (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n${'x'.repeat(99_999)}`);
  await post();
  onRequest = (socket) => socket.write(OK);
  expect(await post()).toMatchObject(isOk);
  expect(await server.connections()).toBe(2);
});

it('a call on a kept connection has the limit of every call, and ends with the server', async () => {
  await outbound.close();
  begin({ timeoutMs: 300 });
  onRequest = (socket, isFirst) => void (isFirst && socket.write(OK));
  expect([await post(), await post()]).toMatchObject([isOk, { ok: false, reason: 'timeout' }]);
  await outbound.close();
  begin({ timeoutMs: HOUR_MS });
  expect(await post()).toMatchObject(isOk);
  const asked = Promise.withResolvers<void>();
  onRequest = () => asked.resolve();
  const call = post();
  await asked.promise;
  await outbound.close();
  expect(await call).toMatchObject({ ok: false, reason: 'closed' });
});

it('closes the connections that it has kept', async () => {
  await Promise.all([post(), post()]);
  await outbound.close();
  for (const socket of server.sockets)
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve).resume());
});

it('shows nothing of an answer from this machine to who may not see it, on a kept connection either', async () => {
  await outbound.close();
  begin({ showLoopback: false, lookup: async () => [{ address: '127.0.0.1' }] });
  const url = server.url.replace('127.0.0.1', 'localhost');
  const answers = [await post('owner', url), await post('owner', url)];
  expect(await server.connections()).toBe(1);
  for (const answer of answers)
    expect(answer).toMatchObject({ ok: true, body: expect.stringContaining('not kept') });
});

it('keeps few connections of one owner to one origin, and few in all', async () => {
  const several = (owner: string, calls: number) =>
    Promise.all(Array.from({ length: calls }, () => post(owner)));
  await several('owner', 6);
  await several('owner', 6);
  // Four of the first six were kept.
  expect(await server.connections()).toBe(8);
  for (let owner = 0; owner < 20; owner += 1) await several(`${owner}`, 4);
  await expect.poll(() => server.sockets.filter(({ closed }) => !closed).length).toBe(64);
});

it('replaces a connection some time after it was made, however often it is used', async () => {
  await post();
  const now = performance.now.bind(performance);
  const passing = vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
  expect([await post(), await post()]).toMatchObject(bothOk);
  passing.mockRestore();
  expect(await server.connections()).toBe(2);
});

it('does not take for an answer what a receiver sent before it was asked', async () => {
  const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
  onRequest = (socket, isFirst) => socket.write(isFirst ? OK + forged : OK);
  expect([await post(), await post()]).toMatchObject(bothOk);
});
