import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { join, makeTeam, type Person, signUp } from '../support/people.ts';
import {
  inspect,
  PHONE,
  picture,
  startWeb,
  tooSmall,
  tooWide,
  type Visitor,
  type Web,
} from '../support/web.ts';

/** The time limit for events without user action. */
const WITHIN = { timeout: 15_000 };

let web: Web;
let ada: Person;
let ben: Person;
let cy: Person;

beforeAll(async () => {
  web = await startWeb();
  [ada, ben, cy] = [
    await signUp(web.server, 'Ada'),
    await signUp(web.server, 'Ben'),
    await signUp(web.server, 'Cy'),
  ];
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const write = async (author: Person, text: string, to: object): Promise<string> =>
  (await author.client.post('/v1/messages', { text, ...to })).data[0].id;
const addressOf = (id: string) => `${web.url}/messages/${id}`;
const card = (page: Page, id: string) => page.locator(`[data-quote="${id}"]`);
const quotesIn = (page: Page): string[] => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/v1/quotes')) asked.push(request.url());
  });
  return asked;
};

it('a reference shows its message to those who may read it, as long as they may', async () => {
  const inner = await makeTeam(ada, [ben], 'Engine room');
  const open = await makeTeam(ada, [ben, cy], 'Harbour');
  const told = await write(ada, 'The boiler is **cold** until Friday.', { addressed_teams: [inner] });
  const aside = await ada.client.post(`/v1/messages/${told}/sidebars`, {
    users: [ben.id],
    text: 'Ben, hurry',
  });
  const said = (await ada.client.get(`/v1/sidebars/${aside.data[0].id}/messages`)).data[0].id;
  const text = `See ${addressOf(told)} and ${addressOf(said)}`;
  const reference = await write(ben, text, { addressed_teams: [open] });

  const bens = await visit(ben, '/inbox', { serviceWorkers: 'allow' });
  const asked = quotesIn(bens.page);
  await bens.page.goto(`/teams/${open}`);
  const shown = card(bens.page, told);
  await shown.getByText('until Friday').waitFor();
  expect(await shown.textContent()).toMatch(/Ada Test.*Engine room/);
  expect(await shown.locator('strong').textContent()).toBe('cold');
  await card(bens.page, said).getByText('Only people who may read the message see this.').waitFor();
  // Both together; again where they were read before the stream of events was open.
  expect(new Set(asked).size).toBe(1);
  await inspect(bens.page, 'quotes');

  // One level: what a quoted message refers to stays an address.
  const outer = await write(ada, addressOf(reference), { addressed_teams: [open] });
  await card(bens.page, reference).getByText(addressOf(told)).waitFor(WITHIN);
  expect(await bens.page.locator(`[data-message="${outer}"] [data-quote]`).count()).toBe(1);
  await ada.client.delete(`/v1/messages/${outer}`);

  const cys = await visit(cy, `/teams/${open}`);
  const row = cys.page.locator(`[data-message="${reference}"]`);
  await row.getByText(addressOf(told)).waitFor();
  const height = () => row.evaluate((it) => it.getBoundingClientRect().height);
  const before = await height();
  await cys.page.waitForLoadState('networkidle');
  expect(await cys.page.locator('[data-quote]').count()).toBe(0);
  expect(await height()).toBe(before);

  await ada.client.patch(`/v1/messages/${told}`, { text: 'The boiler is hot.' });
  await shown.getByText('The boiler is hot.').waitFor(WITHIN);
  await shown.getByText('(edited)').waitFor();
  await ada.client.delete(`/v1/messages/${said}`);
  await card(bens.page, said).getByText('This message was deleted.').waitFor(WITHIN);

  await ada.client.delete(`/v1/teams/${inner}/users/${ben.id}`);
  await expect.poll(() => bens.page.locator('[data-quote]').count(), WITHIN).toBe(0);
  await bens.page.locator(`[data-message="${reference}"]`).getByText(addressOf(told)).waitFor();
  await bens.page.reload();
  await bens.page.locator(`[data-message="${reference}"]`).waitFor();
  expect(await bens.page.locator('[data-quote]').count()).toBe(0);
  await join(ada, inner, ben);
  await shown.getByText('The boiler is hot.').waitFor(WITHIN);

  // The browser keeps what was read for times without a network, and nothing of this.
  const kept = () =>
    bens.page.evaluate<string>(`(async () => {
      const urls = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
      return urls.join();
    })()`);
  await expect.poll(kept).toContain('/v1/messages?');
  expect(await kept()).not.toContain('/v1/quotes');
  expect([...bens.problems, ...cys.problems]).toEqual([]);
});

