import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  type Person,
  register,
  signUp,
} from '../support/people.ts';
import { inspect, intercept, keptIn, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

const PASSWORD = 'a password of length';
/** One red pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

let web: Web;
let root: Person;

beforeAll(async () => {
  web = await startWeb();
  root = await signUp(web.server, 'Root');
});

afterAll(() => web?.stop());

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const tab = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
const me = async ({ client }: Person) => (await client.get('/v1/users/me')).data[0];
const as = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });
const tryToSignIn = (email: string, password = PASSWORD) =>
  new Client(web.server.url).post('/v1/sessions', { email, password });

it('a profile is changed, and stays so; a user name that is taken is refused', async () => {
  const bob = await signUp(web.server, 'Bob');
  const taken = (await me(root)).username;
  const { page, problems } = await as(bob, '/settings');
  await page.waitForURL('**/settings/profile');
  await field(page, 'First name').fill('Robert');
  await field(page, 'Title (optional)').fill('Baker');
  await field(page, 'Place (optional)').fill('Bremen');
  await field(page, 'Company (optional)').fill('Harbour Bakery');
  await field(page, 'User name').fill(taken);
  await press(page, 'Save');
  await page.getByText('Somebody else has this user name.').waitFor();
  await inspect(page, 'settings-profile-refused');
  await field(page, 'User name').fill('robert.the.baker');
  await press(page, 'Save');
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Robert Test' }).waitFor();
  await page.reload();
  await expect.poll(() => field(page, 'First name').inputValue()).toBe('Robert');
  expect(await me(bob)).toMatchObject({
    first_name: 'Robert',
    title: 'Baker',
    location: 'Bremen',
    company: 'Harbour Bakery',
    username: 'robert.the.baker',
  });
  await inspect(page, 'settings-profile');
  await page.setViewportSize(PHONE);
  await inspect(page, 'settings-profile-phone');
  await expect.poll(() => page.title()).toBe('Profile · Settings · Parley');
  expect(problems).toEqual([]);
});

it('a picture is previewed, used and removed; another file is refused', async () => {
  const bob = await signUp(web.server, 'Bob');
  const { page, problems } = await as(bob, '/settings/profile');
  const choose = (name: string, buffer: Buffer) =>
    field(page, 'Choose a picture')
      .and(page.locator('input'))
      .setInputFiles({ name, buffer, mimeType: 'image/png' });
  await choose('text.png', Buffer.from('no picture'));
  await press(page, 'Use this picture');
  await page.getByText('This file can’t be used as a picture.').waitFor();
  await choose('red.png', PICTURE);
  await page.getByText('This is no picture').waitFor({ state: 'detached' });
  // Keyboard users keep their position.
  const focused = page.locator(':focus');
  await choose('text.png', Buffer.from('no picture'));
  await press(page, 'Use this picture');
  await page.getByText('This file can’t be used as a picture.').waitFor();
  await press(page, 'Cancel');
  await page.getByText('This is no picture').waitFor({ state: 'detached' });
  await expect.poll(() => focused.innerText()).toBe('Choose a picture');
  await choose('red.png', PICTURE);
  await expect.poll(() => focused.innerText()).toBe('Use this picture');
  await inspect(page, 'settings-picture-chosen');
  await press(page, 'Use this picture');
  await page.getByText('Picture updated').waitFor();
  await expect.poll(() => focused.innerText()).toBe('Choose a picture');
  expect((await me(bob)).images).toHaveLength(1);
  await page.reload();
  await press(page, 'Remove the picture');
  await page.getByText('The picture is removed').waitFor();
  await page.getByRole('button', { name: 'Remove the picture' }).waitFor({ state: 'detached' });
  await expect.poll(() => focused.innerText()).toBe('Choose a picture');
  expect((await me(bob)).images).toEqual([]);
  expect(problems).toEqual([]);
});

