import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

const WITHIN = { timeout: 15_000 };

let web: Web;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  web = await startWeb();
  [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const write = async (person: Person, team: string, text: string): Promise<string> =>
  (await person.client.post('/v1/messages', { addressed_teams: [team], text })).data[0].id;

const reply = (person: Person, root: string, text: string) =>
  person.client.post(`/v1/messages/${root}/replies`, { text });

const field = (page: Page, name: string) => page.getByRole('textbox', { name });

const holdsFocus = (page: Page, name: string) =>
  field(page, name).and(page.locator(':focus')).waitFor({ timeout: 15_000 });

/** What the focused message says. */
const focused = (page: Page) =>
  page.evaluate(
    "document.activeElement.closest('[data-message]')?.innerText ?? document.activeElement.tagName",
  );

const countFives = async (person: Person, team: string) =>
  (await person.client.get(`/v1/messages?team=${team}`)).data.reduce(
    (sum, { num_high_fives }) => sum + num_high_fives,
    0,
  );

it('a stream has the cursor in its field when it is opened, and letters are a text wherever the focus is', async () => {
  const team = await makeTeam(ada, [ben], 'Letters');
  for (const text of ['One', 'Two', 'Three']) await write(ben, team, text);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByRole('article').getByText('Three').waitFor();
  const box = field(page, 'Write to Letters');
  await holdsFocus(page, 'Write to Letters');
  await page.keyboard.type('nice work');
  expect(await box.inputValue()).toBe('nice work');

  const from = async (where: string, text: string) => {
    await box.fill('');
    await page.evaluate(where);
    await expect.poll(() => box.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(false);
    await page.keyboard.type(text);
    await expect.poll(() => box.inputValue(), { message: where }).toBe(text);
    expect(new URL(page.url()).pathname).toBe(`/teams/${team}`);
  };
  await from('document.activeElement.blur()', 'could I jump in?');
  await from("document.querySelector('nav a').focus()", 'hello /everybody');
  await from("document.querySelector('#content').focus()", 'remember me? oh');
  // So is a letter after a click on a message, which shows no ring.
  await box.fill('');
  await page.getByRole('article').getByText('Two').click();
  await page.keyboard.type('hello, umm, j?');
  expect(await box.inputValue()).toBe('hello, umm, j?');
  // A message that has the focus back after a text was left is not chosen.
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page), WITHIN).not.toBe('TEXTAREA');
  await page.keyboard.type('here');
  await expect.poll(() => box.inputValue()).toBe('hello, umm, j?here');
  expect(await countFives(ada, team)).toBe(0);
  expect(problems).toEqual([]);
});

