import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooWide, type Visitor, type Web } from '../support/web.ts';

let web: Web;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  web = await startWeb({ REGISTRATION: 'invite' });
  ada = await signUp(web.server, 'Ada', { last_name: 'Lovelace' });
  const hall = await makeTeam(ada, [], 'Hall');
  const made = await ada.client.post(`/v1/teams/${hall}/join_links`, { max_uses: 10 });
  ben = await signUp(web.server, 'Ben', { last_name: 'Okri', join_link: made.data[0].token });
});
afterAll(() => web?.stop());

const as = (person: Person, path: string, options: object = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

it('an admin makes a join link, somebody new signs up by it, and somebody with an account joins', async () => {
  const team = await makeTeam(ada, [], 'Engine room');
  const { page, problems } = await as(ada, `/teams/${team}/settings`);
  await page.getByLabel('Description').fill('Keeps the ship going');
  await press(page, 'Save');
  await page.getByText('Changes saved').waitFor();
  await press(page, 'New join link');
  await page.getByLabel('How many people at most').fill('2');
  await inspect(page, 'join-link-new');
  await press(page, 'Create link');
  const row = page.getByRole('listitem').filter({ hasText: '0 of 2 uses' });
  const url = await row.locator('code').innerText();
  await inspect(page, 'join-links');
  const narrow = await as(ada, `/teams/${team}/settings`, { viewport: PHONE });
  await narrow.page.locator('code').waitFor();
  // The address itself scrolls.
  expect((await tooWide(narrow.page)).filter((one) => !one.startsWith('<code'))).toEqual([]);

  const cy = await web.visit(url, { viewport: PHONE });
  await cy.page.getByRole('heading', { level: 1, name: 'Join Engine room' }).waitFor();
  await cy.page.getByText('Keeps the ship going').waitFor();
  await cy.page.getByText('1 person is in this team.').waitFor();
  await inspect(cy.page, 'join-new');
  await cy.page.getByLabel('Email address').fill('cy@example.org');
  await cy.page.getByLabel('First name').fill('Cy');
  await cy.page.getByLabel('Last name').fill('Ng');
  await cy.page.getByLabel('Password', { exact: true }).fill('a password of length');
  await press(cy.page, 'Create the account and join');
  await cy.page.waitForURL('**/teams/*');

  const other = await as(ben, url);
  await other.page.getByText('2 people are in this team.').waitFor();
  await inspect(other.page, 'join-known');
  await press(other.page, 'Join the team');
  await other.page.waitForURL('**/teams/*');
  await other.page.goto(url);
  await other.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  await inspect(other.page, 'join-gone');
  const { data } = await ada.client.get(`/v1/teams/${team}/users`);
  expect(data.map((one) => one.userid)).toContain(ben.id);

  await page.reload();
  await page
    .getByRole('listitem')
    .filter({ hasText: '2 of 2 uses' })
    .getByRole('button', { name: /^Withdraw/ })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('The link is withdrawn').waitFor();
  expect((await ada.client.get(`/v1/teams/${team}/join_links`)).data).toEqual([]);
  expect([...problems, ...cy.problems, ...other.problems.filter((one) => !one.includes('404'))]).toEqual([]);
});

it('the page of a link for some domains says what is missing', async () => {
  const team = await makeTeam(ada, [], 'Bridge');
  const made = await ada.client.post(`/v1/teams/${team}/join_links`, { domains: ['company.example'] });
  const { page } = await as(ben, `/join/${made.data[0].token}`);
  await page.getByText('Only for confirmed addresses at company.example.').waitFor();
  await page.getByText(`Confirm ${ben.email} first`, { exact: false }).waitFor();
  await inspect(page, 'join-unconfirmed');
});

it('somebody is invited by name, sees it in the Inbox at once, and joins with one click', async () => {
  const team = await makeTeam(ada, [], 'Galley');
  await ada.client.patch(`/v1/teams/${team}`, { description: 'Cooks and hungry people' });
  const reader = await as(ben, '/inbox');
  await reader.page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  const { page, problems } = await as(ada, `/teams/${team}/members`);
  await press(page, 'Invite people');
  await page.getByLabel('People you know').fill('ben');
  await page.getByRole('option', { name: 'Ben Okri' }).click();
  await inspect(page, 'invite-by-name');
  await press(page, 'Invite');
  await page.getByText(`${ben.email}: sees it in Parley`).waitFor();

  await reader.page.getByText('Ada Lovelace invites you').waitFor();
  await reader.page.getByText('1 invitation to teams').first().waitFor({ state: 'attached' });
  await inspect(reader.page, 'inbox-invited');
  const phone = await as(ben, '/teams', { viewport: PHONE });
  await phone.page.getByText('Cooks and hungry people').waitFor();
  await inspect(phone.page, 'teams-invited');
  await reader.page.getByRole('button', { name: 'Join Galley' }).click();
  await reader.page.waitForURL(`**/teams/${team}*`);
  await reader.page.getByRole('heading', { level: 1, name: 'Galley' }).waitFor();

  const other = await makeTeam(ada, [], 'Sickbay');
  await ada.client.post(`/v1/teams/${other}/invitations`, { users: [ben.id] });
  await phone.page.getByRole('button', { name: 'Decline the invitation to Sickbay' }).click();
  await phone.page.getByText('You are not invited to Sickbay any more.').waitFor();
  expect((await ada.client.get(`/v1/teams/${other}/invitations`)).data).toEqual([]);
  expect([...problems, ...reader.problems, ...phone.problems]).toEqual([]);
});

it('an invitation that is accepted elsewhere is gone here', async () => {
  const made = await ada.client.post(`/v1/teams/${await makeTeam(ada, [], 'Deck')}/join_links`, {});
  const fay = await signUp(web.server, 'Fay', { join_link: made.data[0].token });
  const rigging = await makeTeam(ada, [], 'Rigging');
  await ada.client.post(`/v1/teams/${rigging}/invitations`, { users: [fay.id] });
  const { page, problems } = await as(fay, '/inbox');
  const row = page.getByText('Ada Lovelace invites you');
  await row.waitFor();
  const [{ id }] = (await fay.client.get('/v1/users/me/invitations')).data;
  await fay.client.put(`/v1/users/me/invitations/${id}`);
  await row.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('somebody without a team looks at the open ones, and joins', async () => {
  const team = await makeTeam(ada, [], 'Library');
  await ada.client.patch(`/v1/teams/${team}`, { description: 'Books and silence' });
  const { page, problems } = await as(ada, `/teams/${team}/settings`);
  await page.getByRole('switch', { name: 'Open to everybody on this server' }).click();
  await inspect(page, 'team-access');
  await expect.poll(async () => (await ada.client.get(`/v1/teams/${team}`)).data[0].open).toBe(true);

  const left = await makeTeam(ada, [], 'Left');
  const made = await ada.client.post(`/v1/teams/${left}/join_links`, {});
  const eve = await signUp(web.server, 'Eve', { join_link: made.data[0].token });
  await eve.client.delete(`/v1/teams/${left}/users/${eve.id}`);
  const reader = await as(eve, '/inbox');
  await reader.page.getByText('You are in no team yet').waitFor();
  await inspect(reader.page, 'inbox-no-team');
  await reader.page.getByRole('link', { name: 'Look at the open teams' }).click();
  await reader.page.getByText('Books and silence').waitFor();
  await reader.page.getByText('1 person · nothing said yet').waitFor();
  await inspect(reader.page, 'teams-open');
  await reader.page.getByRole('button', { name: 'Join Library' }).click();
  await reader.page.waitForURL(`**/teams/${team}*`);
  await reader.page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();

  await ada.client.delete(`/v1/teams/${team}/users/${eve.id}`);
  const phone = await as(eve, '/teams', { viewport: PHONE });
  await phone.page.getByRole('button', { name: 'Join Library' }).click();
  await phone.page.getByText('An admin has removed you from this team. Ask one to invite you.').waitFor();
  await inspect(phone.page, 'teams-open-phone');
  expect([...problems, ...reader.problems]).toEqual([]);
});
