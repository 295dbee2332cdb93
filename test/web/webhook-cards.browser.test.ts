import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooSmall, tooWide, type Web } from '../support/web.ts';

let web: Web;
let ada: Person;
let team: string;

const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/webhooks/${name}.json`, import.meta.url), 'utf8'));

/** A chart of Nagios. */
const site = createServer((_, response) =>
  response.writeHead(200, { 'Content-Type': 'image/png' }).end(chart),
);
let chart: Buffer;

const diskWith = (image_url: string) => ({
  attachments: [
    {
      color: '#9b59b6',
      pretext: 'A disk of *db-1* needs room',
      author_name: 'Nagios',
      title: 'Almost full',
      title_link: 'https://nagios.example/db-1',
      text: 'Since 9:40 `/var` grows by 2 GB an hour.',
      fields: [
        { title: 'Used', value: '91%', short: true },
        { title: 'Host', value: '<https://nagios.example/db-1|db-1>', short: true },
        { title: 'Left', value: '14 GB', short: true },
      ],
      actions: [
        { type: 'button', text: 'Look at it', url: 'https://nagios.example/look' },
        { type: 'button', text: 'Acknowledge', url: 'https://nagios.example/ack' },
      ],
      image_url,
      footer: 'eu-west, rack 4',
    },
  ],
});
const PRODUCTS = ['github-push', 'github-pull-request', 'github-workflow-run', 'grafana', 'sentry-issue'];

beforeAll(async () => {
  const pixels = sharp({ create: { width: 800, height: 240, channels: 3, background: 'steelblue' } });
  chart = await pixels.png().toBuffer();
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const disk = diskWith(`https://127.0.0.1:${(site.address() as AddressInfo).port}/chart.png`);
  web = await startWeb({ LINK_PREVIEWS: 'on' }, { previewsOfLoopback: true });
  ada = await signUp(web.server, 'Ada');
  team = await makeTeam(ada, [], 'Watch');
  const made = await ada.client.post(`/v1/teams/${team}/webhooks`, { name: 'Watchman' });
  const { pathname } = new URL(made.data[0].url);
  for (const json of [...PRODUCTS.map(fixture), disk])
    expect((await web.server.anonymous().ask('POST', pathname, { json })).text).toBe('ok');
});

afterAll(async () => {
  await web?.stop();
  await new Promise((resolve) => site.close(resolve));
});

it('what products send looks like a card, with links that open their pages (claim: webhook-blocks)', async () => {
  const { page, problems } = await web.visit(`/teams/${team}`, {
    cookie: ada.client.cookie,
    viewport: { width: 1280, height: 3000 },
  });
  const cards = page.getByRole('group', { name: 'From Watchman' });
  await cards.last().getByRole('link', { name: 'Almost full' }).waitFor();
  expect(await cards.count()).toBe(PRODUCTS.length + 1);
  const look = cards.last().getByRole('link', { name: 'Look at it' });
  expect(await look.getAttribute('href')).toBe('https://nagios.example/look');
  expect(await cards.getByRole('button').count()).toBe(0);
  const edge = cards.last().locator('[data-edge]');
  expect(await edge.getAttribute('style')).toBe('--edge: #9b59b6;');
  // As wide as pictures of blocks are, and of this server: the policy of the page allows no other.
  const picture = cards.last().locator('img');
  expect([await picture.getAttribute('width'), await picture.getAttribute('height')]).toEqual(['480', '144']);
  await expect
    .poll(() => picture.evaluate((one) => (one as never as { naturalWidth: number }).naturalWidth))
    .toBe(800);
  expect(await picture.getAttribute('src')).toMatch(
    /^http:\/\/(?:localhost|127\.0\.0\.1):\d+\/v1\/pictures\//,
  );
  await inspect(page, 'webhook-cards');
  expect(problems).toEqual([]);
});

it('cards of products fit a phone, in both directions', async () => {
  for (const locale of ['en-GB', 'ar']) {
    const { page, problems } = await web.visit(`/teams/${team}`, {
      ...{ viewport: { ...PHONE, height: 3600 }, hasTouch: true, isMobile: true },
      cookie: ada.client.cookie,
      locale,
    });
    await page.locator('[data-blocks]').last().waitFor();
    await inspect(page, `webhook-cards-phone-${locale}`);
    expect(await tooWide(page)).toEqual([]);
    expect(await tooSmall(page, '[data-blocks]')).toEqual([]);
    expect(problems).toEqual([]);
  }
});
