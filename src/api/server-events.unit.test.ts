import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepNewest, ServerEvents } from './server-events.ts';

const server = createServer();
const sockets: Socket[] = [];

beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  await once(server, 'close');
});

/** An answer that has begun, to a client who reads nothing. */
async function answer(): Promise<ServerResponse> {
  const asked = once(server, 'request');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const [, response] = (await asked) as [unknown, ServerResponse];
  response.writeHead(200);
  return response;
}

it('a stream whose client does not read is gone soon after it is closed', async () => {
  const response = await answer();
  const events = new ServerEvents(response);
  // More than the buffers of the kernel take.
  response.write(Buffer.alloc(32 * 1024 * 1024));
  await new Promise((resolve) => setImmediate(resolve));
  expect(events.isBehind).toBe(true);
  const gone = once(response, 'close');
  const drained = events.drained();
  events.close();
  await gone;
  await drained;
  expect([response.destroyed, response.writableFinished]).toEqual([true, false]);
});

it('a stream is closed whole for a client who reads', async () => {
  const response = await answer();
  const events = new ServerEvents(response);
  events.write('data: all of it\n\n');
  events.close();
  let text = '';
  for await (const chunk of sockets[0] as Socket) text += chunk;
  expect(text).toContain('data: all of it');
  expect(response.writableFinished).toBe(true);
});

it('the newest streams stay, and one that is closing already does not count', async () => {
  const streams: ServerEvents[] = [];
  for (let n = 0; n < 4; n++) streams.push(new ServerEvents(await answer()));
  const closed = () => streams.map(({ isClosed }) => isClosed);
  keepNewest(streams, 3);
  expect(closed()).toEqual([true, false, false, false]);
  keepNewest(streams, 3);
  expect(closed()).toEqual([true, false, false, false]);
  keepNewest(streams, 2);
  expect(closed()).toEqual([true, true, false, false]);
});
