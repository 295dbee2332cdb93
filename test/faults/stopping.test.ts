import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { newFolder } from '../support/folder.ts';
import { signUp } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { type Program, startPlatform } from '../support/process.ts';

/** A server in a process of its own, and what stands in the way of its end. */
let platform: Program;
const sockets: Socket[] = [];

afterEach(async () => {
  await platform.end('SIGKILL');
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function begin(): Promise<URL> {
  platform = await startPlatform({
    PORT: '0',
    DATA_DIR: newFolder(),
    LOG_LEVEL: 'info',
    MAX_CONNECTIONS_PER_NETWORK: '10000',
    // Longer than a test may take.
    REQUEST_TIMEOUT: '300',
    ...(process.env.TEST_DATABASE === 'postgres' && {
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    }),
  });
  return new URL(platform.found);
}

/** A connection on which something was sent, and all that came back when it ends. */
async function sending({ hostname, port }: URL, text: string) {
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', (error) => {
    answer += String(error);
  });
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)));
  await once(socket, 'connect');
  if (text !== '') await new Promise((resolve) => socket.write(text, resolve));
  return { ended, heard: () => answer };
}

const REQUEST = 'GET /v1/server HTTP/1.1\r\nHost: x\r\n\r\n';

it('a server that stops answers every connection that the system had accepted for it (claim: stops-at-once)', async () => {
  const url = await begin();
  // While it is frozen nobody takes a connection: they wait in the system's backlog.
  platform.child.kill('SIGSTOP');
  const callers = await Promise.all(Array.from({ length: 200 }, () => sending(url, REQUEST)));
  const ended = once(platform.child, 'close');
  platform.child.kill('SIGTERM');
  platform.child.kill('SIGCONT');
  const answers = await Promise.all(callers.map(({ ended }) => ended));
  expect(answers.filter((answer) => !/^HTTP\/1.1 200/.test(answer))).toEqual([]);
  expect(await ended).toEqual([0, null]);
});

it('a server that stops is held by no stream, idle connection or half request (claim: stops-at-once)', async () => {
  const url = await begin();
  const client = new Client(url.href.replace(/\/$/, ''));
  const ada = await signUp({ url: client.url } as never, 'Ada');
  const stream = await EventStream.open(ada.client);
  const [unused, kept, head] = await Promise.all([
    sending(url, ''),
    sending(url, REQUEST),
    sending(url, 'GET /v1/server HTTP/1.1\r\nHo'),
  ]);
  const cookie = ada.client.credentials().Cookie;
  const body = await sending(
    url,
    `POST /v1/messages HTTP/1.1\r\nHost: ${url.host}\r\nOrigin: ${url.origin}\r\nCookie: ${cookie}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"text": "half',
  );
  const code = platform.end('SIGTERM');
  const [head503 = ''] = (await body.ended).split('\r\n\r\n');
  expect(head503).toMatch(/^HTTP\/1.1 503 /);
  expect(head503).toMatch(/^Connection: close$/im);
  expect(head503).toMatch(/^Retry-After: \d+$/im);
  expect(await kept.ended).toMatch(/^HTTP\/1.1 200 /);
  expect([await unused.ended, await head.ended]).toEqual(['', '']);
  await stream.ended();
  expect(await code).toBe(0);
  expect(platform.output()).toContain('refused: the server is stopping');
});