it('a message is quoted from its menu, whole or in part, and opens in place', async () => {
  const open = await makeTeam(ada, [cy], 'Harbour');
  const told = await write(ada, 'Tea is at four. Bring **your own** cup.', { addressed_teams: [open] });
  const { page, problems, context } = await visit(cy, `/teams/${open}`);
  const row = page.locator(`[data-message="${told}"]`);
  await row.waitFor();
  const quote = async () => {
    await row.hover();
    await row.getByRole('button', { name: 'More actions' }).click();
    await picture(page, 'quotes-menu');
    await page.getByRole('menuitem', { name: 'Quote' }).click();
  };
  const field = page.getByRole('textbox', { name: 'Write to Harbour' });
  await quote();
  await expect.poll(() => field.inputValue()).toBe(`${addressOf(told)}\n`);
  await field.fill('');
  await page.evaluate(
    `getSelection().selectAllChildren(document.querySelector('[data-message="${told}"] strong'))`,
  );
  await quote();
  await expect.poll(() => field.inputValue()).toMatch(/#quote=\d+-\d+\n$/);
  await page.keyboard.type('Mine is blue.');
  await page.keyboard.press('Enter');
  const shown = card(page, told);
  await shown.waitFor();
  expect(await shown.locator('[data-text]').textContent()).toBe('your own');

  // What no longer stands in the message is not shown in its author's name.
  await ada.client.patch(`/v1/messages/${told}`, { text: 'Tea is at five.' });
  await shown.getByText('Tea is at five.').waitFor(WITHIN);
  await shown.getByText('(edited)').waitFor();

  // Where a list has no field, that of the conversation takes it.
  const own = await visit(ada, '/sent');
  await own.page.locator(`[data-message="${told}"]`).hover();
  await own.page.locator(`[data-message="${told}"]`).getByRole('button', { name: 'More actions' }).click();
  await own.page.getByRole('menuitem', { name: 'Quote' }).click();
  const reply = own.page.getByRole('textbox', { name: 'Write a reply' });
  await expect.poll(() => reply.inputValue()).toBe(`${addressOf(told)}\n`);

  const link = page.getByRole('link', { name: addressOf(told) }).first();
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/messages/${told}`);
  expect(context.pages()).toHaveLength(1);
  await page.getByText('Tea is at five.').first().waitFor();
  expect(problems).toEqual([]);
});

it('what was said between some people is forwarded only after a warning', async () => {
  const open = await makeTeam(ada, [ben, cy], 'Lighthouse');
  const told = await write(ada, 'The vault opens at six.', { addressed_users: [ben.id] });
  const { page, problems } = await visit(ben, `/direct/${ada.id}`, { viewport: PHONE, hasTouch: true });
  const row = page.locator(`[data-message="${told}"]`);
  // A finger selects a part in a dialog.
  await row.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'More', exact: true }).tap();
  await page.getByRole('menuitem', { name: 'Select text…' }).tap();
  await page.getByRole('dialog').locator('[data-text] p').waitFor();
  await page.evaluate(`{
    const words = document.querySelector('[role=dialog] [data-text] p').firstChild;
    getSelection().setBaseAndExtent(words, 4, words, 9);
  }`);
  await page.getByRole('dialog').getByRole('button', { name: 'Quote' }).tap();
  const field = page.getByRole('textbox', { name: 'Write to Ada Test' });
  await expect.poll(() => field.inputValue()).toBe(`${addressOf(told)}#quote=4-9\n`);
  await field.fill('');

  await row.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Forward…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('blockquote').getByText('The vault opens at six.').waitFor();
  await dialog.getByRole('combobox', { name: 'To' }).fill('Light');
  await page
    .getByRole('option', { name: /Lighthouse/ })
    .first()
    .click();
  await dialog.getByRole('textbox', { name: /Your words/ }).fill('You should know');
  await dialog.getByRole('button', { name: 'Forward', exact: true }).click();
  await dialog.getByText('between some people: Ada Test, and you. Lighthouse can tell').waitFor();
  await inspect(page, 'quotes-forward');
  expect(await tooWide(page)).toEqual([]);
  const listed = () => ada.client.get(`/v1/messages?team=${open}&limit=1`);
  expect((await listed()).text).not.toContain(told);
  await dialog.getByRole('button', { name: 'Forward it anyway' }).click();
  await page.getByText('The message is forwarded').waitFor();
  await expect.poll(async () => (await listed()).data[0].text).toBe(`You should know\n${addressOf(told)}`);
  await page.goto(`/teams/${open}`);
  await card(page, told).getByText('The vault opens at six.').waitFor();
  expect(await tooWide(page)).toEqual([]);
  expect(await tooSmall(page, `[data-quote="${told}"]`)).toEqual([]);
  await inspect(page, 'quotes-phone');
  const cys = await visit(cy, `/teams/${open}`);
  await cys.page.getByText('You should know').waitFor();
  expect(await cys.page.getByText('The vault opens').count()).toBe(0);
  expect(problems).toEqual([]);
});
