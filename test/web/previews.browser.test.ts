import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, signUp } from '../support/people.ts';
import { inspect, startWeb, type Web } from '../support/web.ts';

/** Of a picture that is loaded, in its own pixels. */
const WIDTH = (image: unknown) => (image as { naturalWidth: number }).naturalWidth;
const IN_SIGHT = `document.querySelector('article ul img').getBoundingClientRect().bottom <= innerHeight`;
let web: Web;
let picture: Buffer;
const site = createServer((request, response) => {
  if (request.url === '/bridge.jpg')
    return response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(picture);
  const head = `<meta property="og:title" content="The bridge is open"><meta property="og:site_name" content="Evening News">
    <meta name="description" content="It took four years, and a winter that nobody had expected.">
    <meta property="og:image" content="/bridge.jpg">`;
  return response.writeHead(200, { 'Content-Type': 'text/html' }).end(head);
});
let origin = '';

beforeAll(async () => {
  const pixels = sharp({ create: { width: 1600, height: 900, channels: 3, background: 'steelblue' } });
  picture = await pixels.jpeg().toBuffer();
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  web = await startWeb({ LINK_PREVIEWS: 'on' }, { previewsOfLoopback: true });
  await signUp(web.server, 'Root');
});
afterAll(async () => {
  await web?.stop();
  await new Promise((resolve) => site.close(resolve));
});

it('a page is previewed, with its host and a picture of our own; readers fold it, its author removes it', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Bakery');
  for (let n = 0; n < 12; n++)
    await ada.client.post('/v1/messages', { text: `Bread ${n}`, addressed_teams: [team] });
  const { page, problems } = await web.visit(`/teams/${team}`, { cookie: ada.client.cookie });
  const small = { width: 390, height: 844 };
  const { page: other, problems: others } = await web.visit(`/teams/${team}`, {
    cookie: ben.client.cookie,
    viewport: small,
    colorScheme: 'dark',
  });
  const requests: string[] = [];
  for (const one of [page, other]) one.on('request', (request) => requests.push(request.url()));
  const field = page.getByRole('textbox', { name: 'Write to Bakery' });
  await field.fill(`Have you seen this? ${origin}/news/bridge`);
  await field.press('Enter');
  const card = page.getByRole('list', { name: 'Previews' });
  await card.getByText('The bridge is open').waitFor();
  await card.getByText(new URL(origin).host).waitFor();
  await card.getByText('Evening News').waitFor();
  const image = card.locator('img');
  await expect.poll(() => image.evaluate(WIDTH)).toBe(1200);
  // The end of the stream stays in sight.
  await expect.poll(() => page.evaluate(IN_SIGHT)).toBe(true);
  await inspect(page, 'previews-page');

  const otherCard = other.getByRole('list', { name: 'Previews' });
  await otherCard.getByText('The bridge is open').waitFor();
  await expect.poll(() => otherCard.locator('img').evaluate(WIDTH)).toBe(1200);
  await inspect(other, 'previews-page-phone');
  expect(await other.getByRole('button', { name: /Remove the preview/ }).count()).toBe(0);
  await other.getByRole('button', { name: 'Fold the preview “The bridge is open”' }).click();
  await otherCard.locator('img').waitFor({ state: 'detached' });
  await other.reload();
  await otherCard.getByText('Evening News').waitFor();
  expect(await otherCard.locator('img').count()).toBe(0);
  await inspect(other, 'previews-page-folded');
  await other.getByRole('button', { name: 'Unfold the preview “The bridge is open”' }).click();
  await otherCard.locator('img').waitFor();

  await other.goto('/settings/appearance');
  await other.getByRole('switch', { name: 'Show previews of links' }).click();
  await expect
    .poll(async () => (await ben.client.get('/v1/users/me')).data[0].link_previews)
    .toEqual({ shown: false, in_direct: false });
  await inspect(other, 'previews-account');
  await other.goto(`/teams/${team}`);
  await other.getByText('Have you seen this?').waitFor();
  expect(await otherCard.count()).toBe(0);

  await page.getByRole('button', { name: 'Remove the preview “The bridge is open”' }).click();
  await page.getByRole('alertdialog').getByText('does not come back').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await card.waitFor({ state: 'detached' });

  await page.goto(`/teams/${team}/settings`);
  await page.getByLabel('Look at pages').selectOption('off');
  await expect
    .poll(async () => (await ada.client.get(`/v1/teams/${team}`)).data[0].link_previews)
    .toBe('off');
  await inspect(page, 'previews-team');
  // No browser asked the site for anything.
  expect(requests.filter((url) => url.startsWith(origin))).toEqual([]);
  expect([...problems, ...others]).toEqual([]);
});
