import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from './support/people.ts';
import { inspect, PHONE, startWeb, tooSmall, tooWide, type Visitor, type Web } from './support/web.ts';

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
    (await of.allInnerTexts()).map((text) => /Bakery|Cellar|Dock/.exec(text)?.[0]);
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
