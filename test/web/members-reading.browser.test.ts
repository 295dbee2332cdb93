import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { answerFirst, inspect, intercept, startWeb, type Visitor, type Web } from '../support/web.ts';

/** The time limit for events without user action. */
const WITHIN = { timeout: 15_000 };
const MANY = 1500;
const AT_ONCE = 50;

let web: Web;

beforeAll(async () => {
  web = await startWeb();
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

async function write(person: Person, team: string, text: string): Promise<string> {
  const { data } = await person.client.post('/v1/messages', { addressed_teams: [team], text });
  return data[0].id;
}

it('of many messages only those in view are in the page, and nothing jumps while more are read', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Archive');
  for (let from = 1; from <= MANY; from += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => write(ada, team, `Message no. ${from + at}.`)),
    );
  }
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const articles = page.getByRole('article');
  const scroller = page.locator('[data-feed]');
  await articles.getByText('Message no.').last().waitFor();
  const newest = await ada.client.get(`/v1/messages?team=${team}&limit=1`);
  await articles.getByText(newest.data[0].text, { exact: true }).waitFor();

  // The visible message keeps its position when older ones are inserted above it.
  const sizer = page.getByRole('feed');
  const heightOf = () => sizer.evaluate((it) => it.clientHeight);
  const before = await heightOf();
  await scroller.evaluate((it) => it.scrollTo(0, 400));
  const shown = await scroller.evaluate((it) => {
    const top = it.getBoundingClientRect().top;
    const first = [...it.querySelectorAll('article')].find(
      (one) => one.getBoundingClientRect().top > top + 100,
    );
    return { id: first?.dataset.message, y: first?.getBoundingClientRect().top };
  });
  await expect.poll(heightOf, WITHIN).toBeGreaterThan(before + 1000);
  const after = await page.locator(`[data-message="${shown.id}"]`).boundingBox();
  expect(Math.abs((after?.y ?? 0) - (shown.y ?? 0))).toBeLessThan(3);

  const begins = page.getByText('This is where Archive began.');
  while ((await begins.count()) === 0) {
    expect(await articles.count()).toBeLessThan(120);
    const height = await heightOf();
    await scroller.evaluate((it) => it.scrollTo(0, 0));
    await expect
      .poll(async () => (await heightOf()) !== height || (await begins.count()) > 0, WITHIN)
      .toBe(true);
  }
  const oldest = await ada.client.get(`/v1/messages?team=${team}&limit=1&order=oldest`);
  await articles.getByText(oldest.data[0].text, { exact: true }).waitFor();
  const toNewest = page.getByRole('button', { name: 'To the newest' });
  await toNewest.click();
  await articles.getByText(newest.data[0].text, { exact: true }).waitFor();
  // Home and End lead through it also while the page has the focus.
  await page.evaluate('document.activeElement?.blur()');
  await page.keyboard.press('Home');
  await toNewest.waitFor();
  await page.keyboard.press('End');
  await toNewest.waitFor({ state: 'detached' });
  await articles.getByText(newest.data[0].text, { exact: true }).waitFor();
  expect(await articles.count()).toBeLessThan(120);
  expect(problems).toEqual([]);
}, 240_000);

it('with much that is unread, a stream opens at the first of it, and goes on to the end', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'News');
  for (let count = 1; count <= 150; count += 1) await write(ada, team, `Item ${count}.`);
  const { data } = await ben.client.get(`/v1/messages?team=${team}&order=oldest&limit=20`);
  await ben.client.put(`/v1/teams/${team}/read`, { up_to: data.at(-1).id });
  const { page, problems } = await visit(ben, `/teams/${team}`);
  await page.getByText('New', { exact: true }).waitFor();
  await page.getByText('Item 21.').waitFor();
  expect(await page.getByText('Item 150.').count()).toBe(0);
  // The messages in view are read: the server's count is that of those below.
  const pill = page.getByRole('button', { name: /^[0-9]+ new messages$/ });
  const unread = async () => (await ben.client.get('/v1/users/me')).data[0].unread_counts.teams[team];
  await expect.poll(unread, WITHIN).toBeLessThan(130);
  await expect
    .poll(async () => Number.parseInt((await pill.textContent()) ?? '', 10) - (await unread()), WITHIN)
    .toBe(0);
  await inspect(page, 'members-first-unread');
  await pill.click();
  await page.getByText('Item 150.').waitFor();
  // Skipped messages stay unread.
  const left = await ben.client.get('/v1/users/me');
  expect(left.data[0].unread_counts.teams[team]).toBeGreaterThan(50);
  await page.getByRole('button', { name: 'Mark as read' }).click();
  await expect
    .poll(async () => (await ben.client.get('/v1/users/me')).data[0].unread_counts.user.total, WITHIN)
    .toBe(0);
  await expect.poll(() => page.title(), WITHIN).toBe('News · Parley');
  expect(problems).toEqual([]);
});

