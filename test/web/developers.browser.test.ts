import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  openForCode,
  type Person,
  register,
  signUp,
} from '../support/people.ts';
import { inspect, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

let web: Web;
let ada: Person;
let team: string;
let host: ApplicationHost;

beforeAll(async () => {
  web = await startWeb();
  ada = await signUp(web.server, 'Ada');
  team = await makeTeam(ada, [], 'Engine room');
  host = await new ApplicationHost().start();
});

afterAll(async () => {
  await host?.stop();
  await web?.stop();
});

/** A browser with a session, Ada's by default. */
function visit(path: string, options: BrowserContextOptions & { cookie?: string } = {}): Promise<Visitor> {
  return web.visit(path, { cookie: ada.client.cookie, ...options });
}

/** The output of a shell that runs these lines. */
const shell = async (lines: string, environment: Record<string, string>): Promise<string> =>
  (await promisify(execFile)('bash', ['-ec', lines], { env: { PATH: process.env.PATH, ...environment } }))
    .stdout;

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

/** The status of the credentials at the platform. */
async function tryCredentials(id: string, secret: string): Promise<number> {
  return (await ada.client.withCredentials(id, secret).get('/v1/oauth2/test/app')).status;
}

it('a bot is registered by its name alone', async () => {
  const { page, problems } = await visit('/developers/new', { cookie: ada.client.cookie });
  await page.getByLabel('Name', { exact: true }).fill('Holidays');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await heading(page, 'Holidays is registered');
  await page.getByText('PARLEY_CLIENT_SECRET=').waitFor();
  expect(problems).toEqual([]);
});

it('a new developer reads what an application is, registers one, and sees its secret once', async () => {
  const grace = await signUp(web.server, 'Grace');
  const { page, problems } = await visit('/developers', { cookie: grace.client.cookie });
  await heading(page, 'Build something on Parley');
  await heading(page, 'See a whole application work');
  await page.getByText('npm run demo').waitFor();
  await inspect(page, 'developers-empty');

  await page.getByRole('link', { name: 'Register an application' }).first().click();
  await heading(page, 'Register an application');
  await page.getByLabel('Name', { exact: true }).fill('Tracker');
  await page.getByLabel('Base address').fill(host.url);
  await expect
    .poll(() => page.getByLabel('Pre-install address').inputValue())
    .toBe(`${host.url}/parley/install`);
  await expect
    .poll(() => page.locator('[name="redirect_uris.0"]').inputValue())
    .toBe(`${host.url}/parley/redirect`);
  // Manual entries survive a change of the base.
  await page.getByLabel('Uninstall address').fill('http://192.168.0.1/gone');
  await page.getByLabel('Base address').fill(`${host.url}/`);
  await expect.poll(() => page.getByLabel('Uninstall address').inputValue()).toBe('http://192.168.0.1/gone');
  await page.getByRole('button', { name: 'Add a redirect address' }).click();
  await page.getByLabel('Redirect address 2', { exact: true }).fill('http://10.0.0.1/redirect');
  await page.getByRole('switch', { name: 'messages:read' }).click();
  const links = page.getByLabel('Links that it hears of');
  await links.fill('https://tasks.example\nhttps://tasks.example/?x=1');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const uninstall = page.getByLabel('Uninstall address');
  await page.locator('[aria-invalid=true]').first().waitFor();
  await expect.poll(() => uninstall.getAttribute('aria-invalid')).toBe('true');
  await expect
    .poll(() => page.getByLabel('Redirect address 2', { exact: true }).getAttribute('aria-invalid'))
    .toBe('true');
  await expect.poll(() => links.getAttribute('aria-invalid')).toBe('true');
  await inspect(page, 'developers-register-refused');
  await links.fill('https://tasks.example\n\n https://tasks.example/tasks ');
  await uninstall.fill('');
  await page.getByRole('button', { name: 'Remove redirect address 2' }).click();
  await page.getByRole('button', { name: 'Register', exact: true }).click();

  await heading(page, 'Tracker is registered');
  const lines = await page.getByText('PARLEY_CLIENT_SECRET=').innerText();
  const [, id = ''] = /CLIENT_ID=(\S+)/.exec(lines) ?? [];
  const [, secret = ''] = /CLIENT_SECRET=(\S+)/.exec(lines) ?? [];
  expect(await tryCredentials(id, secret)).toBe(200);
  expect((await grace.client.get(`/v1/applications/${id}`)).data[0].link_prefixes).toEqual([
    'https://tasks.example/',
    'https://tasks.example/tasks',
  ]);
  expect(page.url()).not.toMatch(UUID);
  await inspect(page, 'developers-secret-once');
  // Leaving by accident is asked about.
  await page.getByRole('link', { name: 'Inbox' }).click();
  await heading(page, 'Leave without the secret?');
  await inspect(page, 'developers-secret-leave');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'I have stored the secret' }).click();
  await page.waitForURL(`**/developers/${id}`);
  await heading(page, 'First steps');
  expect(await page.content()).not.toContain(secret);
  await page.reload();
  await heading(page, 'First steps');
  expect(await page.content()).not.toContain(secret);
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(kept).not.toContain(secret);

  const made = await grace.client.get(`/v1/applications/${id}`);
  expect(made.data[0]).toMatchObject({
    name: 'Tracker',
    scopes: ['messages:read'],
    redirect_uris: [`${host.url}/parley/redirect`],
    uninstall_url: null,
    team_update_url: `${host.url}/parley/team`,
  });
  await page.goto('/developers');
  await page.getByRole('link', { name: 'Tracker', exact: true }).waitFor();
  await page.getByText('1 of 7 steps').waitFor();
  await inspect(page, 'developers-list');
  expect(problems).toEqual([]);
});