it('a switch of mails is saved at once, and one that fails says so and goes back', async () => {
  const bob = await signUp(web.server, 'Bob');
  const { page, problems } = await as(bob, '/settings/notifications');
  const mention = page.getByRole('switch', { name: 'Messages that mention me' });
  await page.getByText('This server sends no mails at the moment').waitFor();
  await inspect(page, 'settings-notifications');
  await mention.click();
  await expect.poll(async () => (await me(bob)).prefs.email_on_at_mention).toBe(false);
  await page.reload();
  await mention.waitFor();
  await expect.poll(() => mention.getAttribute('aria-checked')).toBe('false');
  await intercept(page, '**/v1/users/me', (route) => route.abort());
  await mention.click();
  await page.getByText('The server cannot be reached.').waitFor();
  await expect.poll(() => mention.getAttribute('aria-checked')).toBe('false');
  await page.setViewportSize(PHONE);
  await inspect(page, 'settings-notifications-phone');
  expect(problems).toEqual([]);
});

it('a switch keeps its state when an earlier request is answered later', async () => {
  const bob = await signUp(web.server, 'Bob');
  const { page, problems } = await as(bob, '/settings/notifications');
  const mention = page.getByRole('switch', { name: 'Messages that mention me' });
  await mention.waitFor();
  const asked = Promise.withResolvers<void>();
  const turned = Promise.withResolvers<void>();
  const isRead = (method: string, url: string) => method === 'GET' && url.endsWith('/v1/users/me');
  let first = true;
  await intercept(page, '**/v1/users/me', async (route) => {
    if (!first || !isRead(route.request().method(), route.request().url())) return route.continue();
    first = false;
    const response = await route.fetch();
    asked.resolve();
    await turned.promise;
    await route.fulfill({ response });
  });
  // A change elsewhere has one's own account read again.
  await bob.client.patch('/v1/users/me', { title: 'Baker' });
  await asked.promise;
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await mention.click();
  await saved;
  const answered = page.waitForResponse((one) => isRead(one.request().method(), one.url()));
  turned.resolve();
  await answered;
  await tab(page, 'Profile').click();
  await expect.poll(() => field(page, 'Title (optional)').inputValue()).toBe('Baker');
  await tab(page, 'Notifications').click();
  await expect.poll(() => mention.getAttribute('aria-checked')).toBe('false');
  expect(problems).toEqual([]);
});

it('theme, density and language are chosen, and stay', async () => {
  const bob = await signUp(web.server, 'Bob');
  const { page, problems } = await as(bob, '/settings/appearance');
  const theme = () => page.locator('html').getAttribute('data-theme');
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await field(page, 'Dark').check();
  await expect.poll(ground).not.toBe(light);
  const textSize = () => page.evaluate<string>('getComputedStyle(document.body).fontSize');
  const comfortable = await textSize();
  await field(page, 'Compact').check();
  await expect
    .poll(async () => Number.parseFloat(await textSize()))
    .toBeLessThan(Number.parseFloat(comfortable));
  const compact = await textSize();
  await page.reload();
  await page.getByRole('heading', { name: 'Language' }).waitFor();
  await expect.poll(theme).toBe('dark');
  await expect.poll(() => field(page, 'Dark').isChecked()).toBe(true);
  await expect.poll(textSize).toBe(compact);
  await field(page, 'Comfortable').check();
  await field(page, 'As the device').check();
  await inspect(page, 'settings-appearance');

  await field(page, 'Deutsch').click();
  await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
  await expect.poll(async () => (await me(bob)).language).toBe('de');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor();
  for (const name of ['Profil', 'Benachrichtigungen', 'Sicherheit', 'Deine Daten', 'Darstellung']) {
    await tab(page, name).click();
    await expect.poll(() => page.title()).toBe(`${name} · Einstellungen · Parley`);
  }
  await inspect(page, 'settings-appearance-german');
  await field(page, 'English').click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  expect(problems).toEqual([]);
});

