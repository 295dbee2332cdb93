import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventStream } from '../../../test/support/event-stream.ts';
import { filesFolder } from '../../../test/support/files.ts';
import { authorize, install, makeTeam, type Person, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { untilHolds } from '../../../test/support/until.ts';

const { server, host, ada, bob, eve, dev } = scene({
  people: ['Ada', 'Bob', 'Eve', 'Dev'],
  environment: { LINK_PREVIEWS: 'on' },
  options: { previewsOfLoopback: true, housekeepingMs: 50 },
});

/** A foreign site: a path, and what it answers. */
const pages = new Map<string, (response: ServerResponse, request: IncomingMessage) => unknown>();
const asked: string[] = [];
const site = createServer((request, response) => {
  asked.push(request.url ?? '');
  const page = pages.get((request.url ?? '').split('?')[0] as string);
  if (page) page(response, request);
  else response.writeHead(404).end();
});
let origin = '';
let picture: Buffer;
let team: string;
let next = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  team = await makeTeam(ada, [bob]);
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const pixels = sharp({ create: { width: 2400, height: 1000, channels: 3, background: 'red', noise } });
  picture = await pixels
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Somebody' } })
    .toBuffer();
});
afterAll(() => new Promise((resolve) => site.close(resolve)));
beforeEach(() => {
  asked.length = 0;
});