it('the buttons of a message stand at one alone: where keys are, or the mouse once it moves', async () => {
  const team = await makeTeam(ada, [ben], 'Bars');
  await write(ben, team, 'Cake in the kitchen');
  await write(ben, team, 'Tea in the hall');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const row = (text: string) => page.getByRole('article').filter({ hasText: text });
  const more = (text: string) => row(text).getByRole('button', { name: 'More actions' });
  const inSight = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll('article')]
      .filter((row) => getComputedStyle(row.querySelector('[aria-haspopup=menu]').parentElement).opacity === '1')
      .map((row) => row.querySelector('[data-text]').textContent)`);
  const [cake, tea] = ['Cake in the kitchen', 'Tea in the hall'];
  await row(cake).hover();
  await expect.poll(inSight).toEqual([cake]);
  await more(cake).click();
  await page.getByRole('menu').waitFor();
  // The menu stands over the other message.
  const { x = 0, y = 0 } = (await row(tea).boundingBox()) ?? {};
  await page.mouse.move(x + 200, y + 10);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await expect.poll(inSight).toEqual([cake]);
  await page.mouse.move(x + 210, y + 12);
  await expect.poll(inSight).toEqual([tea]);
  await page.keyboard.press('Shift');
  await expect.poll(inSight).toEqual([cake]);
  expect(problems).toEqual([]);
});

it('a letter is a text after a key closed what a click had opened at a message', async () => {
  const team = await makeTeam(ada, [ben], 'Popups');
  await write(ben, team, 'Cake in the kitchen');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const cake = page.getByRole('article').filter({ hasText: 'Cake in the kitchen' });
  const box = field(page, 'Write to Popups');
  await holdsFocus(page, 'Write to Popups');
  const closed = async () => {
    await page.locator('[role=menu], [role=dialog]').first().waitFor({ state: 'detached' });
    await expect.poll(() => focused(page), WITHIN).toContain('Cake in the kitchen');
  };
  await cake.hover();
  await cake.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await closed();
  await page.keyboard.type('hush, ');
  await expect.poll(() => box.inputValue(), WITHIN).toBe('hush, ');

  await cake.hover();
  await cake.getByRole('button', { name: 'Add a reaction…' }).click();
  await page.getByPlaceholder('Find an emoji').fill('party popper');
  await page.getByRole('gridcell', { name: 'party popper' }).first().waitFor();
  await page.keyboard.press('Enter');
  await closed();
  await cake.getByRole('button', { name: '🎉' }).waitFor();
  await page.keyboard.type('mushrooms');
  await expect.poll(() => box.inputValue(), WITHIN).toBe('hush, mushrooms');
  expect(await countFives(ben, team)).toBe(0);

  // A message that a key has led to still takes keys after its menu was closed.
  await page.keyboard.press('F6');
  await page.keyboard.press('k');
  await expect.poll(() => focused(page), WITHIN).toContain('Cake in the kitchen');
  await page.keyboard.press('Tab');
  const more = cake.getByRole('button', { name: 'More actions' });
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('Escape');
  await closed();
  await page.keyboard.press('h');
  await expect.poll(() => countFives(ben, team), WITHIN).toBe(1);
  expect(problems).toEqual([]);
});

it('in an opened conversation letters go to its field, and act on a message after a key has led to it', async () => {
  const team = await makeTeam(ada, [ben], 'Answers');
  const root = await write(ada, team, 'Which colour?');
  await reply(ben, root, 'I would take blue');
  const { page, problems } = await visit(ada, '/inbox');
  await page.getByRole('article', { name: /^New: Ben Test/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  const panel = page.getByRole('region', { name: 'Conversation' });
  await panel.getByText('I would take blue').waitFor();
  await page.keyboard.type('ok thanks, julia');
  await expect.poll(() => field(page, 'Write a reply').inputValue(), WITHIN).toBe('ok thanks, julia');
  expect(await countFives(ada, team)).toBe(0);
  // F6 leads to the messages and back; arrows choose.
  await page.keyboard.press('F6');
  await expect.poll(() => focused(page), WITHIN).toContain('I would take blue');
  await page.keyboard.press('F6');
  await holdsFocus(page, 'Write a reply');
  await page.keyboard.press('F6');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focused(page), WITHIN).toContain('Which colour?');
  await page.keyboard.press('j');
  await page.keyboard.press('h');
  await panel.getByRole('button', { name: '1 high five' }).waitFor();
  expect(await field(page, 'Write a reply').inputValue()).toBe('ok thanks, julia');
  expect(problems).toEqual([]);
});

it('Escape leads from the field to the messages, and an arrow beyond the newest leads back', async () => {
  const team = await makeTeam(ada, [ben], 'Ways');
  for (const text of ['One', 'Two']) await write(ben, team, text);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByRole('article').getByText('Two').waitFor();
  await holdsFocus(page, 'Write to Ways');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page), WITHIN).toContain('Two');
  await page.keyboard.press('k');
  await expect.poll(() => focused(page), WITHIN).toContain('One');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focused(page), WITHIN).toContain('Two');
  await page.keyboard.press('ArrowDown');
  await holdsFocus(page, 'Write to Ways');
  // While one writes, the keys are shown as well.
  await page.keyboard.press('ControlOrMeta+/');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('Between the field to write in and the messages').waitFor();
  await page.keyboard.type('hc');
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await holdsFocus(page, 'Write to Ways');
  expect(await field(page, 'Write to Ways').inputValue()).toBe('');
  // From the messages the keys lead on.
  await page.keyboard.press('F6');
  await expect.poll(() => focused(page), WITHIN).toContain('Two');
  await page.keyboard.press('i');
  await page.waitForURL('**/inbox');
  expect(problems).toEqual([]);
});

it('keys act on a deleted message as its menu does: only what opens it, or the conversation that goes on', async () => {
  const team = await makeTeam(ada, [ben], 'Gone');
  const root = await write(ben, team, 'Which way?');
  const answer = (await reply(ben, root, 'North')).data[0].id;
  await ben.client.put(`/v1/messages/${answer}/high_five`);
  const over = await write(ben, team, 'Never mind');
  await reply(ada, over, 'I do mind');
  for (const id of [answer, over]) await ben.client.delete(`/v1/messages/${id}`);
  await ada.client.put(`/v1/messages/${over}/read`);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const row = page.getByRole('article').filter({ hasText: 'This message was deleted.' });
  await row.waitFor();
  const choose = async () => {
    await row.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page), WITHIN).toContain('This message was deleted.');
  };
  await choose();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  for (const key of 'mrhespu') await page.keyboard.press(key);
  expect([new URL(page.url()).search, await field(page, 'Write to Gone').inputValue()]).toEqual(['', '']);
  await row.hover();
  await row.getByRole('button', { name: 'More actions' }).click();
  const menu = page.getByRole('menu');
  await menu.waitFor();
  const offered = ['Reply', 'Mute', 'Mark as unread', 'Save for later', 'Edit'];
  for (const name of offered) expect(await menu.getByRole('menuitem', { name }).count(), name).toBe(0);
  await page.keyboard.press('Escape');
  await choose();
  await page.keyboard.press('o');
  const panel = page.getByRole('region', { name: 'Conversation' });
  await panel.getByText('I do mind').waitFor();
  expect(sent.filter((one) => /mutes|unread|saved|pinned|five|DELETE/.test(one))).toEqual([]);
  // A deleted reply leaves its conversation as it is: that can be muted.
  await page.goto(`/teams/${team}?open=${root}`);
  await panel.getByText('This message was deleted.').waitFor();
  await page.keyboard.press('F6');
  await expect.poll(() => focused(page), WITHIN).toContain('This message was deleted.');
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await page.keyboard.press('m');
  const muted = async () => (await ada.client.get(`/v1/messages/${root}`)).data[0].muted;
  await expect.poll(muted, WITHIN).toBe(true);
  expect(sent.filter((one) => one.includes('mutes'))).toEqual([`PUT /v1/users/me/mutes/message/${root}`]);
  expect(problems).toEqual([]);
});

it('on a phone no field takes the focus unasked', async () => {
  const team = await makeTeam(ada, [ben], 'Thumbs');
  await write(ben, team, 'One');
  for (const options of [
    { viewport: PHONE },
    { hasTouch: true, isMobile: true, viewport: { width: 1000, height: 800 } },
  ]) {
    const { page, problems } = await visit(ada, `/teams/${team}`, options);
    await page.getByRole('article').getByText('One').waitFor();
    await field(page, 'Write to Thumbs').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
    expect(problems).toEqual([]);
  }
});

it('Escape in a begun text marks nothing as read; in an empty field it does, and that can be undone', async () => {
  const team = await makeTeam(ada, [ben], 'Sweeps');
  const lines = Array.from({ length: 12 }, (_, at) => `Line ${at}`).join('\n');
  for (let count = 1; count <= 12; count += 1) await write(ben, team, `${count}.\n${lines}`);
  const unread = async () => (await ada.client.get('/v1/users/me')).data[0].unread_counts.teams[team] ?? 0;
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByText('New', { exact: true }).waitFor();
  await holdsFocus(page, 'Write to Sweeps');
  const markRead = page.getByRole('button', { name: 'Mark as read' });
  await markRead.waitFor();
  await page.keyboard.type('half a ');
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page), WITHIN).not.toBe('TEXTAREA');
  // What the next letter brings about comes after what Escape would have.
  await page.keyboard.type('text');
  await expect.poll(() => field(page, 'Write to Sweeps').inputValue()).toBe('half a text');
  expect(await unread()).toBeGreaterThan(5);

  const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
  const sweeps = [
    async () => {
      await field(page, 'Write to Sweeps').fill('');
      await page.keyboard.press('Escape');
    },
    () => markRead.click(),
  ];
  for (const sweep of sweeps) {
    const before = await unread();
    await sweep();
    await expect.poll(unread, WITHIN).toBe(0);
    await markRead.waitFor({ state: 'detached' });
    // The button that had the focus is gone, and the title has it.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
    await undo.click();
    await expect.poll(unread, WITHIN).toBeGreaterThan(5);
    expect(await unread()).toBeLessThanOrEqual(before);
    await markRead.waitFor();
  }
  expect(problems).toEqual([]);
});