const FRAMES =
  '(async () => { for (let count = 0; count < 20; count += 1) await new Promise(requestAnimationFrame); })()';

/** Where the reader stands in a stream: the distance to its end, and how far the new line is below the view's top. */
const placeOf = (page: Page) =>
  page.locator('[data-feed]').evaluate((it) => {
    const line = [...it.querySelectorAll('*')].find((one) => one.textContent === 'New');
    const top = it.getBoundingClientRect().top;
    return {
      fromEnd: Math.round(it.scrollHeight - it.scrollTop - it.clientHeight),
      newLine: line ? Math.round(line.getBoundingClientRect().top - top) : undefined,
    };
  });

it('a young team opens at the first unread message, the badge goes with reading, and the end stays in view', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at}`).join('\n');
  const unreadOf = async (team: string) =>
    (await ben.client.get('/v1/users/me')).data[0].unread_counts.teams[team] ?? 0;
  const { page, problems } = await visit(ben, '/inbox');
  // The estimated heights of 8 and 12 messages fit the window, the real ones do not; 30 fit neither way.
  const teams = [];
  for (const [read, unread, tall] of [
    [0, 8, 7],
    [2, 12, 4],
    [3, 30, 1],
    [1, 30, 7],
  ] as const) {
    const team = await makeTeam(ada, [ben], `Young ${unread} ${tall}`);
    teams.push(team);
    for (let count = 1; count <= read; count += 1) await write(ada, team, lines(3));
    if (read > 0) {
      const { data } = await ben.client.get(`/v1/messages?team=${team}&limit=1`);
      await ben.client.put(`/v1/teams/${team}/read`, { up_to: data[0].id });
    }
    for (let count = 1; count <= unread; count += 1) await write(ada, team, `${count}.\n${lines(tall - 1)}`);
    await page.goto(`/teams/${team}`);
    await page.getByText('New', { exact: true }).waitFor();
    // It stays there while rows are measured, for 20 frames.
    await page.evaluate(FRAMES);
    const { newLine, fromEnd } = await placeOf(page);
    expect(newLine, `${unread} of ${tall} lines`).toBeGreaterThanOrEqual(0);
    // Above it stand the beginning, the day and who joined.
    expect(newLine, `${unread} of ${tall} lines`).toBeLessThan(130);
    if (tall > 1) expect(fromEnd).toBeGreaterThan(100);
  }
  const [eight, , , thirty] = teams as [string, string, string, string];

  // What is jumped over stays unread until one says so.
  await page.getByRole('button', { name: /^[0-9]+ new messages$/ }).click();
  await page.getByText('30.', { exact: false }).last().waitFor();
  expect(await unreadOf(thirty)).toBeGreaterThan(5);
  await page.keyboard.press('Escape');
  await expect.poll(() => unreadOf(thirty), WITHIN).toBe(0);
  await page.getByRole('button', { name: 'Mark as read' }).waitFor({ state: 'detached' });

  // An answer says it, too.
  await page.goto(`/teams/${eight}`);
  await page.getByText('New', { exact: true }).waitFor();
  const box = page.getByRole('textbox', { name: /^Write to Young/ });
  await box.fill('I have seen it');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('I have seen it', { exact: true }).waitFor();
  await expect.poll(() => unreadOf(eight), WITHIN).toBe(0);

  // The end stays in view, whatever takes its height.
  await expect.poll(async () => (await placeOf(page)).fromEnd, WITHIN).toBeLessThan(3);
  await box.fill(lines(8));
  await expect.poll(async () => (await placeOf(page)).fromEnd, WITHIN).toBeLessThan(3);
  await page.setViewportSize({ width: 1280, height: 450 });
  await expect.poll(async () => (await placeOf(page)).fromEnd, WITHIN).toBeLessThan(3);
  await page.setViewportSize({ width: 700, height: 600 });
  await expect.poll(async () => (await placeOf(page)).fromEnd, WITHIN).toBeLessThan(3);
  await write(ada, eight, 'And this comes after it');
  await page.getByRole('article').getByText('And this comes after it').waitFor();
  await expect.poll(async () => (await placeOf(page)).fromEnd, WITHIN).toBeLessThan(3);
  // A reader further up keeps the distance to the end.
  await page.locator('[data-feed]').evaluate((it) => it.scrollBy(0, -300));
  await expect.poll(async () => (await placeOf(page)).fromEnd, WITHIN).toBeGreaterThan(250);
  // The page has noted it once a frame is drawn.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const { fromEnd } = await placeOf(page);
  await page.setViewportSize({ width: 700, height: 450 });
  await expect.poll(async () => Math.abs((await placeOf(page)).fromEnd - fromEnd), WITHIN).toBeLessThan(3);
  expect(problems).toEqual([]);
});

it('from a message that an address names, among much that is unread, one gets to the newest', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Depth');
  const first = await write(ada, team, 'At the surface');
  for (let count = 1; count <= 700; count += 1) await write(ada, team, `Down ${count}.`);
  const { page, context, problems } = await visit(ben, `/teams/${team}?at=${first}`);
  await page.getByRole('article').getByText('At the surface').waitFor();
  const pill = page.getByRole('button', { name: /^6[0-9]{2} new messages$/ });
  let isAway = true;
  await intercept(context, '**/v1/messages?team=*', (route) =>
    isAway && !route.request().url().includes('cursor=') ? route.abort() : route.fallback(),
  );
  await pill.click();
  await page.getByText(/^The server cannot be reached/).waitFor();
  isAway = false;
  await page.getByRole('button', { name: /new messages$/ }).click();
  await page.getByRole('article').getByText('Down 700.').waitFor();
  await page.getByRole('button', { name: /new messages$|To the newest/ }).waitFor({ state: 'detached' });
  await page.getByRole('textbox', { name: 'Write to Depth' }).fill('Here');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('Here', { exact: true }).waitFor();
  expect(await page.getByText('At the surface').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('a reader further up keeps the position and sees that messages arrived', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Talk');
  for (let count = 1; count <= 60; count += 1) await write(ben, team, `Line ${count}.`);
  const { page, problems } = await visit(ben, `/teams/${team}`);
  await page.getByText('Line 60.').waitFor();
  await write(ada, team, 'Seen at once');
  await page.getByRole('article').getByText('Seen at once', { exact: true }).waitFor();
  const unread = async () => (await ben.client.get('/v1/users/me')).data[0].unread_counts.user.total;
  await expect.poll(unread, WITHIN).toBe(0);
  await page.locator('[data-feed]').evaluate((it) => it.scrollTo(0, 100));
  await page.getByText('Line 5.').waitFor();
  await write(ada, team, 'Not seen yet');
  await page.getByRole('button', { name: '1 new message' }).waitFor();
  expect(await page.getByText('Line 5.').isVisible()).toBe(true);
  await inspect(page, 'members-missed');
  await page.getByRole('button', { name: '1 new message' }).click();
  await page.getByRole('article').getByText('Not seen yet').waitFor();
  expect(problems).toEqual([]);
});

it('a view begins at its own place, wherever the one before was scrolled to', async () => {
  const ada = await signUp(web.server, 'Ada');
  const bread = await makeTeam(ada, [], 'Bread');
  const cakes = await makeTeam(ada, [], 'Cakes');
  for (let count = 1; count <= 40; count += 1) await write(ada, bread, `Line ${count}.`);
  for (let count = 1; count <= 60; count += 1) await write(ada, cakes, `Line ${count}.`);
  const { page, problems } = await visit(ada, `/teams/${bread}`);
  const scroller = page.locator('[data-feed]');
  const fromEnd = () => scroller.evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);
  const opens = async (name: string, open: () => Promise<unknown>) => {
    await open();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('article').first().waitFor();
    // The place of the one before was given to it after it was drawn.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  };
  const choose = (name: string) =>
    opens(name, () => page.getByRole('navigation', { name: 'Parley' }).getByRole('link', { name }).click());
  await expect.poll(fromEnd, WITHIN).toBeLessThan(3);
  await scroller.evaluate((it) => it.scrollTo(0, 200));
  expect(await fromEnd()).toBeGreaterThan(200);
  await choose('Cakes');
  await expect.poll(fromEnd, WITHIN).toBeLessThan(3);
  // Back leads to where one was, a link to the newest.
  await opens('Bread', () => page.goBack());
  await expect.poll(fromEnd, WITHIN).toBeGreaterThan(200);
  await opens('Cakes', () => page.goForward());
  await expect.poll(fromEnd, WITHIN).toBeLessThan(3);
  for (const name of ['Bread', 'Cakes']) {
    await choose(name);
    await expect.poll(fromEnd, WITHIN).toBeLessThan(3);
  }

  await page.setViewportSize({ width: 1280, height: 400 });
  await page.goto('/settings/notifications');
  await page.getByRole('heading', { name: 'Quiet times' }).scrollIntoViewIfNeeded();
  const content = page.locator('#content [data-scrolls]');
  expect(await content.evaluate((it) => it.scrollTop)).toBeGreaterThan(100);
  await page.getByRole('link', { name: 'Appearance' }).click();
  await page.getByRole('heading', { name: 'Theme' }).waitFor();
  await expect.poll(() => content.evaluate((it) => it.scrollTop)).toBe(0);
  expect(problems).toEqual([]);
});

it('what one sends from further up is in view, also after a long text', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Tower');
  for (let count = 1; count <= 40; count += 1) await write(ada, team, `Step ${count}.`);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByText('Step 40.').waitFor();
  const scroller = page.locator('[data-feed]');
  const toEnd = () => scroller.evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);
  const field = page.getByRole('textbox', { name: 'Write to Tower' });
  for (const text of ['Short', Array.from({ length: 9 }, (_, line) => `Line ${line}`).join('\n')]) {
    await field.fill(text);
    await scroller.evaluate((it) => it.scrollTo(0, 0));
    await page.getByText('Step 1.', { exact: true }).waitFor();
    await field.press('Enter');
    await page.getByRole('article').getByText(text.slice(-6)).waitFor();
    await expect.poll(toEnd).toBeLessThan(2);
  }
  expect(problems).toEqual([]);
});

it('a link to a reply opens its conversation there; one to a message of long ago opens the stream there', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Past');
  const first = await write(ada, team, 'The very first');
  for (let count = 1; count <= 100; count += 1) await write(ada, team, `Later ${count}.`);
  for (let count = 1; count <= 130; count += 1) {
    await ada.client.post(`/v1/messages/${first}/replies`, { text: `Answer ${count}.` });
  }
  const { data } = await ada.client.get(`/v1/messages/${first}/replies?limit=200`);
  const { page, problems } = await visit(ada, `/messages/${data[119].id}`);
  await page.getByRole('heading', { name: 'Conversation', level: 1 }).waitFor();
  const marked = page.locator('article[aria-current="true"]');
  await marked.getByText('Answer 120.').waitFor();
  await expect.poll(() => marked.evaluate((it) => it.getBoundingClientRect().top), WITHIN).toBeLessThan(800);
  await inspect(page, 'members-permalink');
  await page.goto(`/teams/${team}?at=${first}`);
  await page.getByRole('article').getByText('The very first').waitFor();
  expect(await page.getByText('Later 100.').count()).toBe(0);
  await page.goto('/messages/01a1fde4-c643-7000-8022-4f1fe7686337');
  await page.getByText('Not found, or you have no access.').waitFor();
  expect(problems).toEqual([]);
});

it('who comes by the mouse writes at once, in a team, to a person and in a conversation', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Clicks');
  await ben.client.post(`/v1/messages/${await write(ben, team, 'Who types?')}/replies`, { text: 'You do' });
  await ben.client.post('/v1/messages', { text: 'To you alone', addressed_users: [ada.id] });
  const { page, problems } = await visit(ada, '/settings/profile');
  const places = page.getByRole('navigation', { name: 'Parley' });
  const says = async (text: string) => {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    // Once the server has it.
    await page.locator('[data-message]').getByText(text).waitFor();
  };
  const holdsFocus = (name: string) =>
    page.getByRole('textbox', { name }).and(page.locator(':focus')).waitFor({ timeout: 30_000 });
  await places.getByRole('link', { name: /^Clicks/ }).click();
  await holdsFocus('Write to Clicks');
  await says('each key is a letter');
  await places.getByRole('link', { name: /^Ben Test/ }).click();
  await holdsFocus('Write to Ben Test');
  await says('here, too');
  await page.keyboard.press('Escape');
  await page.keyboard.press('k');
  await page.getByRole('article').and(page.locator(':focus')).waitFor();
  await places.getByRole('link', { name: /^Clicks/ }).click();
  await page.getByRole('button', { name: /^1 reply/ }).click();
  await holdsFocus('Write a reply');
  await says('and an answer');
  expect(problems).toEqual([]);
});

it('everything can be done with the keyboard', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Keys');
  for (const text of ['One', 'Two', 'Three']) await write(ben, team, text);
  const own = await write(ada, team, 'Four');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByRole('article').getByText('Four').waitFor();
  const focused = () =>
    page.evaluate(
      "document.activeElement.closest('[data-message]')?.innerText ?? document.activeElement.tagName",
    );
  await page.keyboard.press('Escape');
  await expect.poll(focused, WITHIN).toContain('Four');
  await page.keyboard.press('k');
  await expect.poll(focused, WITHIN).toContain('Three');
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused, WITHIN).toContain('Two');
  await page.keyboard.press('h');
  await page.getByRole('button', { name: '1 high five' }).waitFor();
  await page.keyboard.press('r');
  const reply = page.getByRole('textbox', { name: 'Write a reply' });
  await expect.poll(() => reply.evaluate((it) => it === it.ownerDocument.activeElement), WITHIN).toBe(true);
  await page.keyboard.type('Two it is');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Conversation' }).getByText('Two it is').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focused, WITHIN).toContain('Two');
  await page.keyboard.press('m');
  await page.getByText('Muted').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Conversation' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focused, WITHIN).toContain('Two');
  await page.keyboard.press('u');
  await expect.poll(() => page.title(), WITHIN).toMatch(/^• /);
  const field = page.getByRole('textbox', { name: 'Write to Keys' });
  await field.focus();
  await page.keyboard.press('ArrowUp');
  await page.getByRole('textbox', { name: 'Edit the message' }).fill('Four and a half');
  // The event of the change comes before its answer.
  const [saved, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await answerFirst(page, 'PATCH', `**/v1/messages/${own}`, async (route) => {
    const response = await route.fetch();
    saved.resolve();
    await answered.promise;
    await route.fulfill({ response });
  });
  await page.keyboard.press('Enter');
  await saved.promise;
  await write(ben, team, 'Five');
  await page.getByRole('article').getByText('Five').waitFor();
  expect(await page.getByText('The message was changed meanwhile').count()).toBe(0);
  answered.resolve();
  await page.getByText('Four and a half').and(page.locator(':not(textarea)')).waitFor();
  expect((await ada.client.get(`/v1/messages/${own}`)).data[0].text).toBe('Four and a half');
  expect(problems).toEqual([]);
});

it('an edited message has the focus, from the menu as well as far up in a stream', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Edits');
  await write(ada, team, 'Long ago');
  for (let count = 1; count <= 50; count += 1) await write(ben, team, `Since then ${count}.`);
  await ada.client.delete(`/v1/messages/${await write(ada, team, 'Taken back')}`);
  await ada.client.put('/v1/users/me/read');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByText('This message was deleted.').waitFor();
  expect(await page.getByText('Long ago').count()).toBe(0);
  const field = page.getByRole('textbox', { name: 'Edit the message' });
  const focused = () => field.evaluate((it) => it === it.ownerDocument.activeElement);
  await page.getByRole('textbox', { name: 'Write to Edits' }).press('ArrowUp');
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toBe('Long ago');
  await expect.poll(focused, WITHIN).toBe(true);
  await page.keyboard.press('Escape');
  const own = page.getByRole('article').filter({ hasText: 'Long ago' });
  await own.hover();
  await own.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await expect.poll(focused, WITHIN).toBe(true);
  // The buttons of a message would stand over the first line.
  expect(await own.getByRole('button', { name: 'More actions' }).isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  // While it is asked whether to delete, no key does anything behind it.
  await own.hover();
  await own.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).focus();
  await page.keyboard.press('c');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe(`/teams/${team}`);
  expect(problems).toEqual([]);
});

/** The placeholder of the empty field that has the focus. */
const fieldOf = (page: Page) => page.evaluate<string | undefined>('document.activeElement?.placeholder');

it('a new sidebar opens to write in, appears at once for its members, and for no others', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const cleo = await signUp(web.server, 'Cleo');
  const team = await makeTeam(ada, [ben, cleo], 'Round');
  const id = await write(cleo, team, 'What do you think?');
  const { page: a, problems } = await visit(ada, `/teams/${team}`);
  const { page: b, problems: others } = await visit(ben, `/teams/${team}`);
  const { page: c } = await visit(cleo, `/teams/${team}`);
  const message = a.getByRole('article').filter({ hasText: 'What do you think?' });
  await message.hover();
  await message.getByRole('button', { name: 'More actions' }).click();
  await a.getByRole('menuitem', { name: 'More', exact: true }).click();
  await a.getByRole('menuitem', { name: 'Begin a sidebar…' }).click();
  const dialog = a.getByRole('dialog', { name: 'Begin a sidebar' });
  await dialog.getByRole('combobox', { name: 'With' }).fill('Ben');
  await a.getByRole('option', { name: 'Ben Test' }).click();
  await dialog.getByRole('textbox', { name: 'Your message' }).fill('Between us: no');
  await inspect(a, 'members-new-sidebar');
  await dialog.getByRole('textbox', { name: 'Your message' }).press('ControlOrMeta+Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => fieldOf(a), WITHIN).toBe('Only Ben Test and you read this');
  await b.getByRole('button', { name: '1 sidebar new' }).click();
  await expect.poll(() => fieldOf(b), WITHIN).toBe('Only Ada Test and you read this');
  await b.getByRole('article').getByText('Between us: no', { exact: true }).waitFor();
  await b.getByText('1 new', { exact: true }).waitFor({ state: 'detached' });
  await inspect(b, 'members-sidebar');
  await b.getByRole('textbox', { name: 'Write into the sidebar' }).fill('I agree');
  await b.keyboard.press('Enter');
  await a.getByRole('article').getByText('I agree').waitFor();
  // The replies of all are a tab away, and the number of sidebars leads back.
  await a.getByRole('button', { name: 'Replies' }).click();
  await a.getByRole('textbox', { name: 'Write a reply' }).waitFor();
  await a.getByRole('button', { name: '1 sidebar' }).click();
  await expect.poll(() => fieldOf(a), WITHIN).toBe('Only Ben Test and you read this');
  await inspect(a, 'members-sidebar-begun');
  expect(await c.getByText(/sidebar/).count()).toBe(0);
  expect((await cleo.client.get(`/v1/messages/${id}`)).data[0].sidebars).toEqual([]);
  // A link to its message leads to the sidebar, where one can reply.
  const { data } = await ada.client.get('/v1/messages?q=between');
  await b.goto(`/messages/${data[0].id}`);
  await b.locator('[aria-current]').getByText('Between us: no', { exact: true }).waitFor();
  await b.getByRole('textbox', { name: 'Write into the sidebar' }).waitFor();
  expect([...problems, ...others]).toEqual([]);
});

it('what is new in a sidebar goes from its message when it is read on another device, or deleted', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Asides');
  const [{ id }] = (await ben.client.post('/v1/messages', { text: 'Offer', addressed_teams: [team] })).data;
  const begun = await ada.client.post(`/v1/messages/${id}/sidebars`, { users: [ben.id], text: 'Too dear?' });
  const [{ id: sidebar }] = begun.data;
  const path = `/v1/sidebars/${sidebar}/messages`;
  const [first] = (await ben.client.get(path)).data;
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const offer = page.getByRole('article').filter({ hasText: 'Offer' });
  const mark = offer.getByText('new', { exact: true });
  await mark.waitFor();
  await ben.client.put(`/v1/messages/${first.id}/read`);
  await expect.poll(() => mark.count()).toBe(0);
  const { id: second } = (await ada.client.post(path, { text: 'Forget it' })).data[0];
  await mark.waitFor();
  await ada.client.delete(`/v1/messages/${second}`);
  await expect.poll(() => mark.count()).toBe(0);
  await ben.client.delete(`/v1/messages/${first.id}/read`);
  await mark.waitFor();
  expect(problems).toEqual([]);
});

it('a device that wakes up on the next day calls what was said before yesterday’s', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Night');
  const said = await write(ada, team, 'Good night');
  const { page, problems } = await visit(ada, '/inbox', { timezoneId: 'UTC' });
  await page.clock.install();
  await page.goto(`/teams/${team}?open=${said}`);
  await page.getByText('Today', { exact: true }).first().waitFor();
  const time = page.getByRole('region', { name: 'Conversation' }).getByRole('time').first();
  await expect.poll(() => time.textContent()).toMatch(/^\d{2}:\d{2}$/);
  // While it sleeps, no timer runs.
  await page.clock.setSystemTime(Date.now() + 24 * 3600 * 1000);
  await page.clock.fastForward(60_000);
  await page.getByText('Yesterday', { exact: true }).first().waitFor();
  await expect.poll(() => time.textContent()).toMatch(/^\d{1,2} \p{L}+/u);
  expect(problems).toEqual([]);
});

it('what is said in a sidebar while its team is opened counts as new', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Alcove');
  const id = await write(ben, team, 'Offer');
  const begun = await ada.client.post(`/v1/messages/${id}/sidebars`, { users: [ben.id], text: 'Too dear?' });
  await ben.client.put('/v1/users/me/read');
  const { page, problems } = await visit(ben, '/inbox');
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor();
  const said = page.getByRole('log');
  await answerFirst(page, 'GET', `**/v1/messages?team=${team}*`, async (route) => {
    const response = await route.fetch();
    await ada.client.post(`/v1/sidebars/${begun.data[0].id}/messages`, { text: 'Or not?' });
    await said.getByText('Or not?').waitFor();
    await route.fulfill({ response });
  });
  await page.getByRole('link', { name: 'Alcove' }).first().click();
  const offer = page.getByRole('article').filter({ hasText: 'Offer' });
  await offer.waitFor();
  await offer.getByText('new', { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

it('a long thread that is read again is as long as before, and hears of what comes', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Thread');
  const root = await write(ada, team, 'Who brings what?');
  const reply = (text: string) => ada.client.post(`/v1/messages/${root}/replies`, { text });
  await Promise.all(Array.from({ length: 120 }, (_, at) => reply(`Answer no. ${at}.`)));
  const { page, context, problems } = await visit(ada, `/messages/${root}`);
  await page.getByRole('button', { name: 'Show more', exact: true }).click();
  const articles = page.getByRole('article');
  await expect.poll(() => articles.count()).toBe(121);
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await reply('While you were away');
  await context.setOffline(false);
  await articles.getByText('While you were away').waitFor();
  await reply('And now');
  await articles.getByText('And now').waitFor();
  expect(await articles.count()).toBe(123);
  expect(problems).toEqual([]);
});

it('presence changes are shown, and so is an empty list of unread messages', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Door');
  await write(ben, team, 'Knock');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const article = page.getByRole('article', { name: 'Ben Test' });
  await article.waitFor();
  expect(await article.getByText('(online)').count()).toBe(0);
  const { context } = await visit(ben, '/inbox');
  await article.getByText('(online)').waitFor();
  await context.close();
  await expect
    .poll(() => {
      web.server.clock.advance(7);
      return article.getByText('(online)').count();
    })
    .toBe(0);
  await page.goto('/inbox');
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor();
  await inspect(page, 'members-unread-empty');
  await page.goto('/direct');
  await page.getByRole('heading', { name: 'No direct messages yet' }).waitFor();
  expect(problems).toEqual([]);
});

it('a mute is shown before the server has answered, and is gone where the server refuses it', async () => {
  const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
  const team = await makeTeam(ada, [bob], 'Noisy');
  await write(bob, team, 'Noise');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const message = page.getByRole('article').filter({ hasText: 'Noise' });
  await message.waitFor();
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await intercept(page, '**/v1/users/me/mutes/message/*', async (route) => {
    asked.resolve();
    await answer.promise;
    await route.fulfill({ status: 503, json: { errors: [{ message: 'Not now', code: 5030 }] } });
  });
  await message.hover();
  await message.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Mute', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Mute until tomorrow morning' }).click();
  await asked.promise;
  await message.getByText('Muted').waitFor({ state: 'attached' });
  answer.resolve();
  await message.getByText('Muted').waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});