it('sessions are listed and can be ended', async () => {
  const bob = await signUp(web.server, 'Bob');
  for (const _ of [1, 2, 3]) await tryToSignIn(bob.email);
  const { page, problems } = await as(bob, '/settings/security');
  const sessions = page.getByRole('listitem').filter({ hasText: 'last seen' });
  await expect.poll(() => sessions.count()).toBe(4);
  await sessions.first().getByText('this one').waitFor();
  await inspect(page, 'settings-security');
  await page
    .getByRole('button', { name: /^End the session/ })
    .first()
    .click();
  await expect.poll(() => sessions.count()).toBe(3);
  await expect.poll(() => page.locator(':focus').getByRole('listitem').count()).toBe(3);
  await press(page, 'End all others');
  await page.getByRole('alertdialog').waitFor();
  await inspect(page, 'settings-end-others');
  await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click();
  await expect.poll(() => sessions.count()).toBe(1);
  expect((await bob.client.get('/v1/sessions')).data).toHaveLength(1);
  expect(problems).toEqual([]);
});

it('a sensitive operation asks for the password again, and then goes on', async () => {
  const bob = await signUp(web.server, 'Bob');
  for (const _ of [1, 2]) await tryToSignIn(bob.email);
  const { page, problems } = await as(bob, '/settings/security');
  const sessions = page.getByRole('listitem').filter({ hasText: 'last seen' });
  await expect.poll(() => sessions.count()).toBe(3);
  web.server.clock.advance(86_401);
  try {
    await press(page, 'End all others');
    await page.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click();
    const asked = page.getByRole('dialog', { name: 'Confirm your password' });
    await asked.waitFor();
    await inspect(page, 'settings-password-needed');
    await asked.getByLabel('Your password', { exact: true }).fill('not my password');
    await asked.getByRole('button', { name: 'Go on' }).click();
    await asked.getByText('This is not your password.').waitFor();
    expect((await bob.client.get('/v1/sessions')).data).toHaveLength(3);
    await asked.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await asked.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(() => sessions.count()).toBe(1);
    expect(problems).toEqual([]);
  } finally {
    web.server.clock.advance(-86_401);
  }
});

it('a password is changed with the present one', async () => {
  const bob = await signUp(web.server, 'Bob');
  const { page, problems } = await as(bob, '/settings/security');
  await field(page, 'Current password').fill('not my password');
  await field(page, 'New password').fill('quite another password');
  await press(page, 'Change the password');
  await page.getByText('This is not your present password.').waitFor();
  await field(page, 'Current password').fill(PASSWORD);
  await press(page, 'Change the password');
  await page.getByText('The password is changed.').waitFor();
  await expect.poll(() => field(page, 'New password').inputValue()).toBe('');
  expect((await tryToSignIn(bob.email)).code).toBe(4010);
  expect((await tryToSignIn(bob.email, 'quite another password')).status).toBe(200);
  await press(page, 'Make another link');
  await page.getByText('another link is kept for you').waitFor();
  await page.setViewportSize(PHONE);
  await inspect(page, 'settings-security-phone');
  expect(problems).toEqual([]);
});