const html = (head: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<head>${head}</head><body>`);

/** A new page, so that nothing is remembered of it. */
function page(head = '<title>A page</title>'): string {
  const path = `/pages/${++next}`;
  pages.set(path, html(head));
  return `${origin}${path}`;
}

function pictured(): string {
  const path = `/picture-${++next}.jpg`;
  pages.set(path, (response) => response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(picture));
  return page(`<title>With a picture</title><meta property="og:image" content="${path}">`);
}

const post = async (text: string, by = ada, to: object = { addressed_teams: [team] }): Promise<string> =>
  (await by.client.post('/v1/messages', { text, ...to })).data[0].id;
// biome-ignore lint/suspicious/noExplicitAny: of any shape
const cards = async (id: string, by = ada): Promise<any[]> =>
  (await by.client.get(`/v1/messages/${id}`)).data[0].unfurls ?? [];
const shown = (id: string, titles: readonly string[], by = ada) =>
  untilHolds(async () => expect((await cards(id, by)).map(({ title }) => title)).toEqual(titles));
/** Nothing is left to look at. */
const settled = () =>
  untilHolds(async () =>
    expect(await server.running.db.all('SELECT id FROM preview_jobs WHERE due_at IS NOT NULL', [])).toEqual(
      [],
    ),
  );
const pathOf = (url: string) => url.slice(origin.length);
const rowsOf = (table: string, column: string, id: string) =>
  runSql(server.running.db, `SELECT id FROM ${table} WHERE ${column} = ?`, [id]);

describe('a preview', () => {
  it('is what the page says of itself, comes once by a live event, and stays as it was', async () => {
    const stream = await EventStream.open(bob.client);
    const url = page(
      `<meta property="og:title" content="Bridge \u202e&lt;b&gt;"><meta name="description" content="It is long.">
       <meta property="og:site_name" content="The Site">`,
    );
    const id = await post(`Look at ${url} and again ${url}`);
    await stream.until((events) => events.some(({ data }) => data.message?.unfurls?.length === 1));
    stream.close();
    expect(await cards(id, bob)).toEqual([
      {
        id: expect.any(String),
        url,
        title: 'Bridge <b>',
        text: 'It is long.',
        fields: [],
        application: null,
        site: 'The Site',
        host: new URL(url).host,
      },
    ]);
    pages.set(pathOf(url), html('<title>Something else</title>'));
    await ada.client.patch(`/v1/messages/${id}`, { text: `Look at ${url} once more` });
    await settled();
    expect((await cards(id)).map(({ title }) => title)).toEqual(['Bridge <b>']);
    expect(asked).toEqual([pathOf(url)]);
  });

  it('shows the host where the link led in the end, and keeps the link as it was written', async () => {
    const there = page('<title>There</title>').replace('127.0.0.1', 'localhost');
    const path = `/moved-${++next}`;
    pages.set(path, (response) => response.writeHead(302, { Location: there }).end());
    const id = await post(`${origin}${path}#part`);
    await shown(id, ['There']);
    expect((await cards(id))[0]).toMatchObject({ url: `${origin}${path}#part`, host: new URL(there).host });
  });

  it('is asked for once, however many post the link', async () => {
    const url = page();
    const ids = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => post(`${n} ${url}`, n % 2 ? ada : bob)));
    for (const id of ids) await shown(id, ['A page']);
    expect(asked).toEqual([pathOf(url)]);
  });

  it('is of the first three pages alone, and of no page that has none twice', async () => {
    const urls = [page('<title>1</title>'), `${origin}/missing-${++next}`, page('<title>3</title>'), page()];
    const id = await post(urls.join(' '));
    await shown(id, ['1', '3']);
    await ada.client.patch(`/v1/messages/${id}`, { text: `again ${urls.slice(0, 3).join(' ')}` });
    await settled();
    expect(asked.sort()).toEqual(urls.slice(0, 3).map(pathOf).sort());
  });

  it('comes with an edit that adds the link, and goes with one that takes it away', async () => {
    const [one, other] = [page('<title>One</title>'), page('<title>Other</title>')];
    const id = await post(`See ${one}`);
    await shown(id, ['One']);
    await ada.client.patch(`/v1/messages/${id}`, { text: `See ${one} and ${other}` });
    await shown(id, ['One', 'Other']);
    await ada.client.patch(`/v1/messages/${id}`, { text: `See ${other}` });
    await shown(id, ['Other']);
    expect(asked).toHaveLength(2);
  });

  it('that was removed stays removed, whatever is edited (claim: page-previews-removed)', async () => {
    const url = page();
    const id = await post(`See ${url}`);
    await shown(id, ['A page']);
    const [{ id: unfurl }] = await cards(id);
    const path = `/v1/messages/${id}/unfurls/${unfurl}`;
    expect((await bob.client.delete(path)).status).toBe(403);
    expect((await ada.client.delete(path)).data[0]).not.toHaveProperty('unfurls');
    for (const text of ['no link', `Again ${url}`]) await ada.client.patch(`/v1/messages/${id}`, { text });
    await settled();
    expect(await cards(id)).toEqual([]);
    expect(asked).toEqual([pathOf(url)]);
  });

  it('makes way for the card of an application, and goes with it when that is removed', async () => {
    const url = page();
    const app = await register(dev, host, {
      scopes: ['messages:read', 'messages:write'],
      link_prefixes: [`${origin}/pages`],
    });
    await install(ada, team, app);
    const form = { grant_type: 'client_credentials', team };
    const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
    const bot = server.anonymous().withToken(body.access_token);
    const id = await post(`See ${url}`);
    await shown(id, ['A page']);
    expect(
      (await bot.put(`/v1/messages/${id}/unfurls`, { unfurls: [{ url, title: 'Its own' }] })).status,
    ).toBe(200);
    expect((await cards(id)).map(({ title, application }) => [title, application.id])).toEqual([
      ['Its own', app.id],
    ]);
    await bot.delete(`/v1/messages/${id}/unfurls`);
    await shown(id, ['A page']);
    const [{ id: unfurl }] = (
      await bot.put(`/v1/messages/${id}/unfurls`, { unfurls: [{ url, title: 'Own' }] })
    ).data[0].unfurls;
    await ada.client.delete(`/v1/messages/${id}/unfurls/${unfurl}`);
    expect(await cards(id)).toEqual([]);
  });

  it('of which the picture was lost from the disk is named by a backup', async () => {
    const id = await post(pictured());
    await shown(id, ['With a picture']);
    const [{ file }] = (await runSql<{ file: string }>(
      server.running.db,
      'SELECT file FROM pictures WHERE place_id = ?',
      [id],
    )) as [{ file: string }];
    rmSync(join(filesFolder(server), file));
    const backup = await fetch(`${server.url}/v1/admin/backup`, { headers: { cookie: ada.client.cookie } });
    const files = unzipSync(new Uint8Array(await backup.arrayBuffer()));
    const { lost, deleted } = JSON.parse(strFromU8(files['manifest.json'] as Uint8Array));
    expect([lost, deleted]).toEqual([[file], []]);
    await ada.client.delete(`/v1/messages/${id}`);
  });

  it('is in the archive of the author, and leaves nothing behind when the message is deleted', async () => {
    const id = await post(pictured());
    await shown(id, ['With a picture']);
    expect(await rowsOf('pictures', 'place_id', id)).toHaveLength(1);
    const archive = await fetch(`${server.url}/v1/users/me/export`, {
      headers: { cookie: ada.client.cookie },
    });
    const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    const written = strFromU8(files['messages.ndjson'] as Uint8Array)
      .trim()
      .split('\n');
    expect(written.map((line) => JSON.parse(line)).find((one) => one.id === id).previews).toEqual([
      { url: expect.any(String), host: new URL(origin).host, site: '', title: 'With a picture', text: '' },
    ]);
    await ada.client.delete(`/v1/messages/${id}`);
    for (const [table, column] of [
      ['unfurls', 'message_id'],
      ['preview_jobs', 'message_id'],
      ['pictures', 'place_id'],
    ] as const)
      await untilHolds(async () => expect(await rowsOf(table, column, id)).toEqual([]));
  });
});

