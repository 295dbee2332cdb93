import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { EventStream } from '../../../test/support/event-stream.ts';
import { authorize, install, makeTeam, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer } from '../../../test/support/server.ts';
import { runSql } from '../../../test/support/tables.ts';
import { untilHolds } from '../../../test/support/until.ts';

const OPTIONS = { previewsOfLoopback: true, housekeepingMs: 50 };
const { server, host, ada, bob, eve, dev } = scene({
  people: ['Ada', 'Bob', 'Eve', 'Dev'],
  environment: { LINK_PREVIEWS: 'on' },
  options: OPTIONS,
});

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;
const files = new Map<string, Answer>();
const asked: string[] = [];
const site = createServer((request, response) => {
  asked.push(request.url ?? '');
  const answer = files.get(request.url ?? '');
  if (answer) answer(response, request);
  else response.writeHead(404).end();
});
let origin = '';
let png: Buffer;
let team: string;
let bot: Client;
let next = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  // As blocks name it; tests are asked without TLS.
  origin = `https://127.0.0.1:${(site.address() as AddressInfo).port}`;
  team = await makeTeam(ada, [bob]);
  png = await sharp({ create: { width: 24, height: 16, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const app = await register(dev, host, { scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, app);
  const { access_token } = await authorize(ada, team, app);
  byAda = server.anonymous().withToken(access_token);
  const form = { grant_type: 'client_credentials', team };
  const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
  bot = server.anonymous().withToken(body.access_token);
});
let byAda: Client;
afterAll(() => new Promise((resolve) => site.close(resolve)));
beforeEach(() => {
  asked.length = 0;
  // An author has so many looks in a minute.
  server.clock.advance(60);
});

const serve: Answer = (response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end(png);
function file(answer: Answer = serve): string {
  const path = `/${++next}.png`;
  files.set(path, answer);
  return origin + path;
}
const redirect =
  (to: string): Answer =>
  (response) =>
    response.writeHead(302, { Location: to }).end();
const pathOf = (url: string) => new URL(url).pathname;

const image = (image_url: string) => ({ type: 'image', image_url, alt_text: 'A chart' });
const post = async (urls: readonly string[], by = bot, to: object = { addressed_teams: [team] }) => {
  const answer = await by.post('/v1/messages', { blocks: urls.map(image), ...to });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.data[0].id as string;
};
type Shown = Readonly<Record<string, { url: string; width: number; height: number }>>;
const pictures = async (id: string, by = bob): Promise<Shown> =>
  (await by.client.get(`/v1/messages/${id}`)).data[0].pictures ?? {};
const shown = (id: string, urls: readonly string[], by = bob) =>
  untilHolds(async () => expect(Object.keys(await pictures(id, by)).sort()).toEqual([...urls].sort()));
const rowsOf = (table: string, column: string, id: string) =>
  runSql(server.running.db, `SELECT id FROM ${table} WHERE ${column} = ?`, [id]);
const settled = () =>
  untilHolds(async () =>
    expect(await server.running.db.all('SELECT id FROM preview_jobs WHERE due_at IS NOT NULL', [])).toEqual(
      [],
    ),
  );
const nothing = async (id: string) => {
  await settled();
  expect(await pictures(id)).toEqual({});
};
/** An answer that waits until it is released. */
function held(): { url: string; release: () => void; isAsked: () => Promise<void> } {
  const waiting: ServerResponse[] = [];
  const url = file((response) => waiting.push(response));
  return {
    url,
    isAsked: async () => void (await untilHolds(() => expect(waiting).toHaveLength(1))),
    release: () => {
      for (const response of waiting.splice(0)) serve(response, {} as IncomingMessage);
    },
  };
}

describe('the pictures of blocks', () => {
  it('are fetched once, encoded again, told live and given to those who see the message (claim: pictures-of-blocks)', async () => {
    const stream = await EventStream.open(bob.client);
    const url = file();
    const card = {
      type: 'card',
      hero_image: image(url),
      icon: image(url),
      title: { type: 'plain_text', text: 'A' },
    };
    const [id, other] = await Promise.all(
      [1, 2].map(
        async () =>
          (await bot.post('/v1/messages', { addressed_teams: [team], blocks: [card] })).data[0].id as string,
      ),
    );
    await stream.until((events) => events.some(({ data }) => data.message?.pictures?.[url] !== undefined));
    stream.close();
    await shown(id as string, [url]);
    await shown(other as string, [url]);
    expect(asked).toEqual([pathOf(url)]);
    const { [url]: picture } = await pictures(id as string);
    expect(picture).toEqual({ url: expect.stringContaining('/v1/pictures/'), width: 24, height: 16 });
    const listed = (await bob.client.get(`/v1/messages?team=${team}&limit=2`)).data;
    expect(listed.map((one) => Object.keys(one.pictures))).toEqual([[url], [url]]);
    const fetched = await fetch((picture as { url: string }).url, { headers: { cookie: bob.client.cookie } });
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await eve.client.get(pathOf((picture as { url: string }).url))).status).toBe(404);
  });

  it('are those of an incoming webhook, too', async () => {
    const { url: hook } = (await ada.client.post(`/v1/teams/${team}/webhooks`, { name: 'Hook' })).data[0];
    const url = file();
    const json = { attachments: [{ color: 'good', title: 'Chart', image_url: url }] };
    await server.anonymous().ask('POST', pathOf(hook), { json });
    await shown((await bob.client.get(`/v1/messages?team=${team}&limit=1`)).data[0].id, [url]);
  });

  it('are at most 20 of a message', async () => {
    const urls = Array.from({ length: 22 }, () => file());
    const id = await post(urls);
    await shown(id, urls.slice(0, 20));
    await settled();
    expect(asked).toHaveLength(20);
  });

  it('are fetched after an edit where they are new, and go where they are none any more', async () => {
    const [one, two, three] = [file(), file(), file()] as [string, string, string];
    const id = await post([one, two]);
    await shown(id, [one, two]);
    expect((await bot.patch(`/v1/messages/${id}`, { blocks: [two, three].map(image) })).status).toBe(200);
    await shown(id, [two, three]);
    await settled();
    expect(asked.sort()).toEqual([one, two, three].map(pathOf).sort());
    await untilHolds(async () => expect(await rowsOf('pictures', 'place_id', id)).toHaveLength(2));
    await bot.patch(`/v1/messages/${id}`, { text: 'Words', blocks: null });
    expect(await pictures(id)).toEqual({});
    await untilHolds(async () => expect(await rowsOf('pictures', 'place_id', id)).toEqual([]));
  });

  it('leave nothing where an edit takes them away while they are fetched', async () => {
    const { url, release, isAsked } = held();
    const id = await post([url]);
    await isAsked();
    const other = file();
    await bot.patch(`/v1/messages/${id}`, { blocks: [image(other)] });
    release();
    await shown(id, [other]);
    await settled();
    await untilHolds(async () => expect(await rowsOf('pictures', 'place_id', id)).toHaveLength(1));
  });

  it('leave nothing where the message is deleted while they are fetched, or later', async () => {
    const { url, release, isAsked } = held();
    const [early, late] = [await post([url]), await post([file()], byAda)];
    await isAsked();
    await bot.delete(`/v1/messages/${early}`);
    release();
    await untilHolds(async () => expect(Object.keys(await pictures(late))).toHaveLength(1));
    await ada.client.delete(`/v1/messages/${late}`);
    await settled();
    for (const id of [early, late])
      for (const [table, column] of [
        ['preview_jobs', 'message_id'],
        ['pictures', 'place_id'],
      ] as const)
        await untilHolds(async () => expect(await rowsOf(table, column, id)).toEqual([]));
  });

  it('may be behind a redirect, but none that leads into the network of the server', async () => {
    const there = file();
    const moved = file(redirect(there.replace('https:', 'http:')));
    await shown(await post([moved]), [moved]);
    await nothing(
      await post([file(redirect('http://10.0.0.1/a.png')), file(redirect('file:///etc/passwd'))]),
    );
  });

  it.each([
    ['a private address', () => 'https://192.168.0.1/a.png'],
    ['the address of a cloud’s metadata', () => 'https://169.254.169.254/latest'],
    ['this server', () => `${server.url.replace('http:', 'https:')}/favicon.ico`],
    [
      'no picture',
      () => file((response) => response.writeHead(200, { 'Content-Type': 'image/png' }).end('<svg/>')),
    ],
    ['a page', () => file((response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(png))],
    [
      'too large',
      () =>
        file((response) =>
          response
            .writeHead(200, { 'Content-Type': 'image/png' })
            .end(Buffer.concat([png, Buffer.alloc(2 ** 21)])),
        ),
    ],
  ])('are left out where there is %s', async (_, url) => {
    await nothing(await post([url()]));
  });

  it('are asked for by no team that wants no previews, and in private for no person who wants none (claim: pictures-of-blocks-off)', async () => {
    await ada.client.patch(`/v1/teams/${team}`, { link_previews: 'off' });
    await nothing(await post([file()]));
    await ada.client.patch(`/v1/teams/${team}`, { link_previews: 'people' });
    const direct = () => post([file()], byAda, { addressed_users: [bob.id] });
    await nothing(await direct());
    await ada.client.patch('/v1/users/me', { link_previews: { in_direct: true } });
    const id = await direct();
    await untilHolds(async () => expect(Object.keys(await pictures(id))).toHaveLength(1));
    expect(asked).toHaveLength(1);
    await ada.client.patch('/v1/users/me', { link_previews: { in_direct: false } });
  });

  it.runIf(process.env.TEST_DATABASE === 'postgres')('are fetched by one of two nodes', async () => {
    const other = await startTestServer(server.environment, { ...OPTIONS, clock: server.clock.now });
    try {
      const urls = Array.from({ length: 8 }, () => file());
      const ids = await Promise.all(urls.map((url, at) => post([url], at % 2 === 0 ? bot : byAda)));
      for (const [at, id] of ids.entries()) await shown(id, [urls[at] as string]);
      await settled();
      expect(asked.sort()).toEqual(urls.map(pathOf).sort());
    } finally {
      await other.stop();
    }
  });
});
