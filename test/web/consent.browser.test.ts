import { hash, randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ApplicationHost,
  install,
  makeTeam,
  openForCode,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { inspect, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

const PASSWORD = 'a password of length';
const VERIFIER = randomBytes(32).toString('base64url');

let web: Web;
let host: ApplicationHost;
let owner: Person;
let member: Person;
let first: string;
let second: string;
let application: RegisteredApplication;

beforeAll(async () => {
  web = await startWeb();
  host = await new ApplicationHost().start();
  owner = await signUp(web.server, 'Owner');
  member = await signUp(web.server, 'Member');
  first = await makeTeam(owner, [member], 'Engine room');
  second = await makeTeam(owner, [member], 'Bakery');
  application = await register(owner, host, {
    name: 'Task tracker',
    description: 'Keeps track of what is to be done.',
    scopes: ['messages:read', 'messages:write'],
    link_prefixes: ['https://tracker.example/tasks', 'https://tracker.example/wiki'],
  });
  await install(owner, first, application);
  await install(owner, second, application);
});

afterAll(async () => {
  await web?.stop();
  await host?.stop();
});

/** The address to which an application sends a browser to identify its user. */
function authorize(changed: Record<string, string> = {}): string {
  const parameters = {
    response_type: 'code',
    client_id: application.id,
    redirect_uri: application.redirectUri,
    state: '1e5',
    code_challenge: hash('sha256', VERIFIER, 'base64url'),
    code_challenge_method: 'S256',
    ...changed,
  };
  return `/v1/oauth2/authorize?${new URLSearchParams(parameters)}`;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const as = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

/** The parameters with which the browser returned to the application. */
async function arrived(page: Page): Promise<Record<string, string>> {
  await page.waitForURL(`${application.redirectUri}*`);
  return Object.fromEntries(new URL(page.url()).searchParams);
}

/** The application gets tokens for the code, and asks who it is. */
async function whoIs(code: string | undefined): Promise<string> {
  const form = {
    grant_type: 'authorization_code',
    code: code ?? '',
    redirect_uri: application.redirectUri,
    code_verifier: VERIFIER,
  };
  const answer = await application.credentials.ask('POST', '/v1/oauth2/token', { form });
  expect(answer.status).toBe(200);
  const { data } = await web.server.anonymous().withToken(answer.body.access_token).get('/v1/users/me');
  return data[0].id;
}

it('a signed-out user signs in, chooses a team and allows it; the application gets its code', async () => {
  const { page, problems } = await web.visit(authorize());
  await page.waitForURL('**/sign-in?*');
  await page.getByLabel('Email address').fill(member.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Sign in');
  await page.getByRole('heading', { name: 'Task tracker wants to act for you' }).waitFor();
  await page.getByText('Read messages, replies and files in the team').waitFor();
  // The host of the application, and the links that it hears of; the browser goes to a program on this machine.
  await expect.poll(() => page.getByText('not proved').count()).toBe(2);
  await inspect(page, 'consent');
  await page.setViewportSize(PHONE);
  await inspect(page, 'consent-phone');
  await page.getByLabel('Engine room').check();
  await press(page, 'Allow');
  const { code, state, iss, platform_team_id: team } = await arrived(page);
  expect({ state, iss, team }).toEqual({ state: '1e5', iss: web.url, team: first });
  expect(await whoIs(code)).toBe(member.id);
  expect(problems).toEqual([]);
});

it('only the requested scopes are shown, for the named team', async () => {
  const { page, problems } = await as(member, authorize({ scope: 'messages:read', team: second }));
  await page.getByText('Read messages, replies and files in the team').waitFor();
  expect(await page.getByText('Edit and delete messages').count()).toBe(0);
  // Each address keeps its order in a sentence from right to left.
  const addresses = ['https://tracker.example/tasks', 'https://tracker.example/wiki'];
  const isolated = addresses.map((address) => `\u2066${address}\u2069`).join(', ');
  await page.getByText(`It hears of links to ${isolated} in messages`).waitFor();
  await expect.poll(() => page.getByLabel('Bakery').isChecked()).toBe(true);
  // Pressed twice, it is allowed once.
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1;
  });
  await page.getByRole('button', { name: 'Allow' }).dblclick();
  expect((await arrived(page)).platform_team_id).toBe(second);
  expect(sent).toBe(1);
  expect(problems).toEqual([]);
});

it('the scopes are those of the chosen team, whichever was named', async () => {
  const admin = await signUp(web.server, 'Admin');
  const old = await makeTeam(admin, [member], 'Harbour');
  const fresh = await makeTeam(admin, [member], 'Garden');
  const late = await register(admin, host);
  await install(admin, old, late);
  await admin.client.patch(`/v1/applications/${late.id}`, { scopes: ['messages:read'] });
  await install(admin, fresh, late);
  const asked = { client_id: late.id, redirect_uri: late.redirectUri, team: old };
  const { page, problems } = await as(member, authorize(asked));
  await page.getByText('Write messages in your name, to your teams').waitFor();
  const reading = page.getByText('Read messages, replies and files in the team');
  expect(await reading.count()).toBe(0);
  await page.getByLabel('Garden').check();
  await reading.waitFor();
  expect(problems).toEqual([]);
});

it('a refusal redirects back with the error', async () => {
  const { page, problems } = await as(member, authorize());
  await press(page, 'Deny');
  expect(await arrived(page)).toMatchObject({ error: 'access_denied', state: '1e5' });
  expect(problems).toEqual([]);
});

it('the user can switch accounts', async () => {
  const { page, problems } = await as(owner, authorize({ team: second }));
  await press(page, 'Use another account');
  await page.getByLabel('Email address').fill(member.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await press(page, 'Sign in');
  await page.getByText('You are signed in as Member Test').waitFor();
  await press(page, 'Allow');
  const { code, state } = await arrived(page);
  expect(state).toBe('1e5');
  expect(await whoIs(code)).toBe(member.id);
  expect(problems).toEqual([]);
});

it.each([
  ['an address that was not registered', { redirect_uri: 'https://evil.example/' }, 'it did not register'],
  ['an application that is unknown', { client_id: 'nobody' }, 'is not known on this server'],
])('%s leads nowhere', async (name, changed, text) => {
  const { page, problems } = await as(member, authorize(changed));
  await page.getByRole('heading', { name: 'Something is wrong with this request' }).waitFor();
  await page.getByText(text).waitFor();
  await inspect(page, `consent-wrong-${name.split(' ')[1]}`);
  expect(page.url()).toContain(`${web.url}/oauth2/authorize?`);
  expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
  expect(problems).toEqual([]);
});

it('a request without PKCE is reported on our page, and to an application that the user knows', async () => {
  const person = await signUp(web.server, 'Person');
  const team = await makeTeam(person);
  await install(person, team, application);
  const asked = await as(person, authorize({ code_challenge: '' }));
  await asked.page.getByText('The application asked in a way').waitFor();
  await asked.page.getByText('code_challenge is missing: PKCE is required').waitFor();
  const wider = await as(person, authorize({ scope: 'messages:read everything' }));
  const registered = 'messages:read messages:write';
  await wider.page
    .getByText(`scope has everything, and the application registered only ${registered}`)
    .waitFor();
  expect(asked.problems).toEqual([]);
  await openForCode(person, team, application);
  const { page } = await as(person, authorize({ code_challenge: '' }));
  expect((await arrived(page)).error).toBe('invalid_request');
});

it('says what to do when no team of one’s own has it', async () => {
  const stranger = await signUp(web.server, 'Stranger');
  const { page, problems } = await as(stranger, authorize());
  await page.getByRole('heading', { name: 'None of your teams has it installed' }).waitFor();
  await inspect(page, 'consent-not-installed');
  expect(problems).toEqual([]);
});

it('opening asks before an application may read, and again when it wants more', async () => {
  // A separate owner, because the other one signs out in another test.
  const developer = await signUp(web.server, 'Developer');
  const team = await makeTeam(developer, [member], 'Workshop');
  const made = await register(developer, host, { name: 'Reader', scopes: ['messages:read'] });
  await install(developer, team, made);
  const path = `/v1/applications/${made.id}/open?team=${team}`;
  const { page, problems } = await as(member, `/teams/${team}/applications`);
  await page.getByRole('link', { name: 'Open Reader' }).waitFor();
  await page.goto(web.url + path);
  await page.getByRole('heading', { name: 'Reader wants to act for you' }).waitFor();
  await page.getByText('Read messages, replies and files in the team').waitFor();
  // Everything that it reads is said, the less obvious things too.
  await page.getByText('how many unread messages you have').waitFor();
  await inspect(page, 'opening');
  await page.setViewportSize(PHONE);
  await inspect(page, 'opening-phone');
  await press(page, 'Allow and open');
  expect(await arrived(page)).toMatchObject({ iss: web.url, platform_team_id: team });
  await developer.client.patch(`/v1/applications/${made.id}`, {
    scopes: ['messages:read', 'direct:read', 'files:write'],
    link_prefixes: ['https://reader.example/', 'https://bank.example/'],
  });
  const admin = await as(developer, `/teams/${team}/applications`);
  await admin.page.getByText('Asks for more').waitFor();
  await inspect(admin.page, 'asks-for-more');
  await admin.page.getByRole('link', { name: 'Reader', exact: true }).click();
  const asking = admin.page.getByText('Reader asks for more than it was granted');
  await asking.waitFor();
  await inspect(admin.page, 'requested-scopes');
  await admin.page.setViewportSize(PHONE);
  await inspect(admin.page, 'requested-scopes-phone');
  await admin.page.getByRole('switch', { name: 'Upload files' }).click();
  await admin.page.getByRole('switch', { name: /links to .*bank\.example/ }).click();
  await press(admin.page, 'Grant what is chosen');
  await admin.page.getByText('Reader may do more now').waitFor();
  await asking.waitFor({ state: 'detached' });
  await admin.page.getByText('https://reader.example/', { exact: true }).waitFor();
  await admin.page.getByRole('button', { name: /^Grant after all: .*bank\.example/ }).waitFor();
  const history = admin.page.getByRole('list', { name: 'What was granted, and when' });
  await history.getByText('Declined').waitFor();
  await inspect(admin.page, 'decided-scopes');
  await page.goto(web.url + path);
  await page.getByText('It asks for more than you agreed to before.').waitFor();
  await page.getByText('Read direct messages and their files').waitFor();
  const before = page.getByRole('heading', { name: 'You agreed to this before' }).locator('..');
  await before.getByText('Read messages, replies and files in the team').waitFor();
  expect(await before.getByText('Read direct messages').count()).toBe(0);
  expect(await page.getByText('Upload files').count()).toBe(0);
  await inspect(page, 'opening-grown');
  await admin.page.getByRole('button', { name: 'Grant after all: Upload files' }).click();
  await admin.page.getByRole('button', { name: 'Take back: Upload files' }).click();
  await history.getByText('Taken back').waitFor();
  await admin.page.getByRole('button', { name: 'Grant after all: Upload files' }).waitFor();
  await page.getByRole('link', { name: 'Not now' }).click();
  await page.waitForURL('**/inbox');
  expect([...problems, ...admin.problems]).toEqual([]);
});

it('shows on the authorize page what is new to somebody who allowed it before, by team', async () => {
  // A separate owner, because the other one signs out in another test.
  const developer = await signUp(web.server, 'Developer');
  const foundry = await makeTeam(developer, [member], 'Foundry');
  const kitchen = await makeTeam(developer, [member], 'Kitchen');
  const growing = await register(developer, host, { name: 'Growing tool', scopes: ['messages:read'] });
  for (const team of [foundry, kitchen]) await install(developer, team, growing);
  const of = { client_id: growing.id, redirect_uri: growing.redirectUri };
  const title = 'Growing tool wants to act for you';
  const allowed = async (page: Page, team: string): Promise<string> => {
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByLabel(team).check();
    await press(page, 'Allow');
    await page.waitForURL(`${growing.redirectUri}*`);
    const form = {
      grant_type: 'authorization_code',
      code: new URL(page.url()).searchParams.get('code') ?? '',
      redirect_uri: growing.redirectUri,
      code_verifier: VERIFIER,
    };
    return (await growing.credentials.ask('POST', '/v1/oauth2/token', { form })).body.scope;
  };
  const before = await as(member, authorize(of));
  expect(await allowed(before.page, 'Foundry')).toBe('messages:read');

  await developer.client.patch(`/v1/applications/${growing.id}`, {
    scopes: ['messages:read', 'files:write'],
  });
  // What no admin has granted yet is not shown, and nothing is new.
  const ungranted = await as(member, authorize({ ...of, team: foundry }));
  const notice = ungranted.page.getByText('It asks for more than you agreed to before. This is new:');
  await ungranted.page.getByRole('heading', { name: title }).waitFor();
  await ungranted.page.getByText('Read messages, replies and files in the team').waitFor();
  expect(await notice.count()).toBe(0);
  for (const team of [foundry, kitchen])
    await developer.client.put(`/v1/teams/${team}/applications/${growing.id}/scopes`, {
      scopes: ['messages:read', 'files:write'],
    });

  const { page, problems } = await as(member, authorize({ ...of, team: foundry }));
  const parts = async () => (await page.locator('h2').allInnerTexts()).slice(0, 2).map((text) => text.trim());
  const listed = (heading: string) =>
    page
      .locator('div')
      .filter({ has: page.locator(':scope > h2', { hasText: heading }) })
      .last()
      .getByRole('listitem')
      .allInnerTexts();
  const grown = page.getByText('It asks for more than you agreed to before. This is new:');
  await grown.waitFor();
  const [added, agreed] = await parts();
  expect(agreed).toBe('You agreed to this before');
  expect(await listed(added ?? '')).toEqual(['Upload files']);
  expect(await listed('You agreed to this before')).toEqual(['Read messages, replies and files in the team']);
  await inspect(page, 'consent-grown');
  await page.setViewportSize(PHONE);
  await inspect(page, 'consent-grown-phone');
  // In the other team nothing was agreed to, so all of it is new, and nothing is told apart.
  await page.getByLabel('Kitchen').check();
  await grown.waitFor({ state: 'detached' });
  expect(await page.getByText('You agreed to this before').count()).toBe(0);
  expect(await listed(added ?? '')).toHaveLength(2);
  await page.getByLabel('Foundry').check();
  await grown.waitFor();
  expect(await allowed(page, 'Foundry')).toBe('messages:read files:write');

  const again = await as(member, authorize({ ...of, team: foundry }));
  await again.page.getByRole('heading', { name: title }).waitFor();
  await again.page.getByText('Upload files').waitFor();
  expect(await again.page.getByText('It asks for more than you agreed').count()).toBe(0);
  expect([...problems, ...again.problems, ...before.problems, ...ungranted.problems]).toEqual([]);
});

it('a link from elsewhere asks before it opens an application', async () => {
  const developer = await signUp(web.server, 'Developer');
  const team = await makeTeam(developer, [member], 'Workshop');
  const made = await register(developer, host, { name: 'Plain' });
  await install(developer, team, made);
  const { page, problems } = await as(member, `/applications/${made.id}/open?team=${team}`);
  await page.getByRole('heading', { name: 'Open Plain?' }).waitFor();
  await inspect(page, 'opening-from-elsewhere');
  await press(page, 'Open');
  expect((await arrived(page)).code).toBeTruthy();
  expect(problems).toEqual([]);
});

it('a program on this device gets its answer, on its own port or by its own scheme', async () => {
  const loopback = await new ApplicationHost().start();
  const scheme = 'com.example.editor:/callback';
  // A separate owner, because the other one signs out in another test.
  const developer = await signUp(web.server, 'Developer');
  const team = await makeTeam(developer, [member], 'Studio');
  const editor = await register(developer, host, {
    name: 'Editor',
    redirect_uris: ['http://127.0.0.1/callback', scheme],
  });
  await install(developer, team, editor);
  const ask = (redirect_uri: string) => as(member, authorize({ client_id: editor.id, redirect_uri }));
  const own = await ask(`${loopback.url}/callback`);
  await own.page.getByText(`it goes on in Editor on this device (${new URL(loopback.url).host})`).waitFor();
  await press(own.page, 'Allow');
  await own.page.waitForURL(`${loopback.url}/callback?code=*`);
  expect(own.problems).toEqual([]);

  const { page, problems } = await ask(scheme);
  await page.getByText('it goes on in Editor on this device (com.example.editor)').waitFor();
  await inspect(page, 'consent-native');
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.enable');
  const left = new Promise<string>((resolve) =>
    browser.on('Page.frameRequestedNavigation', ({ url }) => resolve(url)),
  );
  await press(page, 'Allow');
  const sent = new URL(await left);
  expect([sent.protocol, sent.pathname]).toEqual(['com.example.editor:', '/callback']);
  expect(Object.fromEntries(sent.searchParams)).toMatchObject({ state: '1e5', iss: web.url });
  await page.getByText('Go on in Editor. If nothing happens there, start again in it.').waitFor();
  expect(problems).toEqual([]);
  await loopback.stop();
});
