import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspect, startWeb, type Web } from './support/web.ts';

let web: Web;

beforeAll(async () => {
  web = await startWeb({ REGISTRATION: 'invite' });
});

afterAll(() => web?.stop());

it('a new server asks for its first account, which administers it; then one signs out, and in again', async () => {
  const { page, problems } = await web.visit('/');
  await page.getByRole('heading', { name: 'Welcome to Parley' }).waitFor();
  await inspect(page, 'set-up');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email address').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create the account' }).click();
  expect(await page.locator('input:invalid').count()).toBe(1);
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.waitForURL('**/inbox');
  await page.getByRole('button', { name: 'Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  await inspect(page, 'sign-in');

  await page.getByLabel('Email address').fill('ada@example.org');
  await page.getByLabel('Password', { exact: true }).fill('not my password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The address or the password is wrong.').waitFor();
  await inspect(page, 'sign-in-refused');
  await page.getByLabel('Password', { exact: true }).fill('a long password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/inbox');
  expect(problems).toEqual([]);
});

it('who is not signed in is asked to, and comes to where they wanted', async () => {
  const { page } = await web.visit('/settings/profile?x=1');
  await page.waitForURL(/sign-in\?next=/);
});
