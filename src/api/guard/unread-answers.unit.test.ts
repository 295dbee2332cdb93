import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { boundWaitingAnswers, endUnreadAnswers } from './unread-answers.ts';

const MIB = 1024 * 1024;
/** More than the system keeps between the two ends. */
const LONG = 12 * MIB;
/** No look comes by itself while a test runs. */
const LATER_MS = 3_600_000;

const sockets: Socket[] = [];
let app: FastifyInstance;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

async function open(method = 'GET'): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).pause();
  sockets.push(socket);
  socket.write(`${method} / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
  return socket;
}

/** Reads so much more of an answer, and stops again. */
function take(socket: Socket, bytes: number): Promise<string> {
  let [taken, text] = [0, ''];
  return new Promise((resolve) => {
    const read = (chunk: Buffer) => {
      taken += chunk.length;
      if (text.length < 100) text += chunk.toString('latin1', 0, 100);
      if (taken < bytes) return;
      socket.pause().off('data', read);
      resolve(text);
    };
    socket.on('data', read);
    socket.resume();
  });
}

describe('an answer that waits for its reader', () => {
  it('ends when nothing of it is taken, and not while its reader moves', async () => {
    app = fastify();
    const look = endUnreadAnswers(app, LATER_MS);
    let response: ServerResponse | undefined;
    app.get('/', (_, reply) => {
      response = reply.raw;
      return reply.send(Buffer.alloc(8 * LONG));
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = await open();
    for (let round = 0; round < 5; round++) {
      await take(socket, LONG);
      for (let at = 0; at < 3; at++) look();
      expect(response?.destroyed).toBe(false);
    }
    await until(() => {
      look();
      return response?.destroyed;
    });
  });

  it('is not looked at while nothing of it is there yet', async () => {
    app = fastify();
    const look = endUnreadAnswers(app, LATER_MS);
    let answer = (_: string) => {};
    const begun = new Promise<void>((begin) => {
      app.get('/', () => {
        begin();
        return new Promise<string>((resolve) => (answer = resolve));
      });
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = await open();
    await begun;
    for (let at = 0; at < 20; at++) look();
    answer('here');
    expect(await take(socket, 10)).toContain('200 OK');
  });

  it('keeps other long answers from its network, but no short ones and no answers to changes', async () => {
    app = fastify();
    boundWaitingAnswers(app, { ofNetwork: 20 * MIB, ofAll: 100 * MIB });
    let sent = 0;
    app.route({
      method: ['GET', 'POST'],
      url: '/',
      handler: (_, reply) => reply.send(Buffer.alloc(sent++ === 0 || sent === 2 ? LONG : 10)),
    });
    app.addHook('onResponse', async () => undefined);
    await app.listen({ host: '127.0.0.1', port: 0 });
    await open();
    await until(() => sent === 1);
    const refused = await open();
    expect(await take(refused, 20)).toContain('503');
    expect(await take(await open(), 20)).toContain('200 OK');
  });

  it('counts all networks together, and no longer what was read', async () => {
    app = fastify();
    boundWaitingAnswers(app, { ofNetwork: 100 * MIB, ofAll: 20 * MIB });
    app.route({ method: ['GET', 'POST'], url: '/', handler: (_, reply) => reply.send(Buffer.alloc(LONG)) });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const first = await open();
    await take(first, 10);
    expect(await take(await open(), 20)).toContain('503');
    expect(await take(await open('POST'), 20)).toContain('200 OK');
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(async () => (await take(await open(), 20)).includes('200 OK'));
  });

  it('is not counted for a reader who left before it was there', async () => {
    app = fastify();
    boundWaitingAnswers(app, { ofNetwork: 20 * MIB, ofAll: 20 * MIB });
    const asked: ((answer: Buffer) => void)[] = [];
    const left: ServerResponse[] = [];
    app.get('/', (_, reply) => {
      reply.raw.once('close', () => left.push(reply.raw));
      return new Promise<Buffer>((answer) => asked.push(answer));
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    for (const requests of [1, 2]) {
      const socket = await open();
      await until(() => asked.length === requests);
      socket.destroy();
      await until(() => left.length === requests);
      asked[requests - 1]?.(Buffer.alloc(LONG));
    }
    const staying = await open();
    await until(() => asked.length === 3);
    asked[2]?.(Buffer.alloc(LONG));
    expect(await take(staying, 20)).toContain('200 OK');
  });
});