it('one sees which applications act for one, and disconnects them', async () => {
  const bob = await signUp(web.server, 'Bob');
  const { page, problems } = await as(bob, '/settings/applications');
  await page.getByText('No application acts for you').waitFor();
  const host = await new ApplicationHost().start();
  const team = await makeTeam(root, [bob], 'Harbour');
  const made = await register(root, host, { name: 'Reader', scopes: ['messages:read'] });
  await install(root, team, made);
  const tokens = await authorize(bob, team, made);
  await page.reload();
  await page.getByText('From the team Harbour').waitFor();
  await page.getByText('Read messages, replies and files in the team').waitFor();
  await inspect(page, 'settings-applications');
  await page.setViewportSize(PHONE);
  await inspect(page, 'settings-applications-phone');
  await page.getByRole('button', { name: 'Disconnect Reader from Harbour' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No application acts for you').waitFor();
  const gone = await web.server.anonymous().withToken(tokens.access_token).get('/v1/users/me');
  expect(gone.code).toBe(4012);
  await host.stop();
  expect(problems).toEqual([]);
});

it('one takes one’s data along', async () => {
  const bob = await signUp(web.server, 'Bob');
  const { page, problems } = await as(bob, '/settings/data');
  const download = page.waitForEvent('download');
  await press(page, 'Download the archive');
  expect((await download).suggestedFilename()).toBe('parley-export.zip');
  await page.getByText('The archive is downloaded').waitFor();
  await inspect(page, 'settings-data');
  expect(problems).toEqual([]);
});

it('an account is closed with its password, and then refuses sign-ins', async () => {
  const bob = await signUp(web.server, 'Bob');
  const { page, problems } = await as(bob, '/settings/data');
  await press(page, 'Close the account');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill('wrong');
  await dialog.getByRole('button', { name: 'Close the account' }).click();
  await dialog.getByText('This is not your password.').waitFor();
  await inspect(page, 'settings-close-refused');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Close the account' }).click();
  await page.getByText('Your account is closed.').waitFor();
  await inspect(page, 'settings-closed');
  expect((await tryToSignIn(bob.email)).code).toBe(4010);
  expect(problems).toEqual([]);
});

it('an account is deleted once nothing depends on it', async () => {
  const bob = await signUp(web.server, 'Bob');
  const host = await new ApplicationHost().start();
  const application = await register(bob, host);
  await host.stop();
  const { page, problems } = await as(bob, '/settings/data');
  await press(page, 'Delete the account');
  const dialog = page.getByRole('dialog');
  const send = async () => {
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete the account' }).click();
  };
  await send();
  await dialog.getByText('You still own applications.').waitFor();
  await inspect(page, 'settings-delete-refused');
  expect((await me(bob)).id).toBe(bob.id);
  await bob.client.delete(`/v1/applications/${application.id}`);
  const other = await page.context().newPage();
  await other.goto('/compose');
  await other.getByRole('textbox', { name: 'Message' }).fill('Nobody will read this');
  await other.close();
  await send();
  await page.getByText('Your account is deleted.').waitFor();
  expect(await keptIn(page)).toEqual([]);
  expect((await tryToSignIn(bob.email)).code).toBe(4010);
  expect(problems).toEqual([]);
});

it('a person’s page shows their profile, their presence and shared teams', async () => {
  const bob = await signUp(web.server, 'Bob');
  const carol = await signUp(web.server, 'Carol', { title: 'Baker' });
  const stranger = await signUp(web.server, 'Stranger');
  const team = await makeTeam(bob, [carol], 'Engine room');
  const { page, problems } = await as(bob, `/people/${carol.id}`);
  await page.getByRole('heading', { level: 1, name: 'Carol Test' }).waitFor();
  await page.getByText('Not online').waitFor();
  const shared = page.getByRole('main').getByRole('link', { name: 'Engine room' });
  await expect.poll(() => shared.getAttribute('href')).toBe(`/teams/${team}`);
  const write = page.getByRole('link', { name: 'Write to Carol' });
  await expect.poll(() => write.getAttribute('href')).toBe(`/direct/${carol.id}`);
  await inspect(page, 'person');
  const other = await as(carol, '/settings/appearance');
  await page.getByText('Online', { exact: true }).waitFor();
  await inspect(page, 'person-online');

  await page.goto(`/people/${bob.id}`);
  await page.getByRole('link', { name: 'Edit your profile' }).waitFor();
  await page.setViewportSize(PHONE);
  await inspect(page, 'person-own-phone');
  await page.goto('/people/nobody');
  await page.getByRole('heading', { level: 1, name: 'This person is not here' }).waitFor();
  await inspect(page, 'person-gone');
  await page.goto(`/people/${stranger.id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: /^Write to/ }).count()).toBe(0);
  expect([...problems, ...other.problems]).toEqual([]);
});
