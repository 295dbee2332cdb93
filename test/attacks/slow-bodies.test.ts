/**
 * The attacker opens many connections and sends each request very slowly, so that the server runs out of connections or
 * memory. A body that has not arrived within REQUEST_TIMEOUT is answered 408 and its connection closed, in any form,
 * unless a signed-in caller uploads. A connection that sends nothing ends too, also where the attacker's end stays
 * open. One network has a limited number of connections at once.
 */
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { signUp } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let server: TestServer;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.stop();
});

/** Sends the beginning of a request. @returns everything that is answered until the connection closes */
function begin(head: string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return new Promise((resolve) => {
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

const JSON_TYPE = 'Content-Type: application/json';

it('a body that does not end is answered 408, and the connection closed (claim: slow-bodies)', async () => {
  server = await startTestServer({ REQUEST_TIMEOUT: '1' });
  const head = (type: string) => [
    'POST /v1/password_resets HTTP/1.1',
    'Host: x',
    type,
    'Content-Length: 1000',
  ];
  expect(await begin(head(JSON_TYPE), '{')).toMatch(/^HTTP\/1\.1 408 .*"code":4080/s);
  // Refused before its body is read: the connection is not kept for the rest of it either.
  const refused = await begin(head('Content-Type: multipart/form-data; boundary=x'), '--x');
  expect(refused.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 415']);
  // By the guard, and before any hook.
  for (const [path, status] of [
    ['/v1/attachments', 401],
    ['/v1/users%', 404],
  ]) {
    const start = [`POST ${path} HTTP/1.1`, 'Host: x', JSON_TYPE, 'Content-Length: 1000'];
    expect((await begin(start, '{')).match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
  }
  const chunked = ['POST /v1/sessions HTTP/1.1', 'Host: x', JSON_TYPE, 'Transfer-Encoding: chunked'];
  expect(await begin(chunked, '1\r\n{\r\n')).toMatch(/^HTTP\/1\.1 408 /);
  expect((await server.anonymous().get('/v1/server')).status).toBe(200);
});

it('an upload of somebody who is signed in may take longer', async () => {
  server = await startTestServer({ REQUEST_TIMEOUT: '1' });
  const ada = await signUp(server, 'Ada');
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  const content = ['--x', 'Content-Disposition: form-data; name="file"; filename="a.txt"', '', 'slow'].join(
    '\r\n',
  );
  const end = '\r\n--x--\r\n';
  const head = [
    'POST /v1/attachments HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `Origin: ${server.url}`,
    `Cookie: ${ada.client.cookie}`,
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${content.length + end.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${content}`);
  const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))));
  // Another body that began later has been given up by then: longer than the limit has passed.
  await begin(['POST /v1/sessions HTTP/1.1', 'Host: x', JSON_TYPE, 'Content-Length: 9'], '{');
  socket.write(end);
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
});

it.each([
  ['one network has', 'MAX_CONNECTIONS_PER_NETWORK'],
  ['all networks together have', 'MAX_CONNECTIONS'],
])('%s so many connections at once, and no more (claim: connections)', async (_, setting) => {
  server = await startTestServer({ [setting]: '10' });
  const { hostname, port } = new URL(server.url);
  const closed: Promise<unknown>[] = [];
  for (let n = 0; n < 11; n++) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => undefined);
    closed.push(new Promise((resolve) => socket.once('close', () => resolve(n))));
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  expect(await Promise.race(closed)).toBe(10);
});

it('a connection that sends nothing ends for the server, whether the caller ends it or not (claim: connections)', async () => {
  server = await startTestServer({ REQUEST_TIMEOUT: '1', MAX_CONNECTIONS_PER_NETWORK: '10' });
  const { hostname, port } = new URL(server.url);
  const idle = Array.from({ length: 10 }, async () => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    sockets.push(socket);
    socket.resume();
    await new Promise((resolve) => socket.once('end', resolve));
  });
  await Promise.all(idle);
  const ask = () =>
    server
      .anonymous()
      .get('/v1/server')
      .catch(() => undefined);
  const answer = await until(ask);
  expect(answer.status).toBe(200);
});