describe('the picture of a preview', () => {
  it('is encoded again, and given by this server to those who see the message (claim: pictures-by-right)', async () => {
    const id = await post(pictured());
    await shown(id, ['With a picture']);
    const [{ picture: given }] = await cards(id, bob);
    expect(given).toEqual({ url: expect.stringContaining('/v1/pictures/'), width: 1200, height: 500 });
    const path = new URL(given.url).pathname;
    const fetched = await fetch(given.url, { headers: { cookie: bob.client.cookie } });
    expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(fetched.headers.get('cache-control')).toBe('private, no-cache');
    expect(fetched.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(fetched.headers.get('x-content-type-options')).toBe('nosniff');
    const about = await sharp(Buffer.from(await fetched.arrayBuffer())).metadata();
    expect([about.format, about.width, about.height, about.exif]).toEqual(['webp', 1200, 500, undefined]);

    const missing = (await eve.client.get('/v1/pictures/nothing')).body;
    for (const client of [eve.client, dev.client]) {
      const refused = await client.get(path);
      expect([refused.status, { ...refused.body, time: 0 }]).toEqual([404, { ...missing, time: 0 }]);
    }
    expect((await server.anonymous().get(path)).status).toBe(401);
    const forged = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A');
    expect((await bob.client.get(forged)).status).toBe(404);

    // A right that ends, ends it.
    await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    expect((await bob.client.get(path)).status).toBe(404);
    expect((await ada.client.get(path)).status).toBe(200);
    await rejoin(bob);
    const [{ id: unfurl }] = await cards(id);
    await ada.client.delete(`/v1/messages/${id}/unfurls/${unfurl}`);
    expect((await ada.client.get(path)).status).toBe(404);
    await untilHolds(async () => expect(await rowsOf('pictures', 'place_id', id)).toEqual([]));
  });

  it.each([
    ['no picture', 'image/png', Buffer.from('<svg onload="alert(1)">')],
    ['a pixel', 'image/png', undefined],
  ])('is left out where it is %s', async (_, type, bytes) => {
    const path = `/bad-${++next}.png`;
    const small = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } });
    const body = bytes ?? (await small.png().toBuffer());
    pages.set(path, (response) => response.writeHead(200, { 'Content-Type': type }).end(body));
    const id = await post(page(`<title>Without</title><meta property="og:image" content="${path}">`));
    await shown(id, ['Without']);
    expect((await cards(id))[0]).not.toHaveProperty('picture');
  });
});

async function rejoin(person: Person): Promise<void> {
  const invited = await ada.client.post(`/v1/teams/${team}/invitations`, { emails: [person.email] });
  await person.client.put(`/v1/invitations/${invited.data[0].token}`);
}