it('the example of Parley’s source is registered as it stands, and its command is given', async () => {
  const { page, problems } = await visit('/developers');
  await page.getByRole('link', { name: 'Register the task tracker' }).click();
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Task tracker');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await heading(page, 'Task tracker is registered');
  const command = await page.getByText('node bootstrap.cjs example').innerText();
  expect(command).toContain(`PARLEY_URL=${web.url} PORT=3001`);
  // As its own page tells those who register it by hand.
  const readMe = readFileSync(new URL('../../examples/task-tracker/README.md', import.meta.url), 'utf8');
  const table = [...readMe.matchAll(/^\| `(\w+)` \| `(.+)` \|$/gm)].map(([, field = '', value = '']) => [
    field,
    /^[[{]|^true$/.test(value) ? JSON.parse(value) : value,
  ]);
  const { data } = await ada.client.get('/v1/applications');
  const registered = data.find(({ name }: { name: string }) => name === 'Task tracker');
  expect(table.length).toBe(8);
  expect({ ...registered, base_url: registered.base_url.replace(/\/$/, '') }).toMatchObject(
    Object.fromEntries(table),
  );
  await inspect(page, 'developers-secret-example');
  expect(problems).toEqual([]);
});

it('the first steps turn green as the application does them', async () => {
  const application = await register(ada, host, { name: 'Stepper' });
  const { page, problems } = await visit(`/developers/${application.id}`);
  const done = (count: number) => page.getByText(`${count} of 7 done`).waitFor();
  await done(1);
  await inspect(page, 'developers-overview');
  await page.getByRole('button', { name: 'Send a test callback' }).click();
  await page.getByText(/Your application answered 200 in \d+ ms/).waitFor();
  await done(2);
  const link = page.getByRole('link', { name: 'Install on Engine room' });
  await expect
    .poll(() => link.first().getAttribute('href'))
    .toBe(`/teams/${team}/applications?install=${application.id}`);
  await install(ada, team, application);
  await done(3);
  await page.getByRole('cell', { name: 'Engine room' }).waitFor();

  // From here on it is done with the lines that the page gives, as they stand but for what only the application has.
  const environment: Record<string, string> = {
    PARLEY_CLIENT_ID: application.id,
    PARLEY_CLIENT_SECRET: application.secret,
  };
  const follow = async (step: string, fill: (lines: string) => string = (lines) => lines) => {
    const details = page.locator('details', { has: page.getByText(step, { exact: true }) });
    await details.getByRole('button', { name: 'curl' }).click();
    const lines = (await details.locator('pre').innerText()).replaceAll(/^export .*'…'$/gm, '');
    return JSON.parse(await shell(fill(lines), environment));
  };
  const code = await openForCode(ada, team, application);
  const tokens = await follow('Exchanged a code for tokens', (lines) => lines.replace('…', code));
  environment.ACCESS_TOKEN = tokens.access_token;
  await done(4);
  expect((await follow('Used an access token')).data).toMatchObject([{ id: ada.id }]);
  await done(5);
  await inspect(page, 'developers-overview-half');
  const object = await follow('Made an object');
  await done(6);
  const posted = await follow('Posted a message', (lines) => lines.replace('…', object.data[0].id));
  expect(posted.data).toMatchObject([{ text: '{0} is done', via_app: { id: application.id } }]);
  await page.getByText('All done').waitFor();
  await inspect(page, 'developers-overview-done');
  expect(problems).toEqual([]);
});

it('a bot, which nobody opens, finishes its first steps by its own lines', async () => {
  const { data } = await ada.client.post('/v1/applications', { name: 'Robot', scopes: ['messages:write'] });
  const [bot] = data;
  await ada.client.post(`/v1/teams/${team}/applications`, { application: bot.id });
  const { page, problems } = await visit(`/developers/${bot.id}`);
  await page.getByText('2 of 4 done').waitFor();
  const step = (title: string) => page.locator('details', { has: page.getByText(title, { exact: true }) });
  // The one that is next is open.
  const used = step('Used an access token');
  await used.getByText("import { ParleyApplication } from 'parley-sdk'").waitFor();
  expect(await used.locator('pre').innerText()).not.toContain('redirectUri');
  await inspect(page, 'developers-overview-bot');
  await used.getByRole('button', { name: 'curl' }).click();
  const lines = (await used.locator('pre').innerText()).replaceAll(/^export .*'…'$/gm, '');
  const environment = { PARLEY_CLIENT_ID: bot.id, PARLEY_CLIENT_SECRET: bot.client_secret };
  expect(JSON.parse(await shell(lines, environment)).data).toMatchObject([{ author_type: 'application' }]);
  await page.getByText('All done').waitFor();
  await step('Installed on a team').click();
  await page.getByText('Parley calls no address first').waitFor();
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByText('Parley has not called it yet').waitFor();
  expect(await page.getByRole('button', { name: 'Send a test callback' }).count()).toBe(0);
  expect(problems).toEqual([]);
});

it('a failed call shows why, and is sent again', async () => {
  const application = await register(ada, host, { name: 'Receiver' });
  const { page, problems } = await visit(`/developers/${application.id}/deliveries`);
  await page.getByText('Parley has not called it yet').waitFor();
  await inspect(page, 'developers-deliveries-none');
  await page.getByRole('button', { name: 'Send a test callback' }).click();
  await page.getByText(/Your application answered 200/).waitFor();
  await page.getByRole('cell', { name: 'Delivered' }).waitFor();
  host.status = 500;
  await page.getByRole('button', { name: 'Send a test callback' }).click();
  await page.getByText('Your application answered 500. Its log should tell why.').waitFor();
  await page.getByRole('cell', { name: 'Failed' }).waitFor();
  await inspect(page, 'developers-deliveries');

  await page.getByLabel('Status').selectOption('Failed');
  await page.getByRole('cell', { name: 'Delivered' }).waitFor({ state: 'detached' });
  expect(page.url()).toContain('status=failed');
  await page.reload();
  await page.getByRole('cell', { name: 'Test' }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByRole('link', { name: 'Test', exact: true }).click();
  await heading(page, 'Attempt 1');
  await page.getByText('webhook-signature').waitFor();
  await page.getByText('"client_secret": "(hidden)"').waitFor();
  await inspect(page, 'developers-delivery');
  await page.getByRole('button', { name: 'Send it again' }).click();
  await heading(page, 'Attempt 2');
  host.status = 200;
  await page.getByRole('button', { name: 'Send it again' }).click();
  await page.getByText('Your application answered 200.').waitFor();
  await heading(page, 'Attempt 3');
  await page.getByText('Delivered', { exact: true }).waitFor();
  await page.reload();
  await heading(page, 'Attempt 3');
  expect(problems).toEqual([]);
});

it('of a call with events the page says what is kept, and of a failure on this machine how little it knows', async () => {
  const owner = await signUp(web.server, 'Owner');
  const { cookie } = owner.client;
  const team = await makeTeam(owner, [], 'Keepers');
  const away = 'http://localhost:9/events';
  const application = await register(owner, host, { name: 'Keeper', scopes: ['messages:read'] });
  await install(owner, team, application);
  const calls = `/v1/applications/${application.id}/deliveries`;
  const newest = async () => (await owner.client.get(calls)).data[0];
  const subscribe = (url: string) =>
    owner.client.post(`/v1/applications/${application.id}/subscriptions`, {
      kinds: ['message.posted'],
      webhook: { url },
    });
  await subscribe(`${host.url}/events`);
  host.status = 401;
  await owner.client.post('/v1/messages', { text: 'Refused', addressed_teams: [team] });
  await expect.poll(newest).toMatchObject({ kind: 'events', status: 'pending' });
  const { page, problems } = await visit(`/developers/${application.id}/deliveries`, { cookie });
  await page.getByRole('table').getByRole('link', { name: 'Events' }).click();
  await page.getByText('Does it use the key of this webhook').waitFor();
  await page.getByText('Of the answer its status is kept').waitFor();
  expect(await page.getByText('No body').count()).toBe(0);
  await inspect(page, 'developers-delivery-events');

  host.status = 200;
  await owner.client.patch(`/v1/applications/${application.id}`, { preinstall_url: away });
  await page.goto(`/developers/${application.id}/deliveries`);
  await page.getByRole('button', { name: 'Send a test callback' }).click();
  await page.getByText('does it answer in time?').waitFor();
  expect(problems).toEqual([]);
});

it('a call that is tried again shows when, and turns green by itself', async () => {
  const application = await register(ada, host, { name: 'Retrier' });
  await install(ada, team, application);
  host.status = 503;
  await ada.client.delete(`/v1/teams/${team}/applications/${application.id}`);
  const { page, problems } = await visit(`/developers/${application.id}/deliveries`);
  await page.getByRole('cell', { name: 'Pending' }).waitFor();
  await page.getByRole('link', { name: 'Uninstall' }).click();
  await heading(page, 'Attempt 1');
  await page.getByText('Next attempt').waitFor();
  await inspect(page, 'developers-delivery-pending');
  host.status = 200;
  await page.getByRole('link', { name: 'All deliveries' }).click();
  await page.getByRole('cell', { name: 'Pending' }).waitFor();
  // Beyond the next attempt, whichever it is by now.
  web.server.clock.advance(600);
  await page.getByRole('cell', { name: 'Pending' }).waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('cell', { name: 'Delivered' }).count()).toBe(2);
  await page.goto('/developers/00000000-0000-4000-8000-000000000000');
  await page.getByText('Not found, or you have no access.').waitFor();
  await inspect(page, 'developers-unknown');
  expect(problems).toEqual([]);
});

it('a subscription is made, fares well and badly in sight, is paused, replayed, changed and deleted', async () => {
  // A new session: after a while the page asks for the password before it makes a key.
  const owner = await signUp(web.server, 'Owner');
  const { cookie } = owner.client;
  const team = await makeTeam(owner, [], 'Listeners');
  const application = await register(owner, host, { name: 'Hearer', scopes: ['messages:read'] });
  await install(owner, team, application);
  host.clear();
  const say = (text: string) => owner.client.post('/v1/messages', { text, addressed_teams: [team] });
  const heard = () =>
    host.received.filter(({ path }) => path === '/heard').map(({ body }) => body.data.message.text);
  const { page, problems } = await visit(`/developers/${application.id}/subscriptions`, { cookie });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const calls = page.getByRole('region', { name: 'Deliveries' });
  await page.getByText('No subscriptions yet').waitFor();
  await inspect(page, 'developers-subscriptions-none');
  await page.getByRole('link', { name: 'Subscribe' }).click();
  await page.getByLabel('Address of the webhook').fill('http://10.0.0.1/heard');
  await page.getByRole('switch', { name: 'Members who join' }).click();
  await press('Subscribe');
  await page.locator('[aria-invalid=true]').waitFor();
  await inspect(page, 'developers-subscribe-refused');
  await page.getByLabel('Address of the webhook').fill(`${host.url}/heard`);
  await press('Subscribe');
  await heading(page, 'The key of the webhook');
  await expect.poll(() => page.getByText(/^whsec_/).count()).toBe(1);
  await inspect(page, 'developers-subscription-key');
  await press('I have stored the secret');
  await heading(page, 'Messages, Answers, Mentions and Members who join');
  await page.getByText('Active').waitFor();

  await say('one');
  await expect.poll(heard).toEqual(['one']);
  const [id] = host.received.map(({ headers }) => headers['webhook-id']);
  // The list asks again by itself, after a while.
  await expect
    .poll(async () => {
      await page.reload();
      await heading(page, 'Its calls');
      return calls.getByText('Delivered').count();
    })
    .toBe(1);
  await press('Pause');
  await page.getByText('It is not called until you resume it.').waitFor();
  await inspect(page, 'developers-subscription-paused');
  await say('two');
  await press('Resume');
  await page.getByText('Active').waitFor();
  await expect.poll(heard).toEqual(['one', 'two']);

  await page.getByLabel('Since').fill('2020-01-01T00:00');
  await press('Send them again');
  await page.getByText('They are being sent again').waitFor();
  await expect.poll(heard).toEqual(['one', 'two', 'one', 'two']);
  expect(host.received.filter(({ headers }) => headers['webhook-id'] === id)).toHaveLength(2);

  host.status = 410;
  await say('three');
  await expect.poll(heard).toContain('three');
  await expect
    .poll(async () => {
      await page.reload();
      await heading(page, 'Its calls');
      return page.getByText('Its address answered 410').count();
    })
    .toBe(1);
  await inspect(page, 'developers-subscription-gone');
  host.status = 200;
  await press('Resume');
  await page.getByText('Active').waitFor();

  // A new key leaves what is not saved as it is.
  await page.getByRole('switch', { name: 'Only mentions' }).click();
  await page.getByRole('switch', { name: 'Also its own messages' }).click();
  await page.getByLabel('Type of object').fill('task');
  await press('Make a new key');
  await heading(page, 'The key of the webhook');
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await press('I have stored the secret');
  await press('Save');
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  const path = `/v1/applications/${application.id}/subscriptions`;
  const [changed] = (await owner.client.get(path)).data;
  expect(changed).toMatchObject({
    mentions_only: true,
    own_messages: true,
    object_type: 'task',
    teams: null,
    webhook: { batch: 1, ended: null },
  });
  expect(changed.kinds).toContain('member.joined');

  await page.getByRole('link', { name: 'All subscriptions' }).click();
  await page.getByRole('link', { name: /^Messages, Answers/ }).waitFor();
  await inspect(page, 'developers-subscriptions');
  await page.getByRole('link', { name: /^Messages, Answers/ }).click();
  await press('Delete the subscription');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the subscription' }).click();
  await page.getByText('No subscriptions yet').waitFor();
  expect((await owner.client.get(path)).data).toEqual([]);
  // The admins of the team see the same calls.
  await page.goto(`/teams/${team}/applications/${application.id}`);
  await page
    .getByRole('link', { name: /^Events/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByText(/^Events ·/)
    .waitFor();
  expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  await inspect(page, 'team-application-events');
  expect(problems).toEqual([]);
});

it('a new secret is shown once; the old one works for the overlap that was chosen, and its end is seen', async () => {
  // A new session: after a while the page asks for the password before it makes a secret.
  const owner = await signUp(web.server, 'Owner');
  const { cookie } = owner.client;
  const application = await register(owner, host, { name: 'Rotator' });
  const { id, secret: old } = application;
  const { page, problems } = await visit(`/developers/${id}/secret`, { cookie });
  await page.clock.install({ time: web.server.clock.now() });
  await page.reload();
  await heading(page, 'Client secret');
  await inspect(page, 'developers-secret');
  await page.getByLabel('The old secret works for another').selectOption('hour');
  await page.getByRole('button', { name: 'Create new secret' }).click();
  await heading(page, 'Your new secret');
  const [, secret = ''] =
    /CLIENT_SECRET=(\S+)/.exec(await page.getByText('PARLEY_CLIENT_SECRET=').innerText()) ?? [];
  expect([await tryCredentials(id, old), await tryCredentials(id, secret)]).toEqual([200, 200]);
  await page.getByText('The old secret still works for').waitFor();
  await inspect(page, 'developers-secret-rotated');
  await page.getByRole('button', { name: 'I have stored the secret' }).click();
  await heading(page, 'Client secret');
  await page.reload();
  await page.getByRole('timer').waitFor();
  expect(await page.content()).not.toContain(secret);
  await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^(1 h 0 min 0|0 h 59 min \d+) s$/);
  // It is the platform that remembers it: another browser sees it, too.
  const other = await visit(`/developers/${id}/secret`, { cookie });
  await other.page.getByRole('timer').waitFor();
  await page.clock.fastForward('30:00');
  await expect.poll(() => page.getByRole('timer').innerText()).toMatch(/^0 h (30|29) min \d+ s$/);
  web.server.clock.advance(3601);
  await page.clock.fastForward('30:01');
  await page.getByText('The old secret does not work any more.').waitFor();
  expect([await tryCredentials(id, old), await tryCredentials(id, secret)]).toEqual([401, 200]);
  expect(problems).toEqual([]);
});

it('settings are changed, a refused address is shown at its field, and deleting asks for the name', async () => {
  const application = await register(ada, host, { name: 'Editor' });
  const { page, problems } = await visit(`/developers/${application.id}/settings`);
  const base = page.getByLabel('Base address');
  await base.fill('http://169.254.169.254/latest');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
  await expect.poll(() => base.getAttribute('aria-invalid')).toBe('true');
  // The first wrong field comes into sight.
  await expect.poll(() => base.evaluate((element) => element.matches(':focus'))).toBe(true);
  await inspect(page, 'developers-settings-refused');
  await base.fill(host.url);
  await page.getByLabel('Name', { exact: true }).fill('Better editor');
  await page.getByRole('switch', { name: 'List it for everybody' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await heading(page, 'Better editor');
  expect((await ada.client.get(`/v1/applications/${application.id}`)).data[0]).toMatchObject({
    name: 'Better editor',
    listed: false,
  });
  await page.getByRole('button', { name: 'Delete the application' }).click();
  await page.getByLabel('Type “Better editor” to go on').fill('Editor');
  await page.getByRole('button', { name: 'Delete forever' }).click();
  await page.getByText('This is not its name.').waitFor();
  await inspect(page, 'developers-delete');
  await page.getByLabel('Type “Better editor” to go on').fill('Better editor');
  await page.getByRole('button', { name: 'Delete forever' }).click();
  await page.waitForURL('**/developers');
  expect((await ada.client.get(`/v1/applications/${application.id}`)).status).toBe(404);
  await heading(page, 'Developers');
  await page.goBack();
  await page.getByText('Not found, or you have no access.').waitFor();
  expect(problems).toEqual([]);
});

it('settings are those of the application that one went back to, and only changes are saved', async () => {
  const first = await register(ada, host, { name: 'First of two' });
  const second = await register(ada, host, { name: 'Second of two' });
  const { page, problems } = await visit(`/developers/${first.id}/settings`);
  const name = page.getByLabel('Name', { exact: true });
  await heading(page, 'First of two');
  await page.getByRole('link', { name: 'All applications' }).click();
  await page.getByRole('link', { name: 'Second of two' }).click();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await heading(page, 'Second of two');
  await page.waitForURL(`**/${second.id}/settings`);
  await name.waitFor();
  await page.evaluate('history.go(-3)');
  await heading(page, 'First of two');
  await expect.poll(() => name.inputValue()).toBe('First of two');

  // Another window changes it meanwhile.
  const redirect_uris = [first.redirectUri, `${host.url}/second`];
  await ada.client.patch(`/v1/applications/${first.id}`, { redirect_uris });
  for (const next of ['First of all', 'First again']) {
    await name.fill(next);
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, next);
    const { data } = await ada.client.get(`/v1/applications/${first.id}`);
    expect(data[0]).toMatchObject({ name: next, redirect_uris });
  }
  expect(problems).toEqual([]);
});

it('every route can be tried for real, with a session, a token or the credentials of an application', async () => {
  const application = await register(ada, host, { name: 'Trier' });
  await install(ada, team, application);
  const { access_token } = await authorize(ada, team, application);
  const { page, problems } = await visit(`/developers/try?application=${application.id}`);
  await page.getByText('Choose a route').waitFor();
  await inspect(page, 'developers-try');
  await page.getByLabel('Search routes').fill('get users me');
  await page.getByRole('link', { name: 'GET /users/me', exact: true }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await heading(page, 'Response');
  await page.getByText(`"id": "${ada.id}"`).waitFor();
  expect(page.url()).toContain('users');

  await page.goto(`/developers/try?route=${encodeURIComponent('POST /v1/messages')}`);
  const body = page.getByLabel('Body (JSON)');
  await expect.poll(() => body.inputValue()).toContain(team);
  await body.fill('{"text":');
  await page.getByText('This is not valid JSON').waitFor();
  await body.fill(JSON.stringify({ text: 'Written by hand', addressed_teams: [team] }, undefined, 2));
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const response = page.getByRole('region', { name: 'Response' });
  await response.getByText('"text": "Written by hand"').waitFor();
  await page.getByText('As a curl command').click();
  await inspect(page, 'developers-try-message');
  // Once more with the same key is the same message.
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(async () => (await ada.client.get('/v1/messages?q=Written')).data.length).toBe(1);

  await page.getByLabel('Send as').selectOption('A user, with an access token');
  await page.getByLabel('Access token').fill(access_token);
  await body.fill('{"text": "", "addressed_teams": []}');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('A message has neither text, attachments nor blocks.').waitFor();
  await inspect(page, 'developers-try-refused');

  // The credentials stay across routes, and are dropped with the page.
  await page.getByLabel('Search routes').fill('app_as_user');
  await page.getByRole('link', { name: /app_as_user/ }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('200', { exact: true }).waitFor();
  await page.getByLabel('Search routes').fill('oauth2/test/app');
  await page.getByRole('link', { name: 'GET /oauth2/test/app', exact: true }).click();
  await page.getByLabel('Client id').fill(application.id);
  // Sends any entry, such as the dots of an example.
  await page.getByLabel('Client secret').fill('wrong …');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('401', { exact: true }).waitFor();
  await page.getByLabel('Client secret').fill(application.secret);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('200', { exact: true }).waitFor();
  expect(await page.content()).not.toContain(access_token);
  await page.reload();
  await heading(page, 'GET /v1/oauth2/test/app');
  await expect.poll(() => page.getByLabel('Client secret').inputValue()).toBe('');
  expect(problems).toEqual([]);
});

it('uploads, streams and deletions can be tried, too', async () => {
  const application = await register(ada, host, { name: 'Short-lived' });
  const { page, problems } = await visit(
    `/developers/try?route=${encodeURIComponent('POST /v1/attachments')}`,
  );
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const response = page.getByRole('region', { name: 'Response' });
  await page
    .getByLabel('File')
    .setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('Flour') });
  await send.click();
  await response.getByText('"name": "list.txt"').waitFor();
  await page.getByLabel('Search routes').fill('events');
  await page.getByRole('link', { name: 'GET /events', exact: true }).click();
  await send.click();
  await response.getByText('event: ready').waitFor();
  await page.goto(
    `/developers/try?application=${application.id}&route=${encodeURIComponent('DELETE /v1/applications/{application}')}`,
  );
  await expect.poll(() => page.getByLabel('application', { exact: true }).inputValue()).toBe(application.id);
  await send.click();
  await heading(page, 'Send this DELETE for real?');
  await inspect(page, 'developers-try-delete');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await response.getByText('200', { exact: true }).waitFor();
  expect((await ada.client.get(`/v1/applications/${application.id}`)).status).toBe(404);
  expect(problems).toEqual([]);
});

it('all of it fits a phone, and speaks German', async () => {
  const application = await register(ada, host, { name: 'Pocket application' });
  await install(ada, team, application);
  const { page, problems } = await visit('/developers', { viewport: PHONE, locale: 'de-DE' });
  await page.getByRole('link', { name: 'Pocket application' }).waitFor();
  const fits = async (name: string) => {
    await inspect(page, `developers-phone-${name}`);
    const wide = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth);
    expect(wide, name).toBe(false);
  };
  await fits('list');
  await page.getByRole('link', { name: 'Pocket application' }).click();
  await heading(page, 'Erste Schritte');
  await fits('overview');
  await page.getByRole('link', { name: 'Ereignisse' }).click();
  await page.getByRole('link', { name: 'Abonnieren' }).click();
  await page.getByLabel('Adresse des Webhooks').waitFor();
  await fits('subscribe');
  await page.getByRole('link', { name: 'Aufrufe' }).click();
  await page.getByRole('link', { name: 'Installation' }).waitFor();
  await fits('deliveries');
  await page.getByRole('link', { name: 'Installation' }).click();
  await heading(page, 'Versuch 1');
  await fits('delivery');
  await page.getByRole('link', { name: 'Geheimnis' }).click();
  await heading(page, 'Client-Geheimnis');
  await fits('secret');
  await page.getByRole('link', { name: 'Einstellungen' }).click();
  await page.getByLabel('Basisadresse').waitFor();
  await fits('settings');
  await page.goto('/developers/try');
  await page.getByRole('link', { name: 'POST /messages', exact: true }).click();
  await page.getByLabel('Rumpf (JSON)').waitFor();
  await fits('try');
  await page.getByRole('link', { name: 'Alle Routen' }).click();
  await page.getByRole('link', { name: 'POST /messages', exact: true }).waitFor();
  expect(problems).toEqual([]);
});

it('a program without a secret is registered, and why it got no tokens is read', async () => {
  const { page, problems } = await visit('/developers/new');
  await page.getByLabel('Name', { exact: true }).fill('Editor');
  await page.getByRole('switch', { name: 'It has no secret' }).click();
  await page.getByLabel('Pre-install address').waitFor({ state: 'detached' });
  const redirect = page.locator('[name="redirect_uris.0"]');
  await redirect.fill('editor:/callback');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect.poll(() => redirect.getAttribute('aria-invalid')).toBe('true');
  await redirect.fill('com.example.editor:/callback');
  await inspect(page, 'developers-register-public');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await heading(page, 'Editor is registered');
  await inspect(page, 'developers-registered-public');
  await page.getByRole('link', { name: 'Go on to the first steps' }).click();
  await heading(page, 'First steps');
  await page.getByText('1 of 5 done').waitFor();
  const [id = ''] = UUID.exec(page.url()) ?? [];
  const form = { client_id: id, grant_type: 'authorization_code', code: 'x' };
  for (const redirect_uri of ['', 'x', 'x'])
    await web.server.anonymous().ask('POST', '/v1/oauth2/token', { form: { ...form, redirect_uri } });
  await page.getByRole('link', { name: 'Failures' }).click();
  await heading(page, 'Token requests that failed');
  const line = page.getByRole('row', { name: 'There is no such code of the application' });
  await expect.poll(() => line.innerText()).toMatch(/authorization_code\s+invalid_grant\s+There is .*\s2$/);
  await page.getByRole('row', { name: 'redirect_uri was missing' }).waitFor();
  await inspect(page, 'developers-failures');
  await page.getByRole('link', { name: 'Secret', exact: true }).click();
  await heading(page, 'No secret');
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('switch', { name: 'It has no secret' }).click();
  await page.getByLabel('Base address').fill(host.url);
  await page.getByLabel('Pre-install address').fill(`${host.url}/install`);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Secret', exact: true }).click();
  await page.getByRole('button', { name: 'Create new secret' }).waitFor();
  expect(problems).toEqual([]);
});
