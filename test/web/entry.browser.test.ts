import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { until } from '../support/until.ts';
import {
  answerFirst,
  cookiesOf,
  inspect,
  intercept,
  keptIn,
  PHONE,
  startWeb,
  type Web,
} from '../support/web.ts';

const PASSWORD = 'a password of length';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

async function enterAccount(page: Page, first: string, last: string, password = PASSWORD): Promise<void> {
  await field(page, 'First name').fill(first);
  await field(page, 'Last name').fill(last);
  await field(page, 'Password').fill(password);
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await field(page, 'Email address').fill(email);
  await field(page, 'Password').fill(password);
  await press(page, 'Sign in');
}

it('a new server that others can reach says where its link is, and takes its first account with it', async () => {
  const web = await startWeb({ REGISTRATION: 'invite', TRUST_PROXY: 'yes' });
  try {
    const { page, problems } = await web.visit('/');
    await page.getByText('in the log of the service or container').waitFor();
    await inspect(page, 'set-up-link');
    await page.goto(web.server.running.setUpUrl ?? '');
    await page.reload();
    await field(page, 'Email address').fill('ada@example.org');
    await enterAccount(page, 'Ada', 'Lovelace');
    await press(page, 'Create the account');
    await heading(page, 'Hello Ada, create your first team');
    expect(problems).toEqual([]);
  } finally {
    await web.stop();
  }
});

describe('a new server', () => {
  let web: Web;
  beforeAll(async () => {
    web = await startWeb({ REGISTRATION: 'invite' });
  });
  afterAll(() => web?.stop());

  it('leads from its first account to a team of two', async () => {
    const { page, problems } = await web.visit('/');
    await heading(page, 'Welcome to Parley');
    await inspect(page, 'set-up');
    await field(page, 'Email address').fill('ada@example.org');
    await enterAccount(page, 'Ada', '', PASSWORD);
    await press(page, 'Create the account');
    await page.locator('[name=last_name][aria-invalid=true]').waitFor();
    await inspect(page, 'set-up-error');
    const [first, last] = await Promise.all(
      ['First name', 'Last name'].map((name) => field(page, name).boundingBox()),
    );
    expect(first).toMatchObject({ y: last?.y, height: last?.height });
    await enterAccount(page, 'Ada', 'Lovelace', 'short');
    await press(page, 'Create the account');
    const valid = await field(page, 'Password').evaluate((it) => it.matches(':valid'));
    expect(valid).toBe(false);
    await field(page, 'Password').fill(PASSWORD);
    await press(page, 'Create the account');

    await heading(page, 'Hello Ada, create your first team');
    await field(page, 'Name of the team').fill('Engine room');
    await page.getByRole('radio', { name: 'Purple' }).check({ force: true });
    await field(page, 'Icon (optional)').fill('ER');
    await inspect(page, 'welcome-team');
    await press(page, 'Create team');

    await heading(page, 'Invite people to Engine room');
    await press(page, 'Make one link for all');
    await page.locator('code', { hasText: '/join/' }).waitFor();
    await press(page, 'Make more links');
    await field(page, 'Email addresses').fill('charles@example.org, nonsense');
    await press(page, 'Create links');
    await page.getByText('This is not an email address: nonsense').waitFor();
    await field(page, 'Email addresses').fill('charles@example.org\nmary@example.org');
    await press(page, 'Create links');
    await page.getByRole('heading', { name: '2 links are ready' }).waitFor();
    await page.getByText('No mail was sent.').waitFor();
    await inspect(page, 'welcome-people');
    const link = await page.locator('code', { hasText: '/invitations/' }).first().innerText();
    // One button is filled: making links, and going on once there are some.
    const filled = async () =>
      (await page.locator('main [class*=primary]:not([aria-label=Send])').allInnerTexts()).filter(
        (name) => name !== 'Send',
      );
    expect(await filled()).toEqual(['Say hello in Engine room']);
    await press(page, 'Make more links');
    expect(await filled()).toEqual(['Create links']);
    await follow(page, 'Say hello in Engine room');

    // The first message is ready to be sent, and then notifications are offered.
    const message = page.getByRole('textbox', { name: 'Write to Engine room' });
    await expect.poll(() => message.inputValue()).toBe('Hello everybody! 👋');
    await page.getByText('You are the first one here').waitFor();
    await expect.poll(filled).toEqual([]);
    await inspect(page, 'welcome-hello');
    await message.press('Enter');
    await page.getByRole('feed').getByText('Hello everybody! 👋').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');

    const charles = await web.visit(link, { viewport: PHONE });
    await heading(charles.page, 'Join Engine room');
    await charles.page.getByText('Ada Lovelace invites you to this team on Parley.').waitFor();
    await expect.poll(() => field(charles.page, 'Email address').inputValue()).toBe('charles@example.org');
    await inspect(charles.page, 'invitation-new');
    await enterAccount(charles.page, 'Charles', 'Babbage');
    await press(charles.page, 'Create the account and join');
    await charles.page.waitForURL('**/teams/*');
    // A new member sees who is here, and what to say.
    await charles.page.getByText('Ada is here').waitFor();
    await inspect(charles.page, 'team-newcomer');
    await press(charles.page, 'Say hello 👋');
    const answer = charles.page.getByRole('textbox', { name: 'Write to Engine room' });
    await expect.poll(() => answer.inputValue()).toBe('Hello everybody! 👋');
    await charles.page.getByText('Ada is here').waitFor({ state: 'detached' });

    // A returning user sees their progress.
    await page.goto('/welcome');
    await page.getByText('You are in 1 team already:').waitFor();
    await inspect(page, 'welcome-again');
    await follow(page, 'Invite people to Engine room');
    await heading(page, 'Invite people to Engine room');
    const team = /welcome\/([^/]+)\//.exec(page.url())?.[1];
    const members = await page.evaluate(
      async (id) => ((await (await fetch(`/v1/teams/${id}/users`)).json()) as { data: unknown[] }).data,
      team,
    );
    expect(members).toHaveLength(2);
    expect([...problems, ...charles.problems]).toEqual([]);
  });
});

