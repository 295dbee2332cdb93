import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { storedFiles } from '../../../test/support/files.ts';
import { type Person, signUp } from '../../../test/support/people.ts';
import { TestS3 } from '../../../test/support/s3.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';

/* What a file store does wrong reaches nobody but those who ask for the file. */

const CONTENT = '0123456789'.repeat(100);

let server: TestServer;
let s3: TestS3;
let ada: Person;

afterEach(async () => {
  await server.stop();
  await s3?.stop();
});

async function start(kind: 'S3' | 'folder'): Promise<void> {
  s3 = await new TestS3().start();
  server = await startTestServer(kind === 'S3' ? s3.environment : {});
  ada = await signUp(server, 'Ada');
}

async function upload(content = CONTENT): Promise<string> {
  const raw = new FormData();
  raw.set('file', new Blob([content]), 'notes.txt');
  const { data } = await ada.client.ask('POST', '/v1/attachments', { raw });
  return data[0].id;
}

/** Asks for a file and for the caller, on one connection. @returns all that comes on it */
async function askBoth(id: string, range = ''): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const head = (path: string, more: string) =>
    `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${ada.client.cookie}\r\n${more}\r\n`;
  socket.write(head(`/v1/attachments/${id}`, range) + head('/v1/users/me', 'Connection: close\r\n'));
  socket.on('error', () => undefined);
  // A character for each byte: lengths are in bytes.
  socket.setEncoding('latin1');
  return text(socket);
}

/** The answers on a connection, as a proxy reads them: by their lengths. */
function answersIn(all: string): { status: number; body: string }[] {
  const found: { status: number; body: string }[] = [];
  for (let rest = all; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n') + 4;
    const head = rest.slice(0, end);
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? [];
    if (status === undefined) throw new Error(`no answer: ${rest.slice(0, 40)}`);
    const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
    const size = Number(length ?? rest.length);
    found.push({ status: Number(status), body: rest.slice(end, end + size) });
    rest = rest.slice(end + size);
  }
  return found;
}

const withLength = (content: string) => (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'Content-Length': content.length }).end(content);
const withoutLength = (content: string) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200);
  response.write(content.slice(0, 10), () => response.end(content.slice(10)));
};

describe.each([
  ['shorter', CONTENT.slice(0, 500)],
  ['longer', `${CONTENT}HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfalse`],
  ['empty', ''],
])('of a file that became %s', (_, content) => {
  it.each([
    ['S3, with its length', withLength(content)],
    ['S3, without it', withoutLength(content)],
    ['a folder', undefined],
  ])('no byte takes the place of another answer (claim: exact-lengths): %s', async (_, instead) => {
    await start(instead ? 'S3' : 'folder');
    const id = await upload();
    if (instead) s3.instead = instead;
    else writeFileSync(storedFiles(server)[0] as string, content);
    for (const [range, size] of [
      ['', CONTENT.length],
      ['Range: bytes=200-999\r\n', 800],
    ] as const) {
      const [file, next] = answersIn(await askBoth(id, range));
      const { status = 0, body = '' } = file ?? {};
      if (status < 300) expect(CONTENT.slice(-size).startsWith(body)).toBe(true);
      else expect([404, 503]).toContain(status);
      if (next) expect([next.status, next.body]).toEqual([200, expect.stringContaining(ada.id)]);
      expect(status < 300 && body.length < size && next !== undefined).toBe(false);
    }
    expect((await ada.client.get('/v1/users/me')).status).toBe(200);
  });
});

it('a whole file is answered, and what is asked next on the connection', async () => {
  await start('folder');
  const answers = answersIn(await askBoth(await upload()));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.body).toBe(CONTENT);
});
