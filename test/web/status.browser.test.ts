import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooWide, type Web } from '../support/web.ts';

let web: Web;
let ada: Person;
let ben: Person;
let team: string;

beforeAll(async () => {
  web = await startWeb();
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
  team = await makeTeam(ada, [ben], 'Bakery');
});
afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}) =>
  web.visit(path, { cookie: person.client.cookie, ...options });

it('a status is set with the keyboard, seen by others at once, and taken away (claim: status-ends)', async () => {
  await ada.client.patch('/v1/users/me', { status: null });
  await ada.client.post('/v1/messages', { text: 'Fresh bread', addressed_teams: [team] });
  const { page: others, problems } = await visit(ben, `/teams/${team}`);
  await others.getByText('Fresh bread').first().waitFor();
  const own = await visit(ada, '/inbox');
  const { page } = own;
  await page.getByRole('button', { name: 'Ada Test' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Status…' }).click();
  await page.getByRole('button', { name: 'Choose an emoji' }).press('Enter');
  await page.getByRole('searchbox', { name: 'Find an emoji' }).fill('palm tree');
  await page
    .getByRole('gridcell', { name: /palm tree/i })
    .first()
    .click();
  await page.getByRole('button', { name: /Emoji: 🌴/ }).waitFor();
  const field = page.getByRole('textbox', { name: 'Status', exact: true });
  await field.fill('On holiday');
  await page.getByRole('combobox', { name: 'Until' }).selectOption({ label: 'The end of the week' });
  await inspect(page, 'status');
  await inspect(page, 'status', 'dark');
  await field.press('Enter');
  const sign = others.getByRole('img', { name: /Status until .*: On holiday/ });
  await sign.first().waitFor();
  await page.getByRole('combobox', { name: 'Do not disturb' }).selectOption({ label: '1 hour' });
  await others
    .getByRole('img', { name: /Do not disturb until/ })
    .first()
    .waitFor();
  await inspect(others, 'status-seen');
  await page.getByRole('switch', { name: 'Appear offline' }).press('Space');
  await expect.poll(async () => (await ben.client.get(`/v1/users/${ada.id}`)).data[0].online).toBe(false);
  await others.goto(`/people/${ada.id}`);
  await others.getByText('On holiday').waitFor();
  await page.getByRole('button', { name: 'Clear the status' }).press('Enter');
  await page.getByRole('combobox', { name: 'Do not disturb' }).selectOption({ label: 'Off' });
  await expect.poll(() => others.getByText('On holiday').count()).toBe(0);
  expect([...problems, ...own.problems]).toEqual([]);
});

it('stands beside the name in direct messages', async () => {
  await ben.client.post('/v1/messages', { text: 'Hello', addressed_users: [ada.id] });
  const until = web.server.clock.now() / 1000 + 3600;
  await ada.client.patch('/v1/users/me', { status: { emoji: '🍞', text: 'At the oven', until } });
  const { page, problems } = await visit(ben, `/direct/${ada.id}`);
  const sign = (within: string) => page.locator(within).getByRole('img', { name: /: At the oven/ });
  await sign('header').waitFor();
  await page.locator('header').getByText('At the oven', { exact: true }).waitFor();
  await sign('nav').first().waitFor();
  await inspect(page, 'status-direct');
  await page.goto('/direct');
  await sign('main').waitFor();
  await ada.client.patch('/v1/users/me', { status: null });
  await expect.poll(() => sign('body').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('stands first among the settings of a phone', async () => {
  const until = web.server.clock.now() / 1000 + 3600;
  await ada.client.patch('/v1/users/me', { status: { emoji: '🍞', text: 'Baking', until } });
  const { page, problems } = await visit(ada, '/settings/profile', {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  await page.getByRole('button', { name: /Emoji: 🍞/ }).waitFor();
  expect(await tooWide(page)).toEqual([]);
  await inspect(page, 'status-phone');
  expect(problems).toEqual([]);
});

it('a pause of notifications stands beside one’s own name, and among one’s status', async () => {
  const { page, problems } = await visit(ada, '/settings/notifications');
  const pause = (name: string) => page.getByRole('button', { name }).click();
  await pause('Until tomorrow morning');
  const until = /^Notifications are paused until .*0?8:00/;
  await page.getByRole('navigation').getByRole('img', { name: until }).waitFor();
  await page.goto('/settings/profile');
  const line = page.getByRole('main').getByText(until);
  await line.waitFor();
  await inspect(page, 'status-paused');
  await line.getByRole('link', { name: 'Change the pause' }).click();
  await pause('Turn on');
  await pause('Until I turn it on');
  await page.getByRole('navigation').getByRole('img', { name: 'Notifications are paused' }).waitFor();
  await page.setViewportSize(PHONE);
  await page.goto('/you');
  await page.getByRole('main').getByRole('img', { name: 'Notifications are paused' }).waitFor();
  expect(problems).toEqual([]);
});
