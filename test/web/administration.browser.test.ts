import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApplicationHost, join, makeTeam, type Person, register, signUp } from '../support/people.ts';
import { runSql } from '../support/tables.ts';
import { inspect, intercept, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

let web: Web;
let host: ApplicationHost;
let root: Person;
let other: Person;

beforeAll(async () => {
  web = await startWeb({ MAX_TEXT_LENGTH: '5000' });
  host = await new ApplicationHost().start();
  root = await signUp(web.server, 'Ada', { last_name: 'Lovelace' });
  other = await signUp(web.server, 'Grace', { last_name: 'Hopper', title: 'Admiral' });
});

afterAll(async () => {
  await web?.stop();
  await host?.stop();
});

const as = (person: Person, path: string, options: object = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

async function choose(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

const confirm = (page: Page, action: string) =>
  page.getByRole('alertdialog').getByRole('button', { name: action }).click();

it('is for administrators, and says so to others', async () => {
  const { page, problems } = await as(other, '/admin/users');
  await page.getByText('This is for administrators of the server').waitFor();
  expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
  await inspect(page, 'admin-refused');
  expect(problems).toEqual([]);
});

it('shows how the server is, and leads to every part', async () => {
  const { page, problems } = await as(root, '/inbox');
  await page.getByRole('link', { name: 'Administration' }).click();
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  await rowOf(page, 'Calls to applications').getByText('Nothing waits').waitFor();
  await page.getByText('SQLite').waitFor();
  await inspect(page, 'admin-overview');
  await page.setViewportSize(PHONE);
  await inspect(page, 'admin-overview-phone');
  const parts = page.getByRole('navigation', { name: 'Parts of the administration' });
  for (const part of ['Users', 'Teams', 'Applications', 'Mails', 'Audit log', 'Settings', 'Backup']) {
    await parts.getByRole('link', { name: part, exact: true }).click();
    await expect.poll(() => page.title()).toBe(`${part} · Administration · Parley`);
  }
  expect(problems).toEqual([]);
});

it('closes, opens, promotes and deletes accounts, and refuses to lose the last administrator', async () => {
  const alan = await signUp(web.server, 'Alan', { last_name: 'Turing' });
  const { page, problems } = await as(root, '/admin/users');
  await page.getByLabel('Search for a name or an address').fill('alan');
  await rowOf(page, 'Grace Hopper').waitFor({ state: 'detached' });
  await page.waitForURL(/q=alan/);
  await choose(page, 'Alan Turing', 'Close the account');
  await page.getByRole('alertdialog').getByText('They are signed out everywhere').waitFor();
  await inspect(page, 'admin-close-account');
  await confirm(page, 'Close the account');
  await rowOf(page, 'Alan Turing').getByText('Closed', { exact: true }).waitFor();
  expect((await alan.client.get('/v1/users/me')).status).toBe(401);
  await choose(page, 'Alan Turing', 'Open the account');
  await rowOf(page, 'Alan Turing').getByText('Closed', { exact: true }).waitFor({ state: 'detached' });
  await choose(page, 'Alan Turing', 'Make administrator');
  await confirm(page, 'Make administrator');
  await rowOf(page, 'Alan Turing').getByText('Administrator', { exact: true }).waitFor();
  await choose(page, 'Alan Turing', 'Remove administrator role');
  await confirm(page, 'Remove administrator role');
  await rowOf(page, 'Alan Turing').getByText('Administrator', { exact: true }).waitFor({ state: 'detached' });
  await choose(page, 'Alan Turing', 'Delete the account');
  await confirm(page, 'Delete the account');
  await page.getByText('No results for “alan”').waitFor();

  await page.getByLabel('Search for a name or an address').fill('');
  await rowOf(page, 'Grace Hopper').waitFor();
  await inspect(page, 'admin-users');
  await choose(page, 'Ada Lovelace', 'Remove administrator role');
  await confirm(page, 'Remove administrator role');
  await page.getByRole('alertdialog').getByText('The server needs an administrator.').waitFor();
  await inspect(page, 'admin-last');
  expect(problems).toEqual([]);
});

it('says that an account could not be opened', async () => {
  const closed = await signUp(web.server, 'Emmy', { last_name: 'Noether' });
  await root.client.patch(`/v1/admin/users/${closed.id}`, { active: false });
  const { page, problems } = await as(root, '/admin/users?q=noether');
  await intercept(page, `**/v1/admin/users/${closed.id}`, (route) => route.abort());
  await choose(page, 'Emmy Noether', 'Open the account');
  await page.getByRole('dialog').getByText('The server cannot be reached.').waitFor();
  expect(problems).toEqual([]);
});

it('shows what blocks the deletion of an account, and resolves it: its team, then its application', async () => {
  const owner = await signUp(web.server, 'Mary', { last_name: 'Somerville' });
  const team = await makeTeam(owner, [other], 'Astronomy');
  const application = await register(owner, host, { name: 'Star chart' });
  const { page, problems } = await as(root, '/admin/users?q=mary');
  await choose(page, 'Mary Somerville', 'Delete the account');
  await confirm(page, 'Delete the account');
  await page
    .getByRole('alertdialog')
    .getByText(/Appoint another admin there first|Give these to somebody else/)
    .waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  const parts = page.getByRole('navigation', { name: 'Parts of the administration' });
  await parts.getByRole('link', { name: 'Teams', exact: true }).click();
  await page.getByRole('button', { name: 'Appoint an admin of Astronomy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Person').first().fill('ada');
  await dialog.getByRole('button', { name: 'Appoint an admin' }).click();
  await dialog.getByText('Choose somebody first.').waitFor();
  await dialog.getByText(root.email).click();
  await dialog.getByRole('button', { name: 'Appoint an admin' }).click();
  await dialog.getByText('This person is not a member of the team.').waitFor();
  await dialog.getByLabel('Person').first().fill('grace');
  await dialog.getByText(other.email).click();
  await inspect(page, 'admin-appoint');
  await dialog.getByRole('button', { name: 'Appoint an admin' }).click();
  await page.getByText('Grace Hopper is an admin of Astronomy now').waitFor();
  expect((await other.client.patch(`/v1/teams/${team}`, { name: 'Astronomy' })).status).toBe(200);

  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await rowOf(page, 'Star chart').getByText('owned by Mary Somerville').waitFor();
  await inspect(page, 'admin-applications');
  await page.getByRole('button', { name: 'Transfer ownership of Star chart' }).click();
  await page.getByRole('dialog').getByLabel('Person').first().fill('hopper');
  await page.getByRole('dialog').getByText(other.email).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer ownership' }).click();
  await rowOf(page, 'Star chart').getByText('owned by Grace Hopper').waitFor();
  expect((await other.client.get(`/v1/applications/${application.id}`)).status).toBe(200);

  await page.goto('/admin/users?q=mary');
  await choose(page, 'Mary Somerville', 'Delete the account');
  await confirm(page, 'Delete the account');
  await page.getByText('No results for “mary”').waitFor();
  expect(problems).toEqual([]);
});

it('says first what needs a person, and invites people from the accounts', async () => {
  const { page, problems } = await as(root, '/inbox');
  // Other tests may have made a backup.
  await intercept(page, '**/v1/admin/server', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    Object.assign(answer.data[0].backup, { state: 'ok', failed: false, last_at: null });
    await route.fulfill({ response, json: answer });
  });
  await page.getByRole('link', { name: 'Administration' }).click();
  const needs = page.getByRole('region', { name: 'Needs your attention' });
  await needs.getByText('There is no backup of this server.').waitFor();
  await needs.getByText('No mail server is set').waitFor();
  const heights = await Promise.all(
    [
      needs,
      page.getByRole('heading', { name: 'Server', exact: true }),
      page.getByRole('heading', { name: 'Queues' }),
    ].map(async (part) => (await part.boundingBox())?.y ?? 0),
  );
  expect(heights).toEqual(heights.toSorted((one, other) => one - other));
  await needs.getByRole('link', { name: 'To the backups' }).click();
  await page.waitForURL('**/admin/backup');

  const team = await makeTeam(root, [], 'Harbour');
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByRole('menuitem', { name: 'Create a team first' }).waitFor();
  await page.getByRole('menuitem', { name: 'Invite to Harbour' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite people' });
  await dialog.getByRole('textbox').fill('newcomer@example.org');
  await inspect(page, 'admin-invite');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('newcomer@example.org').waitFor();
  const { data } = await root.client.get(`/v1/teams/${team}/invitations`);
  expect(data.map(({ email }) => email)).toEqual(['newcomer@example.org']);
  expect(problems).toEqual([]);
});

it('brings a closed team back', async () => {
  const team = await makeTeam(other, [], 'Fleet');
  await other.client.delete(`/v1/teams/${team}`);
  const { page, problems } = await as(root, '/admin/teams');
  await rowOf(page, 'Fleet').getByText('Closed', { exact: true }).waitFor();
  await page.getByLabel('Show').selectOption('Closed ones');
  await page.waitForURL(/show=closed/);
  await inspect(page, 'admin-teams');
  await page.getByRole('button', { name: 'Restore Fleet' }).click();
  await page.getByRole('dialog').getByText('Its applications do not').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Fleet is back').waitFor();
  expect((await other.client.get(`/v1/teams/${team}`)).status).toBe(200);
  expect(problems).toEqual([]);
});

it('asks whom a closed team shall have as admin when none is left', async () => {
  const leader = await signUp(web.server, 'Leader');
  const team = await makeTeam(leader, [], 'Orphans');
  await join(leader, team, other);
  await leader.client.delete(`/v1/teams/${team}`);
  await root.client.delete(`/v1/admin/users/${leader.id}`);
  const { page, problems } = await as(root, '/admin/teams?show=closed');
  await page.getByRole('button', { name: 'Restore Orphans' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await dialog.getByText('No admin is left in it.').waitFor();
  await dialog.getByLabel('Person').first().fill('hopper');
  await dialog.getByText(other.email).click();
  await inspect(page, 'admin-restore');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Orphans is back').waitFor();
  expect((await other.client.get(`/v1/teams/${team}/invitations`)).status).toBe(200);
  expect(problems).toEqual([]);
});

it('shows kept mails with their links, and why none can be sent', async () => {
  const team = await makeTeam(root, [], 'Crew');
  await root.client.post(`/v1/teams/${team}/invitations`, { emails: ['new@example.org'] });
  const { page, problems } = await as(root, '/admin/mails');
  await page.getByText('This server has no mail server').waitFor();
  await page.getByLabel('To or subject contains').fill('new@');
  await page.waitForURL(/to=new/);
  await page.getByLabel('Status').selectOption('Sent');
  await page.getByText('No mail fits.').waitFor();
  await page.getByLabel('Status').selectOption('Kept');
  await rowOf(page, 'new@example.org').first().waitFor();
  await inspect(page, 'admin-mails');
  await rowOf(page, 'new@example.org').first().getByRole('link').click();
  const dialog = page.getByRole('dialog');
  const link = await dialog
    .getByRole('link')
    .filter({ hasText: '/invitations/' })
    .first()
    .getAttribute('href');
  expect((await root.client.get(new URL(link ?? '').pathname.replace('/', '/v1/'))).status).toBe(200);
  await page.waitForURL(/mail=/);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('Set SMTP_URL and MAIL_FROM').waitFor();
  await inspect(page, 'admin-mail');
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('mail'));
  expect(problems).toEqual([]);
});

it('asks once for mails that the server does not give, and says so', async () => {
  const team = await makeTeam(root, [], 'Guests');
  const emails = Array.from({ length: 60 }, (_, number) => `guest${number}@example.org`);
  await root.client.post(`/v1/teams/${team}/invitations`, { emails });
  const { page } = await as(root, '/admin/mails');
  await rowOf(page, 'guest59@example.org').waitFor();
  let asked = 0;
  await intercept(page, /\/mails\?.*cursor=/, (route) => {
    asked += 1;
    return route.fulfill({ status: 429, headers: { 'Retry-After': '60' }, json: { errors: [] } });
  });
  await page.getByLabel('To or subject contains').fill('guest0@');
  await page.getByRole('alert').waitFor();
  for (let turn = 0; turn < 5; turn++) await page.evaluate(() => fetch('/healthz'));
  expect(asked).toBe(1);
  await page.unroute(/\/mails\?.*cursor=/);
  await page.getByRole('button', { name: 'Show more' }).click();
  await rowOf(page, 'guest0@example.org').waitFor();
});

it('filters the audit log, and exports the shown entries as a file', async () => {
  await makeTeam(other, [], 'Logged');
  const { page, problems } = await as(root, '/admin/audit');
  await page.getByRole('cell', { name: 'Team made' }).first().waitFor();
  await inspect(page, 'admin-audit');
  await page.getByLabel('What', { exact: true }).selectOption('Account made');
  await page.getByRole('cell', { name: 'Team made' }).first().waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'Account made' }).first().waitFor();
  await page.waitForURL(/action=account.created/);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as a file' }).click();
  const file = await (await downloading).createReadStream();
  const lines = (await file.toArray())
    .join('')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(0);
  expect(new Set(lines.map(({ action }) => action))).toEqual(new Set(['account.created']));
  await page.getByText('Further filters').click();
  await page.getByLabel('To', { exact: true }).fill('2001-01-01');
  await page.getByText('Nothing fits').waitFor();
  await page.getByRole('link', { name: 'Clear the filter' }).click();
  await page.getByRole('cell', { name: 'Team made' }).first().waitFor();
  expect(problems).toEqual([]);
});

it('takes a day of the audit log as long as it is, and the beginning of a year as none', async () => {
  const { page, problems } = await as(root, '/admin/audit?since=2026-10-25&until=2026-10-25');
  const exported = page.getByRole('link', { name: 'Export as a file' });
  const asked = new URL((await exported.getAttribute('href')) ?? '', web.url).searchParams;
  // The day in Berlin on which summer time ends.
  expect(Number(asked.get('until')) - Number(asked.get('since'))).toBe(25 * 3600);
  await page.goto('/admin/audit?since=0002-10-25&action=account.created');
  await page.getByRole('cell', { name: 'Account made' }).first().waitFor();
  expect(problems).toEqual([]);
});

it('leads from an account to what it did', async () => {
  await makeTeam(other, [], 'Trace');
  const { page, problems } = await as(root, '/admin/users?q=hopper', { viewport: PHONE });
  await choose(page, 'Grace Hopper', 'What they did');
  await page.waitForURL(new RegExp(`actor=${other.id}`));
  await page.getByRole('link', { name: 'Grace Hopper' }).first().waitFor();
  expect(await page.getByRole('link', { name: 'Ada Lovelace' }).count()).toBe(0);
  await inspect(page, 'admin-audit-phone');
  expect(problems).toEqual([]);
});

it('shows the settings in force without their secrets', async () => {
  const { page, problems } = await as(root, '/admin/settings');
  await rowOf(page, 'COOKIE_KEY').getByText('Secret', { exact: true }).waitFor();
  await inspect(page, 'admin-settings');
  await page.getByLabel('Search the settings').fill('text_length');
  await rowOf(page, 'COOKIE_KEY').waitFor({ state: 'detached' });
  await rowOf(page, 'MAX_TEXT_LENGTH').getByText('5000', { exact: true }).waitFor();
  await rowOf(page, 'MAX_TEXT_LENGTH').getByText('Changed', { exact: true }).waitFor();
  await page.getByLabel('Search the settings').fill('');
  await page.getByRole('switch').click();
  await rowOf(page, 'COOKIE_KEY').waitFor({ state: 'detached' });
  await page.reload();
  await rowOf(page, 'MAX_TEXT_LENGTH').waitFor();
  expect(await rowOf(page, 'SESSION_LIFETIME').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('reminds of a backup that is missing, until there is one', async () => {
  const { db } = web.server.running;
  // The first account is of long ago, and nobody has made a backup.
  await runSql(db, 'UPDATE users SET created_at = 0');
  await runSql(db, "DELETE FROM audit_log WHERE action = 'backup.made'");
  const { page, problems } = await as(root, '/admin');
  await page.getByText('There is no backup of this server').waitFor();
  await inspect(page, 'admin-no-backup');
  expect((await root.client.get('/v1/admin/backup')).status).toBe(200);
  await page.reload();
  await page.getByText('Last backup').waitFor();
  expect(await page.getByText('There is no backup of this server').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('explains how to keep a backup, and how to restore it', async () => {
  const { page, problems } = await as(root, '/admin/backup');
  await page.getByText('node bootstrap.cjs restore').waitFor();
  await inspect(page, 'admin-backup');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download a backup' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/\.zip$/);
  const [start] = await (await download.createReadStream()).take(1).toArray();
  // The signature of a ZIP archive.
  expect(start.subarray(0, 4)).toEqual(Buffer.from('PK\x03\x04', 'latin1'));
  expect(problems).toEqual([]);
});
