import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, signUp } from '../support/people.ts';
import { startWeb, type Web } from '../support/web.ts';

/** An address without a script of ours: nothing is loaded yet. */
const NOWHERE = '/manifest.webmanifest';
/** What a window loads ahead once the view is there. */
const AHEAD = /\/assets\/(later|windows|popups|blocks)-/;
const MOST_REQUESTS = 30;
/** 270 when this was written, of which 105 are React, its router and its cache. */
const MOST_FILES_KB = 290;
const KB = 1000;

let web: Web;
let cookie: string;
let team: string;
let views: readonly (readonly [path: string, shown: (page: Page) => Promise<void>])[];

beforeAll(async () => {
  web = await startWeb();
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  team = await makeTeam(ada, [ben], 'Studio North');
  await ben.client.post('/v1/messages', { text: 'Which colour?', addressed_teams: [team] });
  await ben.client.post('/v1/messages', { text: 'Lunch?', addressed_users: [ada.id] });
  cookie = ada.client.cookie;
  views = [
    ['/inbox', (page) => page.getByRole('article').filter({ hasText: 'Lunch?' }).waitFor()],
    [`/teams/${team}`, (page) => page.getByRole('article').filter({ hasText: 'Which colour?' }).waitFor()],
  ];
});

afterAll(() => web?.stop());

/** What the head of a page names, by the kind of it. */
async function named(path: string): Promise<string[]> {
  const answer = await fetch(web.url + path, { headers: { Accept: 'text/html', Cookie: cookie } });
  return [...(answer.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map(
    ([, address]) => address as string,
  );
}

const addressOf = (request: Request) => request.url().slice(web.url.length);
const isOurs = (request: Request) => request.url().startsWith(`${web.url}/`);

it('the first view of a member takes few requests, and few bytes of files', async () => {
  for (const [path, shown] of views) {
    const { page } = await web.visit(NOWHERE, { cookie });
    const asked: Request[] = [];
    page.on('request', (request) => void (isOurs(request) && asked.push(request)));
    await page.goto(path);
    await shown(page);
    const first = asked.filter((request) => !AHEAD.test(request.url()));
    const addresses = new Set(first.map(addressOf));
    expect([path, [...addresses].length <= MOST_REQUESTS, [...addresses]]).toEqual([
      path,
      true,
      expect.anything(),
    ]);
    const files = first.filter((request) => request.url().includes('/assets/'));
    const sizes = await Promise.all(files.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, one) => sum + one.responseBodySize + one.responseHeadersSize, 0);
    expect(Math.round(bytes / KB)).toBeLessThan(MOST_FILES_KB);
    // None is missing in the count.
    expect(files.length).toBeGreaterThan(6);
  }
});

it('what the head of a page names is what its view asks for, word by word', async () => {
  for (const [path, shown] of views) {
    const { page } = await web.visit(NOWHERE, { cookie });
    const asked = new Set<string>();
    // With a query nothing is named and begun, and the view asks by itself.
    const plain = `${path}?plain=1`;
    expect((await named(plain)).filter((one) => one.startsWith('/v1/'))).toEqual([]);
    page.on('request', (request) => asked.add(addressOf(request)));
    await page.goto(plain);
    await shown(page);
    const all = await named(path);
    expect(all).toContain('/v1/users/me');
    await expect.poll(() => all.filter((one) => !asked.has(one))).toEqual([]);
  }
});
