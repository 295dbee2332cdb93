import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { DESK, PHONE, startWeb, type Web } from '../support/web.ts';

/*
 * Nothing moves that the reader did not move: the sum of all layout shifts (web.dev, CLS) while one types, receives and
 * sends. Shifts after one's own keys count as well, which the usual measure leaves out.
 */

const MOST = 0.01;
const NEXT_FRAME = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

let web: Web;
let ada: Person;
let ben: Person;
let team: string;

beforeAll(async () => {
  web = await startWeb();
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
  team = await makeTeam(ada, [ben], 'Steady');
  let last = '';
  for (let loaf = 1; loaf <= 30; loaf++)
    last = await post(loaf % 3 ? ada : ben, `Loaf ${loaf} is in the oven, and the next one waits beside it.`);
  expect((await ben.client.put(`/v1/teams/${team}/read`, { up_to: last })).status).toBe(200);
});
afterAll(() => web?.stop());

const post = async (person: Person, text: string): Promise<string> =>
  (await person.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id;

/** Begins to count. @returns what gives the sum, and what moved */
async function watchShifts(page: Page) {
  // Earlier changes are painted with the next frame, as the head that makes room.
  await page.evaluate(NEXT_FRAME);
  await page.evaluate(`{
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        shifts.push([value, sources.map(({ node, previousRect, currentRect }) =>
          [node?.nodeName, node?.className, node?.textContent?.slice(0, 60), previousRect, currentRect])]);
    }).observe({ type: 'layout-shift' });
  }`);
  return async () => {
    // What was painted last is told after the next frame.
    await page.evaluate(NEXT_FRAME);
    const shifts = await page.evaluate<[number, unknown[]][]>('shifts');
    return { sum: shifts.reduce((sum, [value]) => sum + value, 0), shifts };
  };
}

it.each([
  ['a desk', DESK],
  ['a phone', PHONE],
] as const)('on %s nothing moves while one types, receives and sends', async (name, viewport) => {
  const { page, problems } = await web.visit(`/teams/${team}`, { cookie: ben.client.cookie, viewport });
  const [{ username }] = (await ben.client.get('/v1/users/me')).data;
  const field = page.getByRole('textbox', { name: 'Write to Steady' });
  await page.getByText('Loaf 30 is in the oven').first().waitFor();
  await page.waitForLoadState('networkidle');
  await field.click();
  // On a phone the head makes room for who writes.
  if (viewport === PHONE) await page.locator('html[data-writing]').waitFor();
  const shifted = await watchShifts(page);
  await field.pressSequentially(`Who opens on ${name}?`);
  await post(ada, `I do, on ${name}`);
  await page.getByText(`I do, on ${name}`, { exact: true }).last().waitFor();
  await ada.client.post('/v1/messages', { text: `@${username} hello`, addressed_teams: [team] });
  await page.getByText('hello', { exact: false }).last().waitFor();
  await field.press('Enter');
  await page.getByText(`Who opens on ${name}?`).last().waitFor();
  await expect.poll(() => field.inputValue()).toBe('');
  await page.waitForLoadState('networkidle');
  const { sum, shifts } = await shifted();
  expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThan(MOST);
  expect(problems).toEqual([]);
});

it.each([
  ['message', 'Write to Steady', '**/v1/messages'],
  ['reply', 'Write a reply', '**/replies'],
])('a %s stands, while it is sent, as it will when it is', async (kind, name, route) => {
  const root = await post(ada, `Who takes a ${kind}?`);
  const path = kind === 'message' ? `/teams/${team}` : `/messages/${root}`;
  const { page, problems } = await web.visit(path, { cookie: ben.client.cookie, viewport: DESK });
  const field = page.getByRole('textbox', { name });
  await page.getByText(`Who takes a ${kind}?`).first().waitFor();
  const texts = ['first', 'second', 'third'].map((which) => `The ${which} ${kind} of three`);
  const [first = '', ...others] = texts;
  const write = async (text: string) => {
    await field.fill(text);
    await field.press('Enter');
  };
  const sent = (text: string) => page.locator('[data-message]', { hasText: text }).waitFor();
  const places = async () => {
    await page.evaluate(NEXT_FRAME);
    const boxes = texts.map((text) => page.getByText(text, { exact: true }).boundingBox());
    return (await Promise.all(boxes)).map((box) => box?.y);
  };
  await write(first);
  await sent(first);
  const held = Promise.withResolvers<void>();
  await page.route(route, async (one) => {
    await held.promise;
    await one.continue();
  });
  for (const text of others) await write(text);
  for (const text of others) await page.getByText(text, { exact: true }).waitFor();
  const waiting = await places();
  held.resolve();
  for (const text of others) await sent(text);
  expect(await places()).toEqual(waiting);
  expect(problems).toEqual([]);
});

it('a long text is folded, and a reference shows its message, while they are sent', async () => {
  const quoted = await post(ada, 'Rye sells best on Fridays');
  const { page, problems } = await web.visit(`/teams/${team}`, { cookie: ben.client.cookie, viewport: DESK });
  await page.getByText('Rye sells best on Fridays').first().waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/messages', async (one) => {
    await held.promise;
    await one.continue();
  });
  const lines = Array.from({ length: 40 }, (_, line) => `Line ${line} of the recipe`).join('\n');
  const field = page.getByRole('textbox', { name: 'Write to Steady' });
  await field.fill(`${web.server.url}/messages/${quoted}\n${lines}`);
  await field.press('Enter');
  const last = page.getByRole('article').last();
  const height = async () => (await last.boundingBox())?.height;
  await last.getByText('Rye sells best on Fridays').waitFor();
  const waiting = await height();
  held.resolve();
  await page.locator('[data-message]', { hasText: 'Line 1 of the recipe' }).waitFor();
  await last.getByText('Rye sells best on Fridays').waitFor();
  expect(await height()).toBe(waiting);
  expect(problems).toEqual([]);
});