describe('no page is asked for', () => {
  const nothing = async (id: string) => {
    await settled();
    expect(await cards(id)).toEqual([]);
    expect(asked).toEqual([]);
  };

  it('that is on this server, or looks as if it were for its reader alone', async () => {
    const one = page();
    await nothing(
      await post(`${server.url}/v1/users/me ${one}?token=1 ${one.replace('//', '//ada:x@')} \`${one}\``),
    );
  });

  it('in direct messages and sidebars, unless their author says so (claim: previews-private)', async () => {
    await nothing(await post(page(), ada, { addressed_users: [bob.id] }));
    const opened = await post('Beside this');
    const sidebar = (
      await ada.client.post(`/v1/messages/${opened}/sidebars`, { users: [bob.id], text: page() })
    ).data[0];
    await settled();
    expect(asked).toEqual([]);
    const settings = (fields: object) => ada.client.patch('/v1/users/me', { link_previews: fields });
    expect((await settings({ in_direct: true })).data[0].link_previews).toEqual({
      shown: true,
      in_direct: true,
    });
    await shown(await post(page(), ada, { addressed_users: [bob.id] }), ['A page'], bob);
    expect(sidebar).toBeDefined();
    asked.length = 0;
    // Bob has not.
    await nothing(await post(page(), bob, { addressed_users: [ada.id] }));
    await settings({ in_direct: false });
  });

  it('for what programs write, unless the team says so (claim: previews-of-programs)', async () => {
    const app = await register(dev, host);
    await install(ada, team, app);
    const { access_token } = await authorize(bob, team, app);
    const token = server.anonymous().withToken(access_token);
    const byToken = async (text: string) =>
      (await token.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id as string;
    const { url: hook } = (await ada.client.post(`/v1/teams/${team}/webhooks`, { name: 'Hook' })).data[0];
    await nothing(await byToken(page()));
    const answer = await fetch(hook, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: page() }),
    });
    expect(answer.status).toBe(200);
    await settled();
    expect(asked).toEqual([]);
    const set = (by: Person, link_previews: string) =>
      by.client.patch(`/v1/teams/${team}`, { link_previews });
    expect((await set(bob, 'all')).status).toBe(403);
    expect((await set(ada, 'some')).status).toBe(400);
    expect((await token.patch(`/v1/teams/${team}`, { link_previews: 'all' })).status).toBe(403);
    expect((await set(ada, 'all')).data[0].link_previews).toBe('all');
    await shown(await byToken(page()), ['A page']);
    await set(ada, 'off');
    asked.length = 0;
    await nothing(await post(page()));
    await set(ada, 'people');
  });
});

it('slow pages of one person delay nobody else, and of one host few are asked at once (claim: slow-pages)', async () => {
  const held: ServerResponse[] = [];
  const slow = () => {
    const path = `/slow-${++next}`;
    pages.set(path, (response) => held.push(response));
    return `${origin}${path}`;
  };
  const release = () => {
    for (const response of held.splice(0)) html('<title>At last</title>')(response);
  };
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await post(`${slow()} ${slow()}`));
  await untilHolds(() => expect(held).toHaveLength(1));
  await shown(await post(page(), bob), ['A page']);
  expect(held).toHaveLength(1);
  ids.push(await post(slow(), bob));
  await untilHolds(() => expect(held).toHaveLength(2));
  await rejoin(eve);
  const waiting = page('<title>Third</title>');
  const third = await post(waiting, eve);
  // It has its turn, and is put off: the host has as many as it may.
  const due = async () =>
    (
      await runSql<{ due_at: number; num_attempts: number }>(
        server.running.db,
        'SELECT due_at, num_attempts FROM preview_jobs WHERE message_id = ?',
        [third],
      )
    )[0];
  await untilHolds(async () =>
    expect(Number((await due())?.due_at)).toBeGreaterThan(server.clock.now() + 100),
  );
  expect(asked).not.toContain(pathOf(waiting));
  const releasing = setInterval(release, 5);
  await shown(third, ['Third']);
  for (const id of ids) await untilHolds(async () => expect((await cards(id)).length).toBeGreaterThan(0));
  await settled();
  clearInterval(releasing);
  await ada.client.delete(`/v1/teams/${team}/users/${eve.id}`);
});
