/**
 * The attacker asks for long answers and files on many connections, and reads nothing, so that the server keeps them in
 * memory and runs out of connections. An answer of which nothing is taken for ANSWER_TIMEOUT ends with its connection.
 */
import { connect, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const CONNECTIONS = 10;
/** More than the system keeps between the two ends. */
const LONG = 20_000_000;

const { server, mallory } = scene({
  people: ['Mallory'],
  environment: { ANSWER_TIMEOUT: '1', MAX_CONNECTIONS_PER_NETWORK: String(CONNECTIONS) },
});
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

async function upload(): Promise<string> {
  const raw = new FormData();
  raw.set('file', new Blob([Buffer.alloc(LONG)]), 'long.bin');
  const { data } = await mallory.client.ask('POST', '/v1/attachments', { raw });
  const team = await makeTeam(mallory);
  const files = { files: [data[0].id] };
  await mallory.client.post('/v1/messages', { text: 'long', addressed_teams: [team], attachments: files });
  return data[0].id;
}

it('connections that read nothing end, and make room for others (claim: unread-answers)', async () => {
  const { hostname, port } = new URL(server.url);
  const path = `/v1/attachments/${await upload()}`;
  // Those of the requests before are kept alive, and may take some of the places.
  await until(async () => {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${mallory.client.cookie}\r\n\r\n`);
    return !(await isServed());
  });
  expect(await until(isServed)).toBe(true);

  async function isServed(): Promise<boolean> {
    const headers = { connection: 'close' };
    const answer = await fetch(`${server.url}/healthz`, { headers }).catch(() => undefined);
    await answer?.text();
    return answer?.status === 200;
  }
});
