import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { listen } from './listen.ts';
import { stopInOrder } from './stopping.ts';

const CROWD = 64;
const mayShare = process.platform === 'linux';

let app: FastifyInstance;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

async function begin(host: string, isShared = mayShare): Promise<number> {
  app = fastify({ return503OnClosing: false });
  app.decorate('listeners', []);
  stopInOrder(app, {});
  app.get('/', () => 'here');
  await listen(app, { host, port: 0, backlog: 511, sockets: isShared ? 8 : 1, isShared });
  return (app.server.address() as AddressInfo).port;
}

function call(port: number, host: string): Promise<string> {
  const socket = connect(port, host);
  sockets.push(socket);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return new Promise((resolve) => {
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => resolve(String(error)));
  });
}

it.runIf(mayShare)('takes several of a crowd in each turn of the event loop', async () => {
  const port = await begin('127.0.0.1');
  let taken = 0;
  app.server.on('connection', () => {
    taken += 1;
  });
  const answers = Promise.all(Array.from({ length: CROWD }, () => call(port, '127.0.0.1')));
  let turns = 0;
  for (; taken < CROWD; turns += 1) await nextTurn();
  expect(turns).toBeLessThan(CROWD / 2);
  expect((await answers).filter((answer) => !answer.endsWith('here'))).toEqual([]);
});

it('answers on one socket where the system shares no port out', async () => {
  const port = await begin('127.0.0.1', false);
  expect(app.listeners).toEqual([]);
  expect(await call(port, '127.0.0.1')).toMatch(/here$/);
});

it('closes all of its sockets when it stops, and answers those who wait at them', async () => {
  const port = await begin('127.0.0.1');
  const answers = Array.from({ length: CROWD }, () => call(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  await app.close();
  expect((await Promise.all(answers)).filter((answer) => !answer.endsWith('here'))).toEqual([]);
  expect(await call(port, '127.0.0.1')).toContain('ECONNREFUSED');
});

it('answers those who come one after the other while it stops, and refuses those who come later', async () => {
  const port = await begin('127.0.0.1');
  const first = call(port, '127.0.0.1');
  const stopped = app.close();
  const others: Promise<string>[] = [];
  while (others.length < 10) {
    others.push(call(port, '127.0.0.1'));
    // A gap in which nobody comes, as between callers in other programs. On a busy machine it ends the wait for more.
    for (let turn = 0; turn < 6; turn += 1) await nextTurn();
  }
  await stopped;
  expect(await first).toMatch(/here$/);
  expect((await Promise.all(others)).filter((answer) => !/here$|ECONNREFUSED/.test(answer))).toEqual([]);
});
