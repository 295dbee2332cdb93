import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { type Program, startPlatform } from '../support/process.ts';

/** More than Node.js lets wait by itself. */
const CROWD = 1000;
/** The limit of Linux; the usual one elsewhere. */
const LIMIT = '/proc/sys/net/core/somaxconn';

let server: Program;

afterEach(() => server.end('SIGKILL'));

it('keeps a thousand connections that come while it is busy, and answers each (claim: backlog)', async () => {
  const most = existsSync(LIMIT) ? Number(readFileSync(LIMIT, 'utf8')) : 128;
  const count = Math.min(CROWD, most);
  server = await startPlatform({ DATA_DIR: newFolder(), PORT: '0', MAX_CONNECTIONS_PER_NETWORK: '2000' });
  const { port } = new URL(server.found);
  const begun = new Set<Socket>();
  const answers = new Map<Socket, string>();
  server.child.kill('SIGSTOP');
  for (let n = 0; n < count; n++) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.once('connect', () => {
      begun.add(socket);
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    });
    socket.on('data', (bytes) => void answers.set(socket, (answers.get(socket) ?? '') + bytes));
    // It shows as an answer that is missing.
    socket.on('error', () => undefined);
  }
  await expect.poll(() => begun.size).toBe(count);
  server.child.kill('SIGCONT');
  const isAnswered = (answer: string) => answer.startsWith('HTTP/1.1 200 ');
  await expect.poll(() => [...answers.values()].filter(isAnswered).length).toBe(count);
});
