import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { query } from '../../src/schema/index.ts';
import { insertMember } from '../support/members.ts';
import { ApplicationHost, makeTeam, type Person, register, signUp } from '../support/people.ts';
import { inspect, intercept, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

let web: Web;
let host: ApplicationHost;
let ada: Person;
let grace: Person;

beforeAll(async () => {
  web = await startWeb({ REGISTRATION: 'open' });
  host = await new ApplicationHost().start();
  ada = await signUp(web.server, 'Ada', { last_name: 'Lovelace', title: 'Analyst' });
  grace = await signUp(web.server, 'Grace', { last_name: 'Hopper', title: 'Admiral' });
});

beforeEach(() => {
  host.status = 200;
  host.beforeAnswer = undefined;
});

afterAll(async () => {
  await web?.stop();
  await host?.stop();
});

const as = (person: Person, path: string, options: object = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

/** The button that had the focus was removed. */
const titleHasFocus = (page: Page) => page.locator('h1:focus').waitFor();
const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

it('makes a team with a look of its own, and changes it later', async () => {
  const { page, problems } = await as(ada, '/teams/new');
  await page.getByRole('heading', { level: 1, name: 'New team' }).waitFor();
  await page.getByLabel('Name of the team').fill('Engine room');
  await page.getByRole('radio', { name: 'Green' }).check();
  await page.getByLabel('Icon').fill('⚙️');
  await page.getByText('⚙️').waitFor();
  await inspect(page, 'team-new');
  await page.getByRole('button', { name: 'Create team' }).click();
  await page.getByRole('heading', { level: 1, name: 'Engine room' }).waitFor();
  const team = await teamNamed('Engine room');
  expect(team).toMatchObject({ color: '#1a7f37', icon: '⚙️' });

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.waitForURL(`**/teams/${team.id}/settings`);
  await inspect(page, 'team-settings');
  // The page says which field is missing, not the browser.
  const name = page.getByLabel('Name of the team');
  await name.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  const fault = page.getByRole('alert').filter({ hasText: 'This is needed. Fill it in.' });
  await fault.waitFor();
  await expect.poll(() => name.getAttribute('aria-describedby')).toContain(await fault.getAttribute('id'));
  await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('name');
  await name.fill(' ');
  await fault.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
  await page.getByLabel('Name of the team').fill('Machine hall');
  await page.getByRole('radio', { name: 'Red' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Machine hall' }).waitFor();
  await page.getByLabel('Name of the team').fill('Machine room');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Machine room' }).waitFor();
  await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('name');
  // Changes by another admin come in beside an edited field, and saving that field does not undo them.
  await page.getByLabel('Description').fill('Keeps the ship going');
  await ada.client.patch(`/v1/teams/${team.id}`, { icon: '🚢' });
  await expect.poll(() => page.getByLabel('Icon').inputValue()).toBe('🚢');
  expect(await page.getByLabel('Description').inputValue()).toBe('Keeps the ship going');
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).toEqual({ description: 'Keeps the ship going' });
  await expect.poll(async () => (await teamNamed('Machine room')).description).toBe('Keeps the ship going');
  await ada.client.patch(`/v1/teams/${team.id}`, { icon: '🚂' });
  await expect.poll(() => page.getByLabel('Icon').inputValue()).toBe('🚂');
  expect(await teamNamed('Machine room')).toMatchObject({ color: '#c4372c' });

  await page.getByRole('switch', { name: 'Favourite' }).click();
  await page.getByRole('switch', { name: 'Favourite', checked: true }).waitFor();
  const isFavourite = async () => (await membershipOf('Machine room')).is_favorite;
  await expect.poll(isFavourite).toBe(1);
  await page.reload();
  await page.getByRole('switch', { name: 'Favourite', checked: true }).waitFor();
  expect(problems).toEqual([]);
});

it('shows a colour that was given by its name, and keeps the name until another is chosen', async () => {
  const { data } = await ada.client.post('/v1/teams', { name: 'Gallery', color: 'hot-pink' });
  const { page, problems } = await as(ada, `/teams/${data[0].id}/settings`);
  await expect.poll(() => page.locator('input[type=color]').inputValue()).toBe('#ff69b4');
  await page.getByLabel('Name of the team').fill('Gallery hall');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Gallery hall' }).waitFor();
  expect(await teamNamed('Gallery hall')).toMatchObject({ color: 'hot-pink' });
  await page.getByRole('radio', { name: 'Teal' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await teamNamed('Gallery hall'))?.color).toBe('#0f766e');
  expect(problems).toEqual([]);
});

async function membershipOf(name: string) {
  const { data } = await ada.client.get('/v1/users/me/teams');
  return data.find((membership) => membership.team.name === name);
}

const teamNamed = async (name: string) => (await membershipOf(name))?.team;

it('closes a team only when its name is typed', async () => {
  const team = await makeTeam(ada, [], 'Old team');
  const { page, problems } = await as(ada, `/teams/${team}/settings`);
  await page.getByRole('button', { name: 'Close the team' }).click();
  await page.getByLabel('Type Old team to close it').fill('Old');
  await page.getByRole('dialog').getByRole('button', { name: 'Close the team' }).click();
  await page.getByText('This is not the name of the team.').waitFor();
  await inspect(page, 'team-close');
  await page.getByLabel('Type Old team to close it').fill('Old team');
  await page.getByRole('dialog').getByRole('button', { name: 'Close the team' }).click();
  await page.waitForURL('**/inbox');
  expect((await ada.client.get(`/v1/teams/${team}`)).status).toBe(404);
  await page.goto(`/teams/${team}/settings`);
  await page.getByRole('heading', { name: 'This is not one of your teams' }).waitFor();
  expect(problems).toEqual([]);
});

it('invites several people at once, shows the failed ones, and withdraws an invitation', async () => {
  const team = await makeTeam(ada, [grace], 'Crew');
  const { page, problems } = await as(ada, `/teams/${team}/members`);
  await page.getByRole('button', { name: 'Invite people' }).click();
  await inspect(page, 'team-invite');
  // Where names are typed, addresses are taken as well.
  const known = page.getByRole('combobox', { name: 'People you know' });
  await known.fill('alan@example.org, rosa@example.org');
  await page.getByRole('option', { name: 'alan@example.org, rosa@example.org' }).waitFor();
  await known.press('Enter');
  await page.getByRole('button', { name: 'Remove rosa@example.org' }).click();
  await page.getByLabel('Email addresses').fill(`Mary <mary@example.org>\nno-address; ${grace.email}`);
  await page.getByLabel('They join as').selectOption('Admin');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('2 people are invited').waitFor();
  await page.getByText('2 addresses were not invited').waitFor();
  await page.getByText('This is not an email address.').waitFor();
  await page.getByText('Is a member already.').waitFor();
  await page.getByText('No mail was sent.').waitFor();
  await inspect(page, 'team-invited');
  const link = await page
    .getByRole('dialog')
    .locator('code', { hasText: '/invitations/' })
    .first()
    .textContent();
  const token = link?.split('/').at(-1);
  expect((await ada.client.get(`/v1/invitations/${token}`)).data).toMatchObject([
    { email: 'alan@example.org', membership_type: 1 },
  ]);
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('heading', { name: 'Open invitations' }).waitFor();
  await inspect(page, 'team-members');
  await page.getByRole('button', { name: 'Withdraw the invitation of alan@example.org' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('The invitation of alan@example.org is withdrawn').waitFor();
  await rowOf(page, 'alan@example.org').waitFor({ state: 'detached' });
  expect((await ada.client.get(`/v1/invitations/${token}`)).status).toBe(404);
  expect(problems).toEqual([]);
});

it('shows why one invitation was not withdrawn, and not with the next one', async () => {
  const team = await makeTeam(ada, [], 'Guests');
  const emails = ['late@example.org', 'later@example.org'];
  await ada.client.post(`/v1/teams/${team}/invitations`, { emails });
  const { page } = await as(ada, `/teams/${team}/members`);
  await intercept(page, '**/invitations/*', (route) => route.abort());
  await page.getByRole('button', { name: 'Withdraw the invitation of late@example.org' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Withdraw' }).click();
  await question.getByText('The server cannot be reached.').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Withdraw the invitation of later@example.org' }).click();
  await question.getByText('later@example.org').waitFor();
  expect(await question.getByText('The server cannot be reached.').count()).toBe(0);
});

it('changes roles, refuses to lose the last admin, and removes a member', async () => {
  const team = await makeTeam(ada, [grace], 'Bridge');
  const { page, problems } = await as(ada, `/teams/${team}/members`);
  await rowOf(page, 'Grace Hopper').waitFor();

  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Make member' }).click();
  await page.getByText('Make somebody else an admin first').waitFor();
  await inspect(page, 'team-last-admin');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click();
  await page.getByRole('menuitem', { name: 'Leave the team' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the team' }).click();
  await page.getByRole('alertdialog').getByText('Make somebody else an admin first').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
  await inspect(page, 'team-member-menu');
  await page.getByRole('menuitem', { name: 'Make admin' }).click();
  await page.getByText('Grace Hopper is an admin now').waitFor();
  await rowOf(page, 'Grace Hopper').getByText('Admin', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click();
  await page.getByRole('menuitem', { name: 'Remove from the team' }).click();
  await page.getByRole('alertdialog').getByText('loses access to everything').waitFor();
  await inspect(page, 'team-remove');
  await page.getByRole('button', { name: 'Remove from the team' }).click();
  await rowOf(page, 'Grace Hopper').waitFor({ state: 'detached' });
  await titleHasFocus(page);
  expect((await grace.client.get(`/v1/teams/${team}`)).status).toBe(404);
  expect(problems).toEqual([]);
});

it('lets a member look and leave, without the buttons of an admin', async () => {
  const team = await makeTeam(ada, [grace], 'Deck');
  const { page, problems } = await as(grace, `/teams/${team}/members`);
  await rowOf(page, 'Ada Lovelace').waitFor();
  expect(await page.getByRole('button', { name: 'Invite people' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await page.getByText('No applications yet').waitFor();
  await page.getByText('Admins of the team can change this.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Ada Lovelace' }).waitFor();
  await inspect(page, 'team-applications-member');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('switch', { name: 'Muted' }).waitFor();
  expect(await page.getByLabel('Name of the team').count()).toBe(0);
  await page.getByRole('button', { name: 'Leave the team' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave the team' }).click();
  await page.waitForURL('**/inbox');
  expect((await grace.client.get(`/v1/teams/${team}`)).status).toBe(404);
  expect(problems).toEqual([]);
});

it('says on every page of a team that one is no member, or there is none, and leads to one’s teams', async () => {
  const team = await makeTeam(ada, [grace], 'Galley');
  await ada.client.delete(`/v1/teams/${team}/users/${grace.id}`);
  const { page, problems } = await as(grace, `/teams/${team}`);
  const title = page.getByRole('heading', { level: 1, name: 'This is not one of your teams' });
  await title.waitFor();
  await inspect(page, 'team-not-member');
  // To a stranger a team that there is looks like one that there is not.
  const nowhere = '01a00000-0000-7000-8000-000000000000';
  for (const part of ['', '/files', '/pins', '/members', '/applications', '/settings'])
    for (const id of [team, nowhere]) {
      await page.goto(`/teams/${id}${part}`);
      await title.waitFor();
      expect(await page.title()).toBe('This is not one of your teams · Parley');
    }
  await page.getByRole('link', { name: 'Go to your teams' }).click();
  await page.getByRole('heading', { level: 1, name: 'Teams' }).waitFor();
  expect(problems).toEqual([]);
});

it('finds members by name, and keeps the search in the address', async () => {
  const team = await makeTeam(ada, [grace], 'Library');
  const { page, problems } = await as(ada, `/teams/${team}/members`, { viewport: PHONE });
  await rowOf(page, 'Grace Hopper').waitFor();
  await inspect(page, 'team-members-phone');
  await page.getByLabel('Search for a name or an address').fill('hop');
  await rowOf(page, 'Ada Lovelace').waitFor({ state: 'detached' });
  await page.waitForURL(/q=hop/);
  await page.reload();
  await rowOf(page, 'Grace Hopper').waitFor();
  await expect.poll(() => page.getByLabel('Search for a name or an address').inputValue()).toBe('hop');
  await page.getByLabel('Search for a name or an address').press('Home');
  await page.keyboard.type('grace ');
  await page.waitForURL(/q=grace(\+|%20)hop$/);
  await expect.poll(() => page.getByLabel('Search for a name or an address').inputValue()).toBe('grace hop');
  await page.getByLabel('Search for a name or an address').fill('nobody');
  await page.getByText('Nobody is called “nobody” here').waitFor();
  await page.getByLabel('Search for a name or an address').fill('');
  await page.getByLabel('Role').selectOption('Admin');
  await rowOf(page, 'Grace Hopper').waitFor({ state: 'detached' });
  await rowOf(page, 'Ada Lovelace').waitFor();
  expect(problems).toEqual([]);
});

it('renders only the visible part of a large team, and finds members far down', async () => {
  const team = await makeTeam(ada, [], 'Everybody');
  await fill(team, 650);
  const { page, problems } = await as(ada, `/teams/${team}/members`);
  await page.getByText('650 members').waitFor();
  const rows = page.getByRole('list', { name: 'Members' }).getByRole('listitem');
  await rows.first().waitFor();
  expect(await rows.count()).toBeLessThan(60);
  await expect.poll(() => rows.first().getAttribute('aria-setsize')).toBe('650');
  await inspect(page, 'team-members-many');
  await page.getByLabel('Search for a name or an address').fill('number 640');
  await rowOf(page, 'Number 640').waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByLabel('Search for a name or an address').fill('');
  await rowOf(page, 'm2@example.org').waitFor();
  await page.getByRole('list', { name: 'Members' }).evaluate((list) => list.scrollIntoView({ block: 'end' }));
  await rowOf(page, 'm649@example.org').waitFor();
  expect(await rows.count()).toBeLessThan(60);
  expect(problems).toEqual([]);
});

it('asks once for members whom the server does not give, not again and again', async () => {
  const team = await makeTeam(ada, [], 'Refused');
  await fill(team, 250, 'n');
  const { page } = await as(ada, `/teams/${team}/members`);
  await rowOf(page, 'n2@example.org').waitFor();
  let asked = 0;
  await intercept(page, /\/users\?.*cursor=/, (route) => {
    asked += 1;
    return route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, json: { errors: [] } });
  });
  await page.getByLabel('Search for a name or an address').fill('number 240');
  await page.getByRole('alert').waitFor();
  for (let turn = 0; turn < 5; turn++) await page.evaluate(() => fetch('/healthz'));
  expect(asked).toBe(1);
  await page.unroute(/\/users\?.*cursor=/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await rowOf(page, 'Number 240').waitFor();
});

/** Members who never sign in, so that the team has so many. */
async function fill(team: string, count: number, letter = 'm'): Promise<void> {
  const now = web.server.clock.now();
  await web.server.running.db.write(async (tx) => {
    for (let number = 1; number < count; number++) {
      await insertMember(tx, {
        team,
        email: `${letter}${number}@example.org`,
        first_name: `Number ${number}`,
        last_name: 'Member',
        now,
      });
    }
    await query(tx, (q) => q.updateTable('teams').set({ num_members: count }).where('id', '=', team));
  });
}

it('shows the changes of others and new members at once', async () => {
  const team = await makeTeam(ada, [grace], 'Together');
  const { page, problems } = await as(ada, `/teams/${team}/members`);
  await rowOf(page, 'Grace Hopper').waitFor();
  const visitor = await as(grace, `/teams/${team}/members`);
  await rowOf(page, 'Grace Hopper').getByText('online').waitFor();
  await ada.client.patch(`/v1/teams/${team}/users/${grace.id}`, { membership_type: 1 });
  await rowOf(page, 'Grace Hopper').getByText('Admin', { exact: true }).waitFor();
  await visitor.page.getByRole('button', { name: 'Invite people' }).waitFor();
  await grace.client.patch(`/v1/teams/${team}`, { name: 'Apart' });
  await page.getByRole('heading', { level: 1, name: 'Apart' }).waitFor();
  await visitor.page.close();
  expect(problems).toEqual([]);
});

it('installs an application: refused with the reason, then installed, opened and uninstalled', async () => {
  host.status = 500;
  const application = await register(ada, host, {
    name: 'Task tracker',
    icon: '✅',
    description: 'Tasks, and who does them.',
    scopes: ['messages:read'],
    link_prefixes: ['https://tasks.example/'],
    team_update_url: null,
  });
  const team = await makeTeam(ada, [grace], 'Workshop');
  const { page, context, problems } = await as(ada, `/teams/${team}/applications`);
  await page.getByRole('heading', { name: 'No applications yet' }).waitFor();
  await inspect(page, 'team-applications-none');
  await page.getByRole('button', { name: 'Install Task tracker' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('name, title, picture and email address of each of its 2 members').waitFor();
  await dialog.getByText('Read messages, replies and files in the team').waitFor();
  await dialog.getByText('https://tasks.example/').waitFor();
  await inspect(page, 'team-install');
  expect(new URL(page.url()).searchParams.get('install')).toBe(application.id);
  await dialog.getByRole('button', { name: 'Install' }).click();
  await dialog.getByText('Task tracker could not be installed').waitFor();
  await dialog.getByText('Its server answered with HTTP status 500 instead of 200.').waitFor();
  await inspect(page, 'team-install-failed');

  host.status = 200;
  const answer = Promise.withResolvers<void>();
  host.beforeAnswer = () => answer.promise;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('whether it agrees').waitFor();
  await inspect(page, 'team-install-pending');
  answer.resolve();
  host.beforeAnswer = undefined;
  await dialog.getByText('Task tracker is installed').waitFor();
  await inspect(page, 'team-install-done');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await rowOf(page, 'Task tracker').getByText('Installed', { exact: true }).waitFor();
  await inspect(page, 'team-applications');

  // The browser of the tests runs in one process, and cannot open a tab that does not know who opened it.
  const open = page.getByRole('link', { name: 'Open Task tracker in a new tab' });
  await expect.poll(() => open.getAttribute('target')).toBe('_blank');
  const opened = await context.newPage();
  await opened.goto((await open.getAttribute('href')) ?? '');
  await opened.getByRole('button', { name: 'Allow and open' }).click();
  await opened.waitForURL(`${host.url}/redirect?**`);
  const address = new URL(opened.url());
  await opened.close();
  expect(address.searchParams.get('code')).toBeTruthy();
  expect(address.searchParams.get('platform_team_id')).toBe(team);

  await page.getByRole('link', { name: 'Task tracker', exact: true }).click();
  await page.getByRole('heading', { name: 'Calls to its server' }).waitFor();
  await page.getByText('Delivered', { exact: true }).waitFor();
  await page.getByText('https://tasks.example/', { exact: true }).waitFor();
  await inspect(page, 'team-application');
  await page
    .getByRole('link', { name: /^Installing / })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Call to the application' }).waitFor();
  await page.getByRole('dialog').getByText('Attempt 1').waitFor();
  await inspect(page, 'team-delivery');
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog').getByText('Attempt 2').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Uninstall' }).click();
  await page.getByText('Its access ends at once').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Uninstall' }).click();
  await page.getByText('No applications yet').waitFor();
  await titleHasFocus(page);
  expect((await ada.client.get(`/v1/applications/${application.id}/open?team=${team}`)).code).toBe(4030);
  expect(problems).toEqual([]);
});

it('says it of an application that is not there, and hides installing from members', async () => {
  const unlisted = await register(grace, host, { name: 'Secret tool', listed: false });
  const team = await makeTeam(ada, [], 'Cellar');
  const { page, problems } = await as(ada, `/teams/${team}/applications?install=${unlisted.id}`);
  await page.getByText('There is no such application, or it is not for this team.').waitFor();
  await inspect(page, 'team-install-unknown');
  const listed = await register(grace, host, { name: 'Public tool' });
  const other = await makeTeam(ada, [grace], 'Attic');
  await ada.client.post(`/v1/teams/${other}/applications`, { application: listed.id });
  const member = await as(grace, `/teams/${other}/applications?install=${unlisted.id}`, { viewport: PHONE });
  await member.page.getByRole('link', { name: 'Open Public tool in a new tab' }).waitFor();
  expect(await member.page.getByRole('button', { name: /Install/ }).count()).toBe(0);
  await inspect(member.page, 'team-applications-phone');
  await member.page.getByRole('link', { name: 'Public tool', exact: true }).click();
  await member.page.getByRole('heading', { name: 'What it may do' }).waitFor();
  expect(await member.page.getByRole('button', { name: 'Uninstall' }).count()).toBe(0);
  expect([...problems, ...member.problems]).toEqual([]);
});

it('gives an incoming webhook a picture, which stands at its messages in windows that are open', async () => {
  const team = await makeTeam(ada, [grace], 'Gauge room');
  const path = `/v1/teams/${team}/webhooks`;
  const { url } = (await ada.client.post(path, { name: 'Grafana' })).data[0];
  await ada.client.post(path, { name: 'GitLab' });
  await fetch(url, { method: 'POST', body: 'The oven is hot' });
  const reader = await as(grace, `/teams/${team}`);
  const message = reader.page.getByRole('article', { name: 'Grafana' });
  await message.getByText('The oven is hot').waitFor();
  const shown = message.locator('img[src*="/image/icon/"]');
  expect(await shown.count()).toBe(0);

  const { page, problems } = await as(ada, `/teams/${team}/applications`);
  const opener = page.getByRole('button', { name: 'Picture of Grafana' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Picture of Grafana' });
  const choose = (name: string, buffer: Buffer) =>
    dialog.locator('input[type=file]').setInputFiles({ name, buffer, mimeType: 'image/png' });
  await choose('text.png', Buffer.from('no picture'));
  await dialog.getByRole('button', { name: 'Use this picture' }).click();
  await dialog.getByText('This file can’t be used as a picture.').waitFor();
  await choose(
    'gauge.png',
    await sharp({ create: { width: 600, height: 400, channels: 3, background: '#e6522c' } })
      .png()
      .toBuffer(),
  );
  await dialog.getByText('This is no picture').waitFor({ state: 'detached' });
  await inspect(page, 'team-webhook-picture');
  await dialog.getByRole('button', { name: 'Use this picture' }).click();
  await page.getByText('Picture updated').waitFor();
  await dialog.waitFor({ state: 'detached' });
  await page.locator(':focus').and(opener).waitFor();
  await rowOf(page, 'Grafana').locator('img').waitFor();
  expect(await rowOf(page, 'GitLab').locator('img').count()).toBe(0);
  await inspect(page, 'team-webhooks-pictured');
  await shown.waitFor();
  await expect
    .poll(() => shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(64);
  await inspect(reader.page, 'team-stream-of-a-pictured-webhook');

  await page.setViewportSize(PHONE);
  await inspect(page, 'team-webhooks-pictured-phone');
  await opener.click();
  await inspect(page, 'team-webhook-picture-phone');
  await dialog.getByRole('button', { name: 'Remove the picture' }).click();
  await page.getByText('The picture is removed').waitFor();
  await rowOf(page, 'Grafana').locator('img').waitFor({ state: 'detached' });
  await shown.waitFor({ state: 'detached' });
  expect([...problems, ...reader.problems]).toEqual([]);
});

it('makes an incoming webhook, sees what it posts at once, marked, and withdraws it', async () => {
  const team = await makeTeam(ada, [grace], 'Boiler house');
  const { page, problems } = await as(ada, `/teams/${team}/applications`);
  const webhooks = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Incoming webhooks' }) });
  await webhooks.getByLabel('Name of the program').fill('Grafana');
  await webhooks.getByRole('button', { name: 'Create URL' }).click();
  await webhooks.getByText('Paste this URL into Grafana').waitFor();
  const address = await webhooks.locator('code').innerText();
  await inspect(page, 'team-webhooks');
  await page.setViewportSize(PHONE);
  await inspect(page, 'team-webhooks-phone');

  const reader = await as(grace, `/teams/${team}`);
  await reader.page.getByRole('heading', { level: 1, name: 'Boiler house' }).waitFor();
  const alert = readFileSync(new URL('../fixtures/webhooks/grafana.json', import.meta.url), 'utf8');
  const sent = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: alert,
  });
  expect(await sent.text()).toBe('ok');
  const message = reader.page.getByRole('article', { name: 'Grafana' });
  await message.getByText('FIRING: High memory usage').waitFor();
  await message.getByText('App', { exact: true }).waitFor();
  await inspect(reader.page, 'team-stream-of-a-webhook');
  expect(reader.problems).toEqual([]);

  await webhooks.getByRole('button', { name: 'Withdraw Grafana' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Grafana is withdrawn').waitFor();
  await webhooks.getByText('Paste this URL into Grafana').waitFor({ state: 'detached' });
  await webhooks.getByLabel('Name of the program').fill('GitLab');
  await webhooks.getByRole('switch', { name: 'Only signed calls' }).click();
  await webhooks.getByRole('button', { name: 'Create URL' }).click();
  await webhooks.getByText('Paste this URL and this key into GitLab').waitFor();
  await webhooks.getByText(/^whsec_/).waitFor();
  await webhooks.getByText('signed · has not posted yet').waitFor();
  await inspect(page, 'team-webhooks-signed-phone');
  expect((await fetch(address, { method: 'POST', body: 'late' })).status).toBe(404);
  expect(problems).toEqual([]);
});
