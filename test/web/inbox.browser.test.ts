import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

const WITHIN = { timeout: 15_000 };

let web: Web;

beforeAll(async () => {
  web = await startWeb();
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const post = async (author: Person, text: string, fields: object): Promise<string> =>
  (await author.client.post('/v1/messages', { text, ...fields })).data[0].id;

const reply = async (author: Person, root: string, text: string): Promise<string> =>
  (await author.client.post(`/v1/messages/${root}/replies`, { text })).data[0].id;

const rows = (page: Page) => page.getByRole('feed', { name: 'Inbox' }).getByRole('article');

/** What the focused element says; nothing where the focus is lost. */
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement === document.body ? '' : document.activeElement.innerText");

it('rows say what they are about, and one tab and one row are marked', async () => {
  const [ada, ben, cy] = await Promise.all(['Ada', 'Ben', 'Cy'].map((name) => signUp(web.server, name)));
  if (!ada || !ben || !cy) throw new Error('nobody signed up');
  const addressed_teams = [await makeTeam(ada, [ben, cy], 'Studio North')];
  const colour = await post(ada, 'Which **colour** for door 2?', { addressed_teams });
  await reply(ben, colour, 'I would take blue');
  const cake = await post(ada, 'There is cake', { addressed_teams });
  await ben.client.put(`/v1/messages/${cake}/read`);
  await ben.client.put(`/v1/messages/${cake}/high_five`);
  await post(ben, 'Lunch?', { addressed_users: [ada.id] });
  const menu = '# Menu\n\n- tart\n- **pie**\n\n| a | b |\n|---|---|\n| 1 | 2 |';
  await post(cy, menu, { addressed_users: [ada.id] });
  const { page, problems } = await visit(ada, '/inbox');
  const answer = rows(page).filter({ hasText: 'I would take blue' });
  await answer.getByText('Which colour for door 2?').waitFor();
  // Who wrote is said one time.
  expect((await answer.innerText()).match(/Ben/g)).toHaveLength(1);
  await rows(page).filter({ hasText: 'high five for you' }).getByText('There is cake').waitFor();
  const direct = rows(page).filter({ hasText: 'Lunch?' });
  expect(await direct.innerText()).not.toContain('to you');
  // One line, whatever a text is made of.
  const made = rows(page).filter({ hasText: 'Menu' });
  expect(await made.getByText('Menu').innerText()).toBe('Menu • tart • pie a | b 1 | 2');
  await inspect(page, 'inbox-rows');

  const current = page.getByRole('navigation', { name: 'Which conversations' }).locator('[aria-current]');
  for (const tab of ['New', 'Mentions', 'Threads', 'All']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await expect.poll(() => current.allInnerTexts()).toEqual([tab]);
  }
  await answer.click();
  await page.getByRole('region', { name: 'Conversation' }).waitFor();
  expect(await current.allInnerTexts()).toEqual(['All']);
  await expect.poll(() => rows(page).and(page.locator('[aria-current]')).count()).toBe(1);
  await page.setViewportSize(PHONE);
  await page.goto('/inbox?show=all');
  await answer.waitFor();
  await inspect(page, 'inbox-rows-phone');
  expect(problems).toEqual([]);
});

it('rows show an edit of what they stand for at once', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const addressed_teams = [await makeTeam(ada, [ben], 'Edits')];
  const question = await post(ada, 'Which flour?', { addressed_teams });
  const answer = await reply(ben, question, 'The white one');
  const lunch = await post(ben, 'Lunch at 1?', { addressed_users: [ada.id] });
  const { page, problems } = await visit(ada, '/inbox');
  await rows(page).filter({ hasText: 'The white one' }).getByText('Which flour?').waitFor();
  await ben.client.patch(`/v1/messages/${answer}`, { text: 'The dark one' });
  await ada.client.patch(`/v1/messages/${question}`, { text: 'Which flour for rye?' });
  await rows(page).filter({ hasText: 'The dark one' }).getByText('Which flour for rye?').waitFor();
  await ben.client.patch(`/v1/messages/${lunch}`, { text: 'Lunch at 2?' });
  await rows(page).getByText('Lunch at 2?').waitFor();
  await expect.poll(() => rows(page).count()).toBe(2);
  expect(problems).toEqual([]);
});

it('the focus stays in the list: after Escape, and when the row that has it goes', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const addressed_teams = [await makeTeam(ada, [ben], 'Queue')];
  const roots = [];
  for (const text of ['One', 'Two', 'Three', 'Four']) {
    const root = await post(ada, `Question ${text}`, { addressed_teams });
    await reply(ben, root, `Answer ${text}`);
    roots.push(root);
  }
  const panel = (page: Page) => page.getByRole('region', { name: 'Conversation' });
  const { page, problems } = await visit(ada, '/inbox?show=all');
  await rows(page).nth(3).waitFor();
  for (const key of ['j', 'j', 'o']) await page.keyboard.press(key);
  await panel(page).getByText('Answer Three').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page), WITHIN).toContain('Answer Three');
  await page.keyboard.press('j');
  await expect.poll(() => focused(page), WITHIN).toContain('Answer Two');

  // What was read leaves the list with its conversation: the next row has the focus.
  await page.goto('/inbox');
  await rows(page).nth(2).waitFor();
  for (const key of ['j', 'o']) await page.keyboard.press(key);
  await panel(page).getByText('Answer Four').waitFor();
  await expect.poll(async () => (await ada.client.get('/v1/users/me/inbox/counts')).data[0].total).toBe(2);
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page), WITHIN).toMatch(/Answer (Two|One)/);
  const left = (await focused(page)).includes('Two') ? 1 : 0;
  // Read on another device.
  await ada.client.put(`/v1/messages/${roots[left]}/read`);
  await rows(page).nth(1).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page), WITHIN).toContain(left === 1 ? 'Answer One' : 'Answer Two');
  // The last one: the title has it.
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor();
  await expect.poll(() => focused(page), WITHIN).toBe('Inbox');
  expect(problems).toEqual([]);
});

it('everything that was marked as read at once can be brought back, also on a phone', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Flood');
  const addressed_teams = [team];
  for (let count = 1; count <= 20; count += 1) await post(ben, `Wave ${count}`, { addressed_teams });
  const { username } = (await ada.client.get('/v1/users/me')).data[0];
  await post(ben, `Help, @${username}!`, { addressed_teams });
  await post(ben, 'Between us', { addressed_users: [ada.id] });
  const state = async () => {
    const { unread_counts } = (await ada.client.get('/v1/users/me')).data[0];
    const { total, mentions, direct, teams } = (await ada.client.get('/v1/users/me/inbox/counts')).data[0];
    return [unread_counts.teams[team], unread_counts.user.direct, total, mentions, direct, teams];
  };
  const unread = [21, 1, 2, 1, 1, 1];
  for (const options of [{}, { viewport: PHONE, hasTouch: true, isMobile: true }]) {
    const { page, problems } = await visit(ada, '/inbox', options);
    await rows(page).nth(2).waitFor();
    expect(await state()).toEqual(unread);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor();
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    expect(await state()).toEqual([0, 0, 0, 0, 0, 0]);
    await undo.click();
    await rows(page).nth(2).waitFor();
    await expect.poll(state, WITHIN).toEqual(unread);
    expect(problems).toEqual([]);
  }
});
