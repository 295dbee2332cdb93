/**
 * The owner of an application gives it an icon on their own server, and notes who asks for the picture: each person who
 * looks at a team, a message or the directory, with their network address and browser. What holds: the server fetches
 * the picture through its outbound guard, encodes it again, and shows it from an address of its own; the page may load
 * pictures from nowhere else.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forged } from '../support/forged.ts';
import { authorize, install, makeTeam, register, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const { server, host, admin } = scene({ people: ['Admin'] });
let pictures: Server;
let url: string;
const asked: IncomingMessage[] = [];
let answer: { status: number; type: string; body: Buffer };
let png: Buffer;

beforeAll(async () => {
  png = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#00aa00' } })
    .png()
    .toBuffer();
  pictures = createServer((request, response) => {
    asked.push(request);
    response
      .writeHead(answer.status, { 'content-type': answer.type, location: '/other.png' })
      .end(answer.body);
  });
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => pictures.close(resolve));
});

const fetched = async (icon: string) => {
  const response = await fetch(icon.replace('localhost', '127.0.0.1'));
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

/** Asks until the picture is there: the server fetches it a moment after it was given. */
async function fetchedOnce(icon: string) {
  return until(async () => {
    const shown = await fetched(icon);
    return shown.response.headers.get('content-type') === 'image/webp' && shown;
  });
}

it('an icon has an address of this server everywhere, and its owner sees one request (claim: icons-are-ours)', async () => {
  answer = { status: 200, type: 'image/png', body: png };
  const source = `${url}/icon.png`;
  const application = await register(admin, host, { icon: source });
  const team = await makeTeam(admin);
  await install(admin, team, application);
  const token = server.anonymous().withToken((await authorize(admin, team, application)).access_token);
  const posted = await token.post('/v1/messages', { text: 'Hello', addressed_teams: [team] });
  const own = (await admin.client.get(`/v1/applications/${application.id}`)).data[0];
  expect(own.icon_source).toBe(source);
  const directory = (await admin.client.get('/v1/directory')).data.find(({ id }) => id === application.id);
  const listed = (await admin.client.get(`/v1/teams/${team}/applications`)).data[0].application;
  const icons = [own.icon, directory.icon, listed.icon, posted.data[0].via_app.icon];
  expect(new Set(icons).size).toBe(1);
  expect(own.icon).toMatch(new RegExp(`^${server.running.url}/v1/applications/${application.id}/icon/`));
  for (const shown of [directory, listed, posted.data[0]])
    expect(JSON.stringify(shown)).not.toContain(source);
  const { response, bytes } = await fetchedOnce(own.icon);
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const { format, width, height } = await sharp(bytes).metadata();
  expect([format, width, height]).toEqual(['webp', 128, 128]);
  for (let n = 0; n < 5; n++) await fetched(own.icon);
  expect(asked.filter((request) => request.url === '/icon.png')).toHaveLength(1);
  expect(asked[0]?.headers.cookie).toBeUndefined();
  const wrong = await fetched(forged(own.icon));
  expect(wrong.response.status).toBe(404);
  // Another one has another address.
  await admin.client.patch(`/v1/applications/${application.id}`, { icon: `${url}/second.png` });
  const second = (await admin.client.get(`/v1/applications/${application.id}`)).data[0].icon;
  expect(second).not.toBe(own.icon);
  await fetchedOnce(second);
});

it.each([
  ['no picture', () => ({ status: 200, type: 'text/html', body: Buffer.from('<script>alert(1)</script>') })],
  [
    'a picture that may run scripts',
    () => ({
      status: 200,
      type: 'image/svg+xml',
      body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    }),
  ],
  [
    'more than a picture may have',
    () => ({ status: 200, type: 'image/png', body: Buffer.alloc(1024 * 1024 + 1) }),
  ],
  ['a redirect', () => ({ status: 302, type: 'image/png', body: png })],
])('what is %s is not shown: a generated picture stands for it', async (_, answered) => {
  answer = answered();
  const before = asked.length;
  const application = await register(admin, host, { icon: `${url}/bad`, name: 'Quay <&>' });
  await until(() => asked.length > before);
  const { icon } = (await admin.client.get(`/v1/applications/${application.id}`)).data[0];
  const { response, bytes } = await fetched(icon);
  expect(response.headers.get('content-type')).toBe('image/svg+xml');
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  expect(bytes.toString()).toContain('>Q</text>');
  expect(asked.at(-1)?.url).toBe('/bad');
});

it('an owner whose pictures never come delays no other', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const never = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const mallory = await signUp(server, 'Mallory');
  for (let n = 0; n < 12; n++) await register(mallory, host, { icon: `${never}/${n}` });
  answer = { status: 200, type: 'image/png', body: png };
  const application = await register(admin, host, { icon: `${url}/prompt.png` });
  const { icon } = (await admin.client.get(`/v1/applications/${application.id}`)).data[0];
  await fetchedOnce(icon);
  expect(asked.at(-1)?.url).toBe('/prompt.png');
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

it('the page loads pictures from this server alone (claim: icons-are-ours)', async () => {
  const page = await fetch(server.url, { headers: { accept: 'text/html' } });
  const policy = page.headers.get('content-security-policy') ?? '';
  const pictureSources = /img-src ([^;]*)/.exec(policy)?.[1];
  expect(pictureSources).toBe(`'self' data: blob: ${server.running.url}`);
});
