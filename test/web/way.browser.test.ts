import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { join, makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooWide, type Visitor, type Web } from '../support/web.ts';

let web: Web;
let ada: Person;
let ben: Person;
let teams: string[];

beforeAll(async () => {
  web = await startWeb();
  ada = await signUp(web.server, 'Ada', { last_name: 'Lovelace' });
  ben = await signUp(web.server, 'Ben', { last_name: 'Okri' });
  teams = [];
  for (const name of ['Bakery', 'Cellar', 'Dock']) teams.push(await makeTeam(ada, [ben], name));
});
afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });
const write = (person: Person, body: object) => person.client.post('/v1/messages', body);

it('sections of the navigation fold, with what is new first and in sight', async () => {
  const [bakery, cellar, dock] = teams as [string, string, string];
  await write(ada, { text: 'Docked.', addressed_teams: [dock] });
  await write(ada, { text: 'Psst.', addressed_users: [ben.id] });
  const { page, problems } = await visit(ben, `/teams/${bakery}`);
  const places = page.locator('nav[aria-label="Parley"] a[href^="/teams/0"]');
  const named = async (of: Locator) =>
    (await of.allInnerTexts()).flatMap((text) => /Bakery|Cellar|Dock/.exec(text)?.[0] ?? []);
  const listed = () => named(places);
  await expect.poll(listed).toEqual(['Dock', 'Bakery', 'Cellar']);
  const section = page.getByRole('button', { name: 'Teams section' });
  expect(await section.getAttribute('aria-expanded')).toBe('true');
  await section.press('Enter');
  // What is new stays, and where one is.
  await expect.poll(listed).toEqual(['Dock', 'Bakery']);
  await inspect(page, 'navigation-folded');
  await page.reload();
  await expect.poll(listed).toEqual(['Dock', 'Bakery']);
  await page.getByRole('link', { name: 'Dock' }).click();
  await page.getByText('Docked.').first().waitFor();
  await expect.poll(listed).toEqual(['Dock']);
  await section.click();
  // It keeps its rank while one is there, and goes back to its place afterwards.
  await expect.poll(listed).toEqual(['Dock', 'Bakery', 'Cellar']);
  await page.getByRole('link', { name: 'Cellar' }).click();
  await page.waitForURL(`**/teams/${cellar}`);
  await expect.poll(listed).toEqual(['Bakery', 'Cellar', 'Dock']);
  await page.getByRole('button', { name: 'Direct section' }).click();
  await page
    .getByRole('link', { name: /Ada Lovelace/ })
    .first()
    .waitFor();

  await page.keyboard.press('Control+k');
  const options = page.getByRole('dialog').getByRole('group', { name: 'Recent' }).getByRole('option');
  await expect.poll(() => named(options)).toEqual(['Dock', 'Bakery']);
  await inspect(page, 'jump-recent');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/teams/${dock}`);
  expect(problems).toEqual([]);
});

it('a stream opens at a day', async () => {
  const team = await makeTeam(ada, [ben], 'Lighthouse');
  const ids: string[] = [];
  for (let said = 0; said < 150; said++)
    ids.push((await write(ada, { text: `Ship ${said} has passed.`, addressed_teams: [team] })).data[0].id);
  await ben.client.put('/v1/users/me/read');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  await page.getByText('Ship 149 has passed.').waitFor();
  await page.getByRole('button', { name: 'Jump to a date' }).click();
  await inspect(page, 'jump-to-date');
  await page.getByLabel('Day').fill('2001-02-03');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('Ship 0 has passed.').waitFor();
  await page.waitForURL(`**/teams/${team}?at=${ids[0]}`);
  // From there it goes on.
  await page.getByRole('button', { name: 'To the newest' }).click();
  await page.getByText('Ship 149 has passed.').waitFor();
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Jump to a date' }).click();
  expect(await tooWide(page)).toEqual([]);
  expect(problems).toEqual([]);
});

it('a long message folds in the stream, and is found in it', async () => {
  const team = await makeTeam(ada, [ben], 'Minutes');
  const lines = Array.from({ length: 60 }, (_, line) => `Line ${line} of the minutes`);
  lines[50] = 'See https://example.org/fifty';
  await write(ada, { text: lines.join('\n'), addressed_teams: [team] });
  await write(ada, { text: 'Short.', addressed_teams: [team] });
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const row = page.getByRole('article').filter({ hasText: 'Line 0 of the minutes' });
  const height = async () => (await row.boundingBox())?.height ?? 0;
  const more = row.getByRole('button', { name: 'Show more' });
  await more.waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(1);
  await expect.poll(height).toBeLessThan(450);
  await inspect(page, 'message-folded');
  // All of it is in the page, and on paper.
  expect(await row.innerText()).toContain('Line 59 of the minutes');
  await page.emulateMedia({ media: 'print' });
  await expect.poll(height).toBeGreaterThan(900);
  await page.emulateMedia({ media: 'screen' });
  await more.press('Enter');
  await expect.poll(height).toBeGreaterThan(900);
  const less = row.getByRole('button', { name: 'Show less' });
  expect(await less.getAttribute('aria-expanded')).toBe('true');
  await less.click();
  await expect.poll(height).toBeLessThan(450);
  // A link in what is folded unfolds it when it gets the focus.
  await row.getByRole('link', { name: 'https://example.org/fifty' }).focus();
  await less.waitFor();
  expect(problems).toEqual([]);
});

it('an empty view says what to do next', async () => {
  const cy = await signUp(web.server, 'Cy');
  const { page, problems } = await visit(cy, '/direct');
  await page.getByRole('main').getByRole('link', { name: 'New message' }).last().waitFor();
  await page.goto('/inbox?show=all');
  await page.getByText('Nothing here yet').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'New message' }).last().waitFor();
  await page.goto('/search?q=submarine&has=file');
  await page.getByText('Nothing fits these filters.').waitFor();
  await inspect(page, 'search-nothing-with-filters');
  await page.getByRole('button', { name: 'Search without filters' }).click();
  await page.getByText('Try fewer words').waitFor();
  expect(new URL(page.url()).search).toBe('?q=submarine');
  expect(problems).toEqual([]);
});

it('a reply goes to the team as well where its author wants that', async () => {
  const team = await makeTeam(ada, [ben], 'Quay');
  const root = (await write(ada, { text: 'When does it sail?', addressed_teams: [team] })).data[0].id;
  const { page, problems } = await visit(ben, `/teams/${team}?open=${root}`);
  const field = page.getByRole('textbox', { name: 'Write a reply' });
  const also = page.getByRole('checkbox', { name: 'Also to Quay' });
  await also.check();
  await inspect(page, 'also-to-team');
  await field.fill('At noon, @ada1, not before.');
  await field.press('Enter');
  const said = async () => (await ada.client.get(`/v1/messages?team=${team}`)).data.map(({ text }) => text);
  await expect.poll(said).toHaveLength(2);
  const replies = (await ada.client.get(`/v1/messages/${root}/replies`)).data;
  expect(replies.map(({ text }) => text)).toEqual(['At noon, @ada1, not before.']);
  expect((await said())[0]).toMatch(
    new RegExp(`^At noon, ada1, not before\\.\\n\\n↩ http.*/messages/${replies[0].id}$`),
  );
  expect(await also.isChecked()).toBe(false);
  // In place of its address stands what was replied to, as it is now.
  const copied = page.getByRole('feed').getByRole('article').filter({ hasText: 'At noon' });
  const line = copied.getByRole('link', { name: 'Replied to Ada Lovelace: When does it sail?' });
  await line.waitFor();
  expect(await copied.innerText()).not.toContain('/messages/');
  await inspect(page, 'replied-to');
  await ada.client.patch(`/v1/messages/${root}`, { text: 'When does the ship sail?' });
  await copied.getByRole('link', { name: 'Replied to Ada Lovelace: When does the ship sail?' }).click();
  await page.waitForURL(`**/messages/${replies[0].id}`);
  await page.goBack();
  await field.fill('Only here.');
  await field.press('Enter');
  await expect.poll(async () => (await ada.client.get(`/v1/messages/${root}/replies`)).data.length).toBe(2);
  expect(await said()).toHaveLength(2);
  expect(problems).toEqual([]);
});

it('the stream says who joined, in one line for all who came between two messages', async () => {
  const team = await makeTeam(ada, [], 'Pier');
  await write(ada, { text: 'Nobody here yet.', addressed_teams: [team] });
  await join(ada, team, ben);
  await write(ada, { text: 'Hello Ben.', addressed_teams: [team] });
  for (const name of ['Cara', 'Dan', 'Eli']) await join(ada, team, await signUp(web.server, name));
  await write(ada, { text: 'Hello all.', addressed_teams: [team] });
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const feed = page.getByRole('feed');
  await feed.getByText('Ben Okri joined', { exact: true }).waitFor();
  await feed.getByText('Cara Test and 2 others joined', { exact: true }).waitFor();
  await inspect(page, 'stream-joined');
  const text = await feed.innerText();
  const order = ['Nobody here yet.', 'Ben Okri joined', 'Hello Ben.', 'Cara Test and', 'Hello all.'];
  expect(order.map((one) => text.indexOf(one))).toEqual(
    order.map((one) => text.indexOf(one)).toSorted((a, b) => a - b),
  );
  // Who comes now stands below the last message, at once.
  await join(ada, team, await signUp(web.server, 'Fay'));
  await feed.getByText('Fay Test joined', { exact: true }).waitFor();
  expect(problems).toEqual([]);
});
