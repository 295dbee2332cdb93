import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from './support/people.ts';
import { inspect, PHONE, startWeb, type Visitor, type Web } from './support/web.ts';

let web: Web;
let ada: Person;
let ben: Person;
let team: string;

beforeAll(async () => {
  web = await startWeb();
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
  team = await makeTeam(ada, [ben], 'Bakery');
  await makeTeam(ada, [], 'Cellar');
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const write = (person: Person, body: object) => person.client.post('/v1/messages', body);

it('Ctrl-K leads to a team, a person, a place and a search, with the keyboard alone', async () => {
  const { page, problems } = await visit(ada, '/inbox');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  const jump = async (text: string) => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Jump to…' });
    await field.fill(text);
    return page.getByRole('option').first();
  };
  await (await jump('')).waitFor();
  await inspect(page, 'jump');

  await (await jump('bak')).filter({ hasText: 'Bakery' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/teams/${team}`);

  await (await jump('ben t')).filter({ hasText: 'Ben Test' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/people/${ben.id}`);

  // People found by the palette can also be found in the new message's field.
  await (await jump('new message')).filter({ hasText: 'New message' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/compose');
  await page.getByRole('combobox', { name: 'To' }).fill('ben t');
  await page.getByRole('option', { name: 'Ben Test' }).click();

  await (await jump('settings')).filter({ hasText: 'Settings' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/profile');

  await (await jump('yeast & salt')).filter({ hasText: 'yeast & salt' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/search' && url.searchParams.get('q') === 'yeast & salt');
  await page.goBack();
  await page.waitForURL('**/settings/profile');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Jump to…' }).waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('shows every key that works, and none of them while one writes', async () => {
  const { page, problems } = await visit(ada, '/inbox');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('New message').waitFor();
  await inspect(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.waitForURL('**/search');
  await page.getByRole('searchbox', { name: 'Words' }).fill('c?i/');
  expect(new URL(page.url()).pathname).toBe('/search');
  expect(await list.count()).toBe(0);
  expect(problems).toEqual([]);
});

it('finds messages, narrowed by team, author, day and kind, at an address that can be shared', async () => {
  await write(ada, { addressed_teams: [team], text: 'The sourdough rises at dawn' });
  await write(ben, { addressed_teams: [team], text: 'Sourdough again, see https://example.org/bread' });
  await write(ben, { addressed_users: [ada.id], text: 'Between us: sourdough is overrated' });
  const { page, problems } = await visit(ada, '/search');
  await page.getByRole('heading', { name: 'Find what was said' }).waitFor();
  await inspect(page, 'search-empty');
  await page.getByRole('searchbox', { name: 'Words' }).fill('sourd');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const found = page
    .getByRole('main')
    .getByRole('link')
    .filter({ hasText: /sourdough/i });
  await expect.poll(() => found.count()).toBe(3);
  expect(await page.locator('mark').first().textContent()).toMatch(/^sourd/i);
  expect(await page.title()).toContain('Search: sourd · Parley');
  await inspect(page, 'search');

  await page.getByLabel('Team', { exact: true }).selectOption({ label: 'Bakery' });
  await expect.poll(() => found.count()).toBe(2);
  await page.getByRole('combobox', { name: 'By' }).fill('ben');
  await page.getByRole('option', { name: 'Ben Test' }).click();
  await expect.poll(() => found.count()).toBe(1);
  await page.getByLabel('With').selectOption({ label: 'A link' });
  await expect.poll(() => found.count()).toBe(1);
  const shared = new URL(page.url());
  expect(Object.fromEntries(shared.searchParams)).toEqual({ q: 'sourd', team, author: ben.id, has: 'link' });

  await page.getByLabel('To', { exact: true }).fill('2001-01-01');
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  await page.goto(shared.href);
  await expect.poll(() => found.count()).toBe(1);
  await page.getByText('Ben Test').first().waitFor();
  await found.first().click();
  await page.waitForURL('**/messages/*');
  await page.goBack();
  await expect.poll(() => found.count()).toBe(1);
  expect(problems).toEqual([]);
});

it('on a phone the navigation comes when it is asked for, and goes when a place is chosen', async () => {
  const { page, problems } = await visit(ada, '/inbox', { viewport: PHONE });
  await page.getByRole('button', { name: 'Menu' }).click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await drawer.getByRole('link', { name: 'Bakery' }).waitFor();
  await inspect(page, 'phone-navigation');
  await drawer.getByRole('link', { name: 'Bakery' }).click();
  await drawer.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Bakery' }).waitFor();
  await page.getByRole('button', { name: 'Menu' }).click();
  await drawer.getByRole('link', { name: 'Bakery' }).click();
  await drawer.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('shows a lost connection, and catches up after reconnecting', async () => {
  const { page, context } = await visit(ada, `/teams/${team}`);
  await page.getByRole('textbox', { name: 'Write to Bakery' }).waitFor();
  const banner = page.getByText('No connection.');
  // The stream of events is open: from here on its loss is one.
  await expect
    .poll(
      async () =>
        (await ben.client.get(`/v1/teams/${team}/users`)).data.find(({ userid }) => userid === ada.id)?.user
          .online,
    )
    .toBe(true);
  await context.setOffline(true);
  await banner.waitFor();
  await inspect(page, 'offline');
  await write(ben, { addressed_teams: [team], text: 'While you were away' });
  await context.setOffline(false);
  await banner.waitFor({ state: 'detached' });
  await page.getByRole('article').getByText('While you were away').waitFor();
});

it('retries catching up when the server could not answer at once', async () => {
  const { page, context } = await visit(ada, `/teams/${team}`);
  await write(ben, { addressed_teams: [team], text: 'Heard at once' });
  await page.getByRole('article').getByText('Heard at once').waitFor();
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await write(ben, { addressed_teams: [team], text: 'Asked for twice' });
  await context.route('**/v1/messages?team=*', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await context.setOffline(false);
  await page.getByRole('article').getByText('Asked for twice').waitFor();
});

it('shows a page for unknown addresses, and ignores an unknown language', async () => {
  const { page, context, problems } = await visit(ada, '/nowhere/at/all');
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await inspect(page, 'not-found');
  await context.addInitScript(
    "Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'de@euro'] })",
  );
  await write(ben, { addressed_teams: [team], text: 'In any language' });
  await page.goto(`/teams/${team}`);
  await page.getByRole('article').getByText('In any language').waitFor();
  expect(problems).toEqual([]);
});

it('reloads when a newer server has replaced the files of a view', async () => {
  const { page, context } = await visit(ada, '/inbox');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  let gone = 0;
  await context.route(/\/assets\/search-page-.*\.js$/, (route) =>
    gone++ === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  await page.getByRole('navigation', { name: 'Parley' }).getByRole('link', { name: 'Search' }).click();
  await page.getByRole('heading', { name: 'Find what was said' }).waitFor();
  expect(gone).toBeGreaterThan(1);
});