describe('a server with people', () => {
  let web: Web;
  let ada: Person;
  let team: string;
  beforeAll(async () => {
    web = await startWeb({ REGISTRATION: 'open' });
    ada = await signUp(web.server, 'Ada');
    team = await makeTeam(ada, [], 'Engine room');
  });
  afterAll(() => web?.stop());

  /** The path of an invitation of Ada's. */
  async function invite(email: string, type = 2): Promise<string> {
    const { data } = await ada.client.post(`/v1/teams/${team}/invitations`, {
      emails: [email],
      membership_type: type,
    });
    return new URL(data[0].url).pathname;
  }

  /** The path of the link in the mail of a kind, which the server has kept: there is no mail server. */
  async function keptLink(kind: string, to: string): Promise<string> {
    const link = await until(async () => {
      const { data } = await ada.client.get('/v1/admin/mails?limit=200');
      const mail = data.find((one) => one.kind === kind && one.to === to);
      const text = mail && (await ada.client.get(`/v1/admin/mails/${mail.id}`)).data[0].text;
      return /https?:\/\/\S+/.exec(text ?? '')?.[0];
    });
    return new URL(link).pathname;
  }

  it('refuses a wrong password, lets the right one in, and out again', async () => {
    const bob = await signUp(web.server, 'Bob');
    const { page, problems } = await web.visit('/sign-in');
    await heading(page, 'Sign in');
    await inspect(page, 'sign-in');
    await signIn(page, bob.email, 'not my password');
    await page.getByText('The email address or the password is wrong.').waitFor();
    await inspect(page, 'sign-in-refused');
    await signIn(page, bob.email);
    await page.waitForURL('**/inbox');
    await press(page, 'Bob Test');
    const signOut = page.getByRole('menuitem', { name: 'Sign out' });
    await signOut.waitFor();
    await inspect(page, 'account-menu');
    await press(page, 'Bob Test');
    await signOut.waitFor({ state: 'detached' });
    await press(page, 'Bob Test');
    await answerFirst(page, 'DELETE', '**/v1/sessions/current', (route) => route.abort());
    await signOut.click();
    await page.getByText('The server cannot be reached.').waitFor();
    // Unsent texts are neither left to the next person nor lost without a word.
    await page.goto('/compose');
    await page.getByRole('textbox', { name: 'Message' }).fill('For my eyes only');
    await press(page, 'Bob Test');
    await signOut.click();
    await page.getByRole('alertdialog').getByText('1 text that you began').waitFor();
    await inspect(page, 'sign-out-unsent');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await press(page, 'Bob Test');
    await signOut.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect(await keptIn(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('lets one out whose browser was told to forget what it keeps', async () => {
    const bob = await signUp(web.server, 'Bob');
    const { page, problems } = await web.visit('/compose', { cookie: bob.client.cookie });
    await page.getByRole('textbox', { name: 'Message' }).fill('For my eyes only');
    await page.evaluate(`new Promise((resolve) => {
      indexedDB.deleteDatabase('parley').onsuccess = () => resolve();
    })`);
    await press(page, 'Bob Test');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    expect(problems).toEqual([]);
  });

  it('blanks all windows of a user who signs out in one, and opens them again by a sign-in', async () => {
    const bob = await signUp(web.server, 'Bob');
    const { page, context, problems } = await web.visit('/settings/security', { cookie: bob.client.cookie });
    await heading(page, 'Settings');
    const other = await context.newPage();
    await other.goto('/inbox');
    await press(other, 'Bob Test');
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.waitForURL('**/sign-in');
    await page.waitForURL('**/sign-in?next=%2Fsettings%2Fsecurity');
    await heading(page, 'Sign in');
    const waiting = await context.newPage();
    await waiting.goto('/sign-up?next=%2Fdrafts');
    await heading(waiting, 'Create an account');
    await signIn(page, bob.email);
    await heading(page, 'Settings');
    // The other windows go on, each to its page.
    await heading(other, 'Inbox');
    await heading(waiting, 'Drafts');
    expect(problems).toEqual([]);
  });

  it('keeps nothing of one user’s data for the next who signs in', async () => {
    const bob = await signUp(web.server, 'Bob');
    const carol = await signUp(web.server, 'Carol');
    const { page, context, problems } = await web.visit('/settings/security', { cookie: bob.client.cookie });
    await page.getByText(bob.email).waitFor();
    const reloaded = page.waitForEvent('load');
    await context.addCookies(cookiesOf(carol.client.cookie, web.url));
    await bob.client.delete('/v1/sessions/current');
    await reloaded;
    await page.getByText(carol.email).waitFor();
    expect(problems).toEqual([]);
  });

  it('keeps nothing of it in a window whose session ended, where the next one signs in', async () => {
    const [bob, carol] = [await signUp(web.server, 'Bob'), await signUp(web.server, 'Carol')];
    const dave = await signUp(web.server, 'Dave');
    const team = await makeTeam(bob, [dave], 'Cellar');
    const { page, problems } = await web.visit('/settings/security', { cookie: bob.client.cookie });
    await page.getByText(bob.email).waitFor();
    const log = page.getByRole('log');
    await expect
      .poll(async () => {
        await dave.client.post('/v1/messages', { addressed_teams: [team], text: 'The key is below the mat' });
        return log.textContent();
      })
      .toContain('The key');
    await expect.poll(() => page.title()).toBe('• Security · Settings · Parley');
    await bob.client.delete('/v1/sessions/current');
    await heading(page, 'Sign in');
    expect(await page.title()).toBe('Sign in · Parley');
    await signIn(page, carol.email);
    await page.getByText(carol.email).waitFor();
    await expect.poll(() => log.textContent()).toBe('');
    expect(problems).toEqual([]);
  });

  it('a window writes in the name of nobody but its user, also when another one signs in elsewhere', async () => {
    const [bob, carol] = [await signUp(web.server, 'Bob'), await signUp(web.server, 'Carol')];
    const team = await makeTeam(bob, [carol], 'Sofa');
    const said = async () =>
      (await carol.client.get(`/v1/messages?team=${team}`)).data.map(({ text, author }) => [text, author.id]);
    const { page, context, problems } = await web.visit(`/teams/${team}`, { cookie: bob.client.cookie });
    const field = page.getByRole('textbox', { name: 'Write to Sofa' });
    await field.fill('Written by Bob');
    await context.addCookies(cookiesOf(carol.client.cookie, web.url));
    await field.press('Enter');
    await page.getByRole('button', { name: 'Carol Test' }).waitFor();
    await page.getByText('This is where Sofa began.').or(page.getByText('It begins here')).waitFor();
    expect([await said(), await field.inputValue()]).toEqual([[], '']);
    await context.addCookies(cookiesOf(bob.client.cookie, web.url));
    await page.reload();
    await field.waitFor();
    // The window may have noticed Carol before the key: then it kept the text in the field.
    if ((await field.inputValue()) !== '') await field.press('Enter');
    await page.getByRole('article').getByText('Written by Bob').waitFor();
    await expect.poll(said).toEqual([['Written by Bob', bob.id]]);
    // Signing in elsewhere is heard at once.
    const other = await context.newPage();
    // Only the other window takes itself for signed out: without its cookie the first one could notice that, too.
    await intercept(other, '**/v1/users/me', (route) => route.fulfill({ status: 401, json: { errors: [] } }));
    await other.goto('/sign-in');
    await other.getByLabel('Password').first().waitFor();
    await other.unroute('**/v1/users/me');
    await signIn(other, carol.email);
    await page.getByRole('button', { name: 'Carol Test' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('brings a signed-out user to the wanted page after the sign-in', async () => {
    const bob = await signUp(web.server, 'Bob');
    const { page, problems } = await web.visit('/settings/security?x=1');
    await page.waitForURL(/sign-in\?next=/);
    await signIn(page, bob.email);
    await page.waitForURL('**/settings/security?x=1');
    expect(problems).toEqual([]);
  });

  it('goes nowhere else after signing in', async () => {
    const bob = await signUp(web.server, 'Bob');
    const { page, problems } = await web.visit('/sign-in?next=//evil.example/');
    await signIn(page, bob.email);
    await page.waitForURL(`${web.url}/inbox`);
    expect(problems).toEqual([]);
  });

  it('asks new users to create a team', async () => {
    const { page, problems } = await web.visit('/sign-up');
    await heading(page, 'Create an account');
    await inspect(page, 'sign-up');
    await enterAccount(page, 'Grace', 'Hopper');
    await field(page, 'Email address').fill(ada.email);
    await press(page, 'Create the account');
    await page.getByText('This address has an account already: sign in instead.').waitFor();
    await field(page, 'Email address').fill('grace@example.org');
    await press(page, 'Create the account');
    await heading(page, 'Hello Grace, create your first team');
    await follow(page, 'Later');
    await page.waitForURL('**/inbox');
    expect(problems).toEqual([]);
  });

  it('admits a user with an account, who signs in on the way', async () => {
    const bob = await signUp(web.server, 'Bob');
    await invite(bob.email, 1);
    const path = await keptLink('invitation', bob.email);
    const { page, problems } = await web.visit(path);
    await page.getByText('You will be an admin of the team.').waitFor();
    await inspect(page, 'invitation-known');
    await follow(page, 'Sign in and join');
    await expect.poll(() => field(page, 'Email address').inputValue()).toBe(bob.email);
    await signIn(page, bob.email);
    await heading(page, 'Join Engine room');
    await inspect(page, 'invitation-accept');
    await press(page, 'Join the team');
    await page.waitForURL(`**/teams/${team}*`);
    const { data } = await bob.client.get('/v1/users/me/teams');
    expect(data).toMatchObject([{ membership_type: 1, team: { id: team } }]);

    const again = await web.visit(path, { cookie: bob.client.cookie });
    await heading(again.page, 'This invitation is no longer valid');
    await inspect(again.page, 'invitation-gone');
    expect([...problems, ...again.problems]).toEqual([]);
  });

  it('says when an invitation is for another account, and offers to switch', async () => {
    const bob = await signUp(web.server, 'Bob');
    const carol = await signUp(web.server, 'Carol');
    const path = await invite(carol.email);
    const { page, problems } = await web.visit(path, { cookie: bob.client.cookie });
    await page.getByText(`The invitation is for ${carol.email}.`).waitFor();
    await inspect(page, 'invitation-other');
    await press(page, 'Use another account');
    await page.waitForURL('**/sign-in?*');
    await signIn(page, carol.email);
    await press(page, 'Join the team');
    await page.waitForURL(`**/teams/${team}*`);
    const members = (await ada.client.get(`/v1/teams/${team}/users`)).data.map(({ userid }) => userid);
    expect(members).toContain(carol.id);
    expect(members).not.toContain(bob.id);
    expect(problems).toEqual([]);
  });

  it('helps with a forgotten password, without revealing who has an account', async () => {
    const bob = await signUp(web.server, 'Bob');
    const { page, problems } = await web.visit('/sign-in');
    await follow(page, 'Forgot your password?');
    await heading(page, 'Forgot your password?');
    await inspect(page, 'password-reset-ask');
    const ask = async (email: string) => {
      await field(page, 'Email address').fill(email);
      await press(page, 'Ask for a link');
      await heading(page, 'Ask an administrator');
      return (await page.getByRole('main').innerText()).replace(email, '…');
    };
    const unknown = await ask('nobody@example.org');
    await press(page, 'Use another address');
    expect(await ask(bob.email)).toBe(unknown);
    await inspect(page, 'password-reset-asked');

    const path = await keptLink('password_reset', bob.email);
    await page.goto(path);
    await heading(page, 'Set a new password');
    await inspect(page, 'password-reset-set');
    await field(page, 'New password').fill('quite another password');
    await press(page, 'Set the password');
    await page.getByText('The new password is set. Sign in with it.').waitFor();
    await signIn(page, bob.email);
    await page.getByText('The email address or the password is wrong.').waitFor();
    await signIn(page, bob.email, 'quite another password');
    await page.waitForURL('**/inbox');

    await page.goto(path);
    await field(page, 'New password').fill('a third password of mine');
    await press(page, 'Set the password');
    await heading(page, 'This link is no longer valid');
    await inspect(page, 'password-reset-gone');
    await follow(page, 'Ask for another link');
    await heading(page, 'Forgot your password?');
    expect(problems).toEqual([]);
  });

  it('confirms an address when a button is pressed, not when the link is opened', async () => {
    const bob = await signUp(web.server, 'Bob');
    const verified = async () => (await bob.client.get('/v1/users/me')).data[0].primary_email.verified;
    const path = await keptLink('email_verification', bob.email);
    const { page, problems } = await web.visit(path);
    await heading(page, 'Is this your address?');
    await inspect(page, 'verify-signed-out');
    await follow(page, 'Sign in and confirm');
    await signIn(page, bob.email);
    await heading(page, 'Is this your address?');
    await inspect(page, 'verify-ask');
    expect(await verified()).toBe(false);
    await press(page, 'Yes, confirm it');
    await heading(page, 'The address is confirmed');
    await inspect(page, 'verify-done');
    expect(await verified()).toBe(true);
    expect(problems).toEqual([]);
  });

  it('closes an account that the reader of the mailbox did not create', async () => {
    const eve = await signUp(web.server, 'Eve');
    const { page, problems } = await web.visit(await keptLink('email_verification', eve.email));
    await press(page, 'I did not create this account');
    await heading(page, 'The account is closed');
    await inspect(page, 'verify-disowned');
    expect((await eve.client.get('/v1/users/me')).code).toBe(4010);
    expect(problems).toEqual([]);
  });

  it('offers another link for one that confirms no more', async () => {
    const bob = await signUp(web.server, 'Bob');
    const stranger = await web.visit('/email_verifications/unknown');
    await press(stranger.page, 'I did not create this account');
    await heading(stranger.page, 'This link is no longer valid');
    await stranger.page.getByRole('link', { name: 'Sign in to have another one sent' }).waitFor();
    const { page, problems } = await web.visit('/email_verifications/unknown', {
      cookie: bob.client.cookie,
    });
    await press(page, 'Yes, confirm it');
    await press(page, 'Make another link');
    await page.getByText('another link is kept for you').waitFor();
    await inspect(page, 'verify-gone');
    expect([...problems, ...stranger.problems]).toEqual([]);
  });

  it('says so when an invitation has expired', async () => {
    const path = await invite('late@example.org');
    web.server.clock.advance(15 * 86_400);
    const { page, problems } = await web.visit(path);
    await heading(page, 'This invitation is no longer valid');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await inspect(page, 'invitation-expired');
    web.server.clock.advance(-15 * 86_400);
    expect(problems).toEqual([]);
  });
});

it('a server with closed registration says so', async () => {
  const web = await startWeb({ REGISTRATION: 'closed' });
  try {
    const late = await web.visit('/sign-up', { locale: 'de-DE' });
    await heading(late.page, 'Willkommen bei Parley');
    await new Client(web.server.url).post('/v1/users', {
      email: 'ada@example.org',
      password: PASSWORD,
      first_name: 'Ada',
      last_name: 'Lovelace',
    });
    const { page, problems } = await web.visit('/sign-up');
    await page.getByText('This server takes no new accounts.').waitFor();
    await field(late.page, 'Vorname').fill('Grace');
    await field(late.page, 'Nachname').fill('Hopper');
    await field(late.page, 'E-Mail-Adresse').fill('grace@example.org');
    await field(late.page, 'Passwort').fill(PASSWORD);
    await press(late.page, 'Konto anlegen');
    await late.page.getByText('Dieser Server nimmt keine neuen Konten an.').waitFor();
    expect([...problems, ...late.problems]).toEqual([]);
  } finally {
    await web.stop();
  }
});
