import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  ApplicationHost,
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { answerFirst, inspect, intercept, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

/** The time limit for events without user action. */
const WITHIN = { timeout: 15_000 };

let web: Web;

beforeAll(async () => {
  web = await startWeb();
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const write = (person: Person, team: string, text: string) =>
  person.client.post('/v1/messages', { addressed_teams: [team], text });

it('two people see each other write, answer, agree, edit and delete at once', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Bakery');
  const { page: a, problems } = await visit(ada, `/teams/${team}`);
  await a.getByRole('heading', { name: 'It begins here' }).waitFor();
  await a.getByRole('link', { name: 'Invite people' }).waitFor();
  await inspect(a, 'members-team-empty');
  const { page: b, problems: others } = await visit(ben, `/teams/${team}`);
  await b.getByRole('heading', { name: 'It begins here' }).waitFor();
  expect(await b.getByRole('list', { name: 'First steps' }).count()).toBe(0);

  const field = a.getByRole('textbox', { name: 'Write to Bakery' });
  await field.fill('Good **morning**,\nsee https://example.org/bread.');
  await field.press('Enter');
  const atBen = b.getByRole('article', { name: 'Ada Test' });
  await atBen.getByText('morning').waitFor();
  await expect
    .poll(() => atBen.getByRole('link').last().getAttribute('href'))
    .toBe('https://example.org/bread');
  await expect.poll(() => field.inputValue()).toBe('');
  await a.getByText('Sending…').waitFor({ state: 'detached' });
  await expect.poll(() => a.getByRole('article').count()).toBe(1);

  await atBen.hover();
  await atBen.getByRole('button', { name: 'High five' }).click();
  await a.getByRole('button', { name: '1 high five' }).waitFor();
  await atBen.getByRole('button', { name: 'Reply' }).click();
  const answer = b.getByRole('textbox', { name: 'Write a reply' });
  await answer.fill('Good morning, Ada');
  await answer.press('Enter');
  await a.getByRole('button', { name: '1 reply new' }).click();
  const panel = a.getByRole('region', { name: 'Conversation' });
  await panel.getByText('Good morning, Ada').waitFor();
  await a.getByRole('button', { name: '1 reply new' }).waitFor({ state: 'detached' });
  await inspect(a, 'members-team');
  await a.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });

  const own = a.getByRole('article', { name: 'Ada Test' });
  await own.hover();
  await own.getByRole('button', { name: 'More actions' }).click();
  await a.getByRole('menuitem', { name: 'Edit' }).waitFor();
  await inspect(a, 'members-menu');
  await a.getByRole('menuitem', { name: 'Edit' }).click();
  await a.getByRole('textbox', { name: 'Edit the message' }).fill('Good evening');
  await a.keyboard.press('Enter');
  await atBen.first().getByText('Good evening').waitFor();
  await atBen.first().getByRole('button', { name: '(edited)' }).click();
  await b.getByRole('dialog').getByText('morning').waitFor();
  await inspect(b, 'members-history');
  await b.keyboard.press('Escape');

  await own.hover();
  await own.getByRole('button', { name: 'More actions' }).click();
  await a.getByRole('menuitem', { name: 'Delete' }).click();
  await a.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await b.getByText('This message was deleted.').first().waitFor();
  expect([...problems, ...others]).toEqual([]);
});

it('a stream opens at the first unread message, and reading it in one window shows in the other', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Mill');
  for (let count = 1; count <= 30; count += 1) await write(ada, team, `Old ${count}`);
  await ben.client.put('/v1/users/me/read');
  const read = await ben.client.get(`/v1/messages?team=${team}&limit=1`);
  await ben.client.put(`/v1/teams/${team}/read`, { up_to: read.data[0].id });
  for (let count = 1; count <= 3; count += 1) await write(ada, team, `Fresh ${count}`);
  const { page, context, problems } = await visit(ben, '/inbox');
  const other = await context.newPage();
  await page.getByText('Fresh 3').waitFor();
  await page.getByText('3 new messages in Mill').waitFor();
  await expect.poll(() => page.title()).toBe('• Inbox · Parley');
  await inspect(page, 'members-inbox');
  await other.goto(`/teams/${team}`);
  await other.getByText('New', { exact: true }).waitFor();
  await inspect(other, 'members-new-line');
  await expect.poll(() => page.title(), { timeout: 10_000 }).toBe('Inbox · Parley');
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor();
  expect(problems).toEqual([]);
});

it('no event is lost while one window hands the live stream to another', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Relay');
  await write(ada, team, 'Heard by both');
  const { page, context } = await visit(ben, `/teams/${team}`);
  await page.getByRole('article').getByText('Heard by both').waitFor();
  const other = await context.newPage();
  await other.goto(`/teams/${team}`);
  await other.getByRole('article').getByText('Heard by both').waitFor();
  await write(ada, team, 'By the stream of the first');
  await other.getByRole('article').getByText('By the stream of the first').waitFor();
  await intercept(context, '**/v1/events', async (route) => {
    await write(ada, team, 'While nobody listens');
    await route.continue();
  });
  await page.close();
  const late = other.getByRole('article').getByText('While nobody listens');
  await late.waitFor();
  expect(await late.count()).toBe(1);
});

it('what one reads while nobody listens hides nothing that is read elsewhere later', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Baton');
  await write(ada, team, 'Before the change');
  const { page, context } = await visit(ben, '/inbox');
  const row = (where: Page) => where.getByText(/new messages? in Baton/);
  await row(page).waitFor();
  const other = await context.newPage();
  await other.goto('/inbox');
  await row(other).waitFor();
  // The window that takes over marks the team as read before its stream is open: it misses the event of that.
  const read = other.waitForResponse((answer) => answer.url().endsWith(`/v1/teams/${team}/read`));
  await intercept(context, '**/v1/events', async (route) => {
    await read;
    await route.continue();
  });
  const begun = other.waitForRequest('**/v1/events');
  await page.close();
  await begun;
  await other.getByRole('button', { name: 'Mark Baton as read' }).click();
  await row(other).waitFor({ state: 'detached' });
  await read;

  const { data } = await write(ada, team, 'After it');
  await row(other).waitFor();
  await ben.client.put(`/v1/teams/${team}/read`, { up_to: data[0].id });
  await row(other).waitFor({ state: 'detached' });
  expect(await row(other).count()).toBe(0);
});

it('a window hears of what is said while the browser lets the one sleep that holds the stream', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Siesta');
  const { page, context, problems } = await visit(ben, '/healthz');
  // Asleep, it keeps its lock and answers nobody.
  await page.evaluate(
    () =>
      new Promise<void>(
        (held) => void navigator.locks.request('parley.live', () => new Promise(() => held())),
      ),
  );
  const other = await context.newPage();
  await other.goto(`/teams/${team}`);
  await write(ada, team, 'Anybody awake?');
  await other.getByRole('article').getByText('Anybody awake?').waitFor();
  await write(ada, team, 'Good');
  await other.getByRole('article').getByText('Good').waitFor();
  await page.close();
  await write(ada, team, 'Now by its own lock');
  const last = other.getByRole('article').getByText('Now by its own lock');
  await last.waitFor();
  expect(await last.count()).toBe(1);
  expect(problems).toEqual([]);
});

it('messages and changes during the loading of a list are in it', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Ferry');
  const first = (await write(ada, team, 'Casting off')).data[0].id;
  const { page, problems } = await visit(ben, '/inbox');
  await page.getByRole('article').getByText('Casting off').waitFor();
  // A message that comes before the stream is open is read later, and not said.
  const members = async () => (await ada.client.get(`/v1/teams/${team}/users`)).data;
  await expect
    .poll(async () => (await members()).find(({ userid }) => userid === ben.id)?.user.online)
    .toBe(true);
  const said = page.getByRole('log');
  await write(ada, team, 'All aboard?');
  await said.getByText('All aboard?').waitFor();
  await answerFirst(page, 'GET', `**/v1/messages?team=${team}*`, async (route) => {
    const response = await route.fetch();
    await ada.client.patch(`/v1/messages/${first}`, { text: 'Cast off' });
    await write(ada, team, 'Ahoy');
    await said.getByText('Ahoy').waitFor();
    await route.fulfill({ response });
  });
  await page.getByRole('link', { name: 'Ferry' }).first().click();
  const stream = page.getByRole('feed', { name: /Ferry/ });
  await stream.getByText('All aboard?').waitFor();
  await expect.poll(() => stream.getByRole('article').count()).toBe(3);
  await stream.getByText('Ahoy').waitFor();
  await stream.getByText('Cast off').waitFor();
  expect(problems).toEqual([]);
});

it('switching quickly between teams marks the seen messages of each as read', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const [first, second] = [await makeTeam(ada, [ben], 'Attic'), await makeTeam(ada, [ben], 'Barn')];
  await write(ada, first, 'Up here');
  await write(ada, second, 'Down there');
  const { page, problems } = await visit(ben, `/teams/${first}`);
  await page.getByRole('article').getByText('Up here').waitFor();
  await page.getByRole('link', { name: 'Barn' }).first().click();
  await page.getByRole('article').getByText('Down there').waitFor();
  const unread = async () => (await ben.client.get('/v1/users/me')).data[0].unread_counts.user.total;
  await expect.poll(unread).toBe(0);
  expect(problems).toEqual([]);
});

it('a reply that is marked as unread stays so while one looks on, until one comes back to it', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const first = await makeTeam(ada, [ben], 'Cave');
  await makeTeam(ada, [ben], 'Dune');
  const root = (await write(ada, first, 'Who is there?')).data[0].id;
  const answer = (text: string) => ada.client.post(`/v1/messages/${root}/replies`, { text });
  const reply = (await answer('An echo')).data[0].id;
  await answer('A bat');
  await ben.client.put(`/v1/messages/${root}/read`);
  const isRead = async () => (await ben.client.get(`/v1/messages/${reply}`)).data[0].read;
  const { page, problems } = await visit(ben, `/teams/${first}?open=${root}`);
  const panel = page.getByRole('region', { name: 'Conversation' });
  await panel.getByRole('article').filter({ hasText: 'An echo' }).focus();
  await page.keyboard.press('u');
  await expect.poll(isRead).toBe(false);
  // It is shown only after everything that its coming brings about was asked for.
  await answer('A bear');
  await panel.getByText('A bear').waitFor();
  await panel.getByRole('article').filter({ hasText: 'A bear' }).focus();
  await page.keyboard.press('h');
  await panel.getByRole('button', { name: '1 high five' }).waitFor();
  expect(await isRead()).toBe(false);
  await page.getByRole('link', { name: 'Dune' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Dune' }).waitFor();
  await page.getByRole('link', { name: 'Cave' }).first().click();
  await page.getByRole('button', { name: '3 replies new' }).click();
  await expect.poll(isRead).toBe(true);
  expect(problems).toEqual([]);
});

it('on a phone one list or one conversation is shown at a time', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Oven');
  await write(ada, team, 'Is it hot?');
  const { page, problems } = await visit(ben, `/teams/${team}`, {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  await page.getByText('Is it hot?').waitFor();
  await inspect(page, 'members-phone-team');
  await page.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Reply' }).tap();
  await page.getByRole('textbox', { name: 'Write a reply' }).fill('Very');
  await page.getByRole('button', { name: 'Send' }).last().tap();
  await page.getByRole('region', { name: 'Conversation' }).getByText('Very').waitFor();
  await inspect(page, 'members-phone-conversation');
  await page.goBack();
  await page.getByRole('button', { name: '1 reply' }).waitFor();
  expect(problems).toEqual([]);
});

/** Whether all of it is above the field to write in. */
async function isInView(locator: Locator): Promise<boolean> {
  const [box, field] = await Promise.all([
    locator.boundingBox(),
    locator.page().getByRole('textbox').last().boundingBox(),
  ]);
  return box !== null && field !== null && box.y > 0 && box.y + box.height <= field.y;
}

async function ownToken(application: RegisteredApplication, team: string) {
  const form = { grant_type: 'client_credentials', team };
  const { body } = await application.credentials.ask('POST', '/v1/oauth2/token', { form });
  return web.server.anonymous().withToken(body.access_token);
}

it('two people see at once what an application shows of a link, and one removes it for good', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Fences');
  const host = await new ApplicationHost().start();
  onTestFinished(() => host.stop());
  const application = await register(ada, host, {
    name: 'Task tracker',
    icon: '🪣',
    scopes: ['messages:read', 'messages:write'],
    link_prefixes: ['https://tasks.example/'],
  });
  await install(ada, team, application);
  const bot = await ownToken(application, team);
  const [first, second] = ['https://tasks.example/7', 'https://tasks.example/8'];
  for (let count = 1; count <= 12; count++) await write(ada, team, `Fence no. ${count}.`);
  const newest = (await ben.client.get(`/v1/messages?team=${team}&limit=1`)).data[0];
  await ben.client.put(`/v1/teams/${team}/read`, { up_to: newest.id });
  const { page: a, problems } = await visit(ada, `/teams/${team}`);
  const { page: b, problems: others } = await visit(ben, `/teams/${team}`, {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  for (const page of [a, b]) await page.getByText('Fence no. 12.').waitFor();
  const { data } = await ben.client.post('/v1/messages', {
    addressed_teams: [team],
    text: `Who takes ${first}? And ${second}?`,
  });
  const path = `/v1/messages/${data[0].id}/unfurls`;
  const articles = [a, b].map((page) => page.getByRole('article').filter({ hasText: 'Who takes' }));
  for (const article of articles) await article.waitFor();

  const fields = [
    { name: 'State', value: 'open' },
    { name: 'Due', value: 'on Friday' },
  ];
  const text = 'Red, two coats. <b>Not</b> in the rain, and not before the grass is cut on both sides of it.';
  const plain = (said: string) => ({ type: 'plain_text', text: said });
  const lawn = [
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*Every* second week' },
      fields: [plain('State: open'), plain('Due: on Monday')],
    },
    { type: 'actions', elements: [{ type: 'button', text: plain('Take it'), url: `${second}/take` }] },
  ];
  await bot.put(path, {
    unfurls: [
      { url: first, title: 'Paint the fence', text, fields },
      { url: second, title: 'Mow the lawn', blocks: lawn },
    ],
  });
  for (const article of articles) {
    const link = article.getByRole('link', { name: 'Paint the fence' });
    await link.waitFor();
    await expect.poll(() => link.getAttribute('href')).toBe(first);
    await expect.poll(() => link.getAttribute('rel')).toBe('noopener noreferrer');
    await article.getByText(text).waitFor();
    await article.getByText('From the application').first().waitFor();
    await article.getByText('Every second week').waitFor();
    await expect
      .poll(() => article.getByRole('link', { name: /^Take it/ }).getAttribute('href'))
      .toBe(`${second}/take`);
    await expect
      .poll(() => article.getByRole('list', { name: 'Previews' }).getByText('Task tracker').count())
      .toBe(2);
    // The end stays in view when it grows.
    await expect.poll(() => isInView(link)).toBe(true);
  }
  await inspect(a, 'members-previews');
  await inspect(b, 'members-previews-phone');

  // A title of piled-up accents covers nothing of the messages above.
  const above = b.getByRole('article').filter({ hasText: 'Fence no. 11.' });
  const titled = async (title: string) => {
    await bot.put(path, { unfurls: [{ url: first, title }] });
    await b.getByRole('link', { name: title }).waitFor();
    return (await above.screenshot()).toString('base64');
  };
  expect((await titled(`Z\u0323${'\u0301'.repeat(198)}`)) === (await titled('Zed'))).toBe(true);

  // A preview that changes, and one that its application takes away.
  await bot.put(path, {
    unfurls: [
      { url: first, title: 'Paint the gate' },
      { url: second, title: 'Mow' },
    ],
  });
  for (const article of articles) await article.getByRole('link', { name: 'Paint the gate' }).waitFor();
  const [atAda, atBen] = articles as [Locator, Locator];
  await atBen.getByRole('button', { name: 'Remove the preview “Paint the gate”' }).tap();
  await b.getByRole('alertdialog').getByText('Remove this preview?').waitFor();
  await inspect(b, 'members-previews-remove');
  await b.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).tap();
  for (const article of articles)
    await article.getByRole('link', { name: 'Paint the gate' }).waitFor({ state: 'detached' });
  await atBen.getByRole('link', { name: first }).waitFor();
  await bot.put(path, {
    unfurls: [
      { url: first, title: 'Back' },
      { url: second, title: 'Mow it' },
    ],
  });
  for (const article of articles) await article.getByRole('link', { name: 'Mow it' }).waitFor();
  expect(await atAda.getByRole('link', { name: 'Back' }).count()).toBe(0);

  // An admin may, too; at what others wrote a member may not.
  await atAda.getByRole('button', { name: 'Remove the preview “Mow it”' }).focus();
  await a.keyboard.press('Enter');
  await a.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  for (const article of articles)
    await article.getByRole('list', { name: 'Previews' }).waitFor({ state: 'detached' });
  await a.getByRole('alertdialog').waitFor({ state: 'detached' });
  await a.getByRole('textbox', { name: 'Write to Fences' }).click();
  const own = (await ada.client.post('/v1/messages', { addressed_teams: [team], text: `Mine is ${first}` }))
    .data[0];
  await bot.put(`/v1/messages/${own.id}/unfurls`, { unfurls: [{ url: first, title: 'Another' }] });
  const atBenToo = b.getByRole('article').filter({ hasText: 'Mine is' });
  await atBenToo.getByRole('link', { name: 'Another' }).waitFor();
  expect(await atBenToo.getByRole('button', { name: /Remove the preview/ }).count()).toBe(0);

  // None of an application that was uninstalled.
  await ada.client.delete(`/v1/teams/${team}/applications/${application.id}`);
  for (const page of [a, b])
    await page.getByRole('list', { name: 'Previews' }).first().waitFor({ state: 'detached' });
  expect([...problems, ...others]).toEqual([]);
}, 120_000);

it('an application’s own attachment format breaks nothing, and is not shown as a file', async () => {
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Forms');
  const url = 'https://example.org/form';
  const { status } = await ada.client.ask('POST', '/v1/messages', {
    json: {
      addressed_teams: [team],
      text: 'Filled in',
      attachments: [
        { type: 'link', url },
        { type: 'application/pdf', id: team, name: 'bill.pdf', size: 1, url, thumbnail_url: null },
        { type: 'form', url, name: { en: 'A form' } },
        'form',
      ],
    },
  });
  expect(status).toBe(200);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const article = page.getByRole('article').filter({ hasText: 'Filled in' });
  await article.getByRole('link', { name: url }).waitFor();
  // The author's name, and the link.
  await expect.poll(() => article.getByRole('link').count()).toBe(2);
  expect(problems).toEqual([]);
});

it('two people write to each other in one conversation, from a name, with Ctrl-K and from the navigation', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const cleo = await signUp(web.server, 'Cleo');
  const team = await makeTeam(ada, [ben, cleo], 'Direct');
  await write(ben, team, 'Hello everyone');
  const { page: a, problems } = await visit(ada, `/teams/${team}`);
  const { page: b, problems: others } = await visit(ben, '/direct');
  await b.getByText('No direct messages yet').waitFor();
  await inspect(b, 'direct-empty');

  // A name leads to the profile, and that to the conversation.
  await a.getByRole('article').getByRole('link', { name: 'Ben Test' }).click();
  await a.getByRole('link', { name: 'Write to Ben' }).click();
  await a.getByText('This is where your conversation with Ben Test begins.').waitFor();
  await inspect(a, 'direct-begins');
  const fieldOfAda = a.getByRole('textbox', { name: 'Write to Ben Test' });
  await fieldOfAda.fill('Are you there?');

  // What was begun is listed among the drafts, and leads back to its place.
  await a.getByRole('navigation', { name: 'Parley' }).getByRole('link', { name: 'Drafts 1 draft' }).click();
  await a.getByRole('link', { name: 'Ben Test Are you there?' }).waitFor();
  await inspect(a, 'drafts');
  // It is discarded there, and brought back.
  const discardDraft = a.getByRole('button', { name: 'Discard the draft: Ben Test' });
  const undo = a.getByRole('status').getByRole('button', { name: 'Undo' });
  await discardDraft.press('Enter');
  await a.getByText('No drafts').waitFor();
  await a.getByRole('link', { name: 'Drafts', exact: true }).waitFor();
  await undo.press('Enter');
  await a.getByRole('link', { name: 'Ben Test Are you there?' }).click();
  expect(await fieldOfAda.inputValue()).toBe('Are you there?');
  await fieldOfAda.press('Enter');
  await a.getByRole('article').getByText('Are you there?').waitFor();
  await a.getByRole('link', { name: 'Drafts', exact: true }).waitFor();

  // It arrives in the list and in the navigation, and is read by opening it.
  const places = b.getByRole('navigation', { name: 'Parley' });
  await places.getByRole('link', { name: /^Ada Test/ }).waitFor();
  await b.getByRole('main').getByText('Are you there?').waitFor();
  await inspect(b, 'direct-list');
  await b
    .getByRole('main')
    .getByRole('link', { name: /Ada Test/ })
    .click();
  await b.getByRole('article').getByText('Are you there?').waitFor();
  await expect
    .poll(async () => (await ben.client.get('/v1/users/me')).data[0].unread_counts.user.direct, WITHIN)
    .toBe(0);
  const fieldOfBen = b.getByRole('textbox', { name: 'Write to Ada Test' });
  for (const text of ['Yes', 'All day']) {
    await fieldOfBen.fill(text);
    await b.keyboard.press('Enter');
  }
  for (const text of ['Are you there?', 'Yes', 'All day'])
    await a.getByRole('article').getByText(text, { exact: true }).waitFor();
  await inspect(a, 'direct-stream');

  // An answer to one message opens beside the conversation, and is news until it is read.
  await b.goto('/search');
  const { data } = await ada.client.get(`/v1/messages?with=${ben.id}&order=oldest&limit=1`);
  await ada.client.post(`/v1/messages/${data[0].id}/replies`, { text: 'Good' });
  await places.getByRole('link', { name: /Ada Test.*1/ }).click();
  await b.getByRole('button', { name: '1 reply new' }).click();
  await b.getByRole('article').getByText('Good', { exact: true }).waitFor();
  await places.getByRole('link', { name: 'Ada Test', exact: true }).waitFor();

  // A group is another conversation; Ctrl-K leads to a person.
  await a.goto('/compose');
  const to = a.getByRole('combobox', { name: 'To' });
  for (const name of ['Ben', 'Cleo']) {
    await to.fill(name);
    await a.getByRole('option', { name: new RegExp(`^${name} Test`) }).click();
  }
  await a.getByRole('textbox', { name: 'Message' }).fill('Lunch, all of us?');
  await a.keyboard.press('Enter');
  await a.waitForURL(/\/direct\/.*(,|%2C)/);
  await a.getByRole('article').getByText('Lunch, all of us?').waitFor();
  await a.keyboard.press('Control+k');
  await a.getByRole('combobox', { name: 'Jump to…' }).fill('Cleo');
  await a.getByRole('option', { name: /^Cleo Test/ }).click();
  await a.getByText('This is where your conversation with Cleo Test begins.').waitFor();

  // Who has left stays in the history; the others can still be written to.
  await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
  await a.goto(`/direct/${ben.id}`);
  await a.getByText(/^Ben Test has left/).waitFor();
  await a.getByRole('article').getByText('All day', { exact: true }).waitFor();
  await inspect(a, 'direct-unreachable');
  await a.setViewportSize(PHONE);
  await a.goto('/direct');
  await a.getByRole('main').getByText('You: Lunch, all of us?').waitFor();
  await inspect(a, 'direct-list-phone');
  expect([...problems, ...others]).toEqual([]);
});

it('a person’s new name is shown at once wherever the old one stood', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Names');
  await ada.client.post('/v1/messages', { text: 'Between us', addressed_users: [ben.id] });
  await ada.client.post('/v1/messages', { text: 'For all', addressed_teams: [team] });
  const { page: members, context, problems } = await visit(ben, `/teams/${team}/members`);
  const pages = [members];
  for (const path of ['/inbox', '/direct', `/direct/${ada.id}`, '/search?q=all']) {
    const page = await context.newPage();
    await page.goto(path);
    pages.push(page);
  }
  for (const page of pages) await page.getByRole('main').getByText('Ada Test').first().waitFor();
  await ada.client.patch('/v1/users/me', { first_name: 'Augusta' });
  for (const page of pages) {
    await expect.poll(() => page.locator('body').innerText()).toContain('Augusta Test');
    await expect.poll(() => page.locator('body').innerText()).not.toContain('Ada Test');
  }
  await expect.poll(() => pages[3]?.title()).toContain('Augusta Test');
  expect(problems).toEqual([]);
});

it('what happens while a window is opened is shown in it, although its answers are older', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Late');
  await ada.client.post('/v1/messages', { text: 'Between us', addressed_users: [ben.id] });
  await ada.client.post('/v1/messages', { text: 'For all', addressed_teams: [team] });
  const { page: members, context, problems } = await visit(ben, `/teams/${team}/members`);
  await members.getByRole('main').getByText('Ada Test').waitFor();
  const page = await context.newPage();
  const { promise: changed, resolve: release } = Promise.withResolvers<void>();
  // The head of the page has the browser read them, long before the code is there.
  const read = new Set<string>();
  page.on('requestfinished', (request) => read.add(new URL(request.url()).pathname));
  await intercept(page, /\/assets\/.*\.js$/, async (route) => {
    await changed;
    await route.continue();
  });
  await page.goto(`/teams/${team}`, { waitUntil: 'commit' });
  const READ = ['/v1/messages', '/v1/users/me/conversations'];
  await expect.poll(() => READ.filter((one) => read.has(one))).toEqual(READ);
  await ada.client.patch('/v1/users/me', { first_name: 'Augusta' });
  await ada.client.post('/v1/messages', { text: 'And for all who come', addressed_teams: [team] });
  await members.getByRole('main').getByText('Augusta Test').waitFor();
  release();
  await page.getByRole('article').getByText('And for all who come').waitFor();
  await expect.poll(() => page.locator('body').innerText()).not.toContain('Ada Test');
  await page.getByRole('navigation', { name: 'Parley' }).getByText('Augusta Test').waitFor();
  expect(problems).toEqual([]);
});

it('what is new after a lost connection is shown: no answer is held ready for it from the time of the return', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  await makeTeam(ada, [ben], 'Ridge');
  const other = await makeTeam(ada, [], 'Saddle');
  const { page, context, problems } = await visit(ben, '/inbox');
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor();
  // The window asks for the page, to learn whether there is a newer version.
  const looked = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/');
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await context.setOffline(false);
  await (await looked).finished();
  await page.waitForLoadState('networkidle');
  await ada.client.post(`/v1/teams/${other}/invitations`, { users: [ben.id] });
  await page.getByText('Ada Test invites you').waitFor();
  expect(problems).toEqual([]);
});

it('who joined, and how one is called now, is shown after a time without a connection', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const cleo = await signUp(web.server, 'Cleo');
  const team = await makeTeam(ada, [ben], 'Ravine');
  const [{ username }] = (await ada.client.get('/v1/users/me')).data;
  await write(ben, team, `Ask @${username}`);
  const { page, context, problems } = await visit(ben, `/teams/${team}`);
  await page.getByRole('article').getByText('@Ada Test').waitFor();
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await join(ada, team, cleo);
  await ada.client.patch('/v1/users/me', { first_name: 'Augusta' });
  await context.setOffline(false);
  await page.getByText('Cleo Test joined').waitFor();
  await page.getByRole('article').getByText('@Augusta Test').waitFor();
  expect(problems).toEqual([]);
});

it('a message that was changed without a connection is shown as it is, also far from the end', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Gorge');
  const ids: string[] = [];
  for (let count = 1; count <= 300; count += 1)
    ids.push((await write(ada, team, `Step ${count}.`)).data[0].id);
  const { page, context, problems } = await visit(ben, `/teams/${team}?at=${ids[9]}`);
  const stream = page.getByRole('feed', { name: /Gorge/ });
  await stream.getByText('Step 10.').waitFor();
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await ada.client.patch(`/v1/messages/${ids[8]}`, { text: 'A step back' });
  await ada.client.delete(`/v1/messages/${ids[9]}`);
  await context.setOffline(false);
  await stream.getByText('A step back').waitFor();
  await stream.getByText('This message was deleted.').waitFor();
  expect(problems).toEqual([]);
});

it('a view of the past stays where it is when its height changes while more is read below it', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Ledge');
  const ids: string[] = [];
  for (let count = 1; count <= 60; count += 1)
    ids.push((await write(ada, team, `Step ${count}.`)).data[0].id);
  const { page, problems } = await visit(ben, `/teams/${team}?at=${ids[9]}`);
  await page.getByRole('feed').getByText('Step 10.').waitFor();
  const moved = await page.evaluate<number>(`(async () => {
    const feed = document.querySelector('[data-feed]');
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await frame();
    const top = feed.scrollTop;
    feed.style.maxHeight = feed.clientHeight - 44 + 'px';
    feed.firstElementChild.style.paddingBottom = '4000px';
    await frame();
    return feed.scrollTop - top;
  })()`);
  expect(moved).toBe(44);
  expect(problems).toEqual([]);
});

it('what is said while a window learns that a team was read elsewhere is new in it', async () => {
  const ada = await signUp(web.server, 'Ada');
  const ben = await signUp(web.server, 'Ben');
  const [team, other] = [await makeTeam(ada, [ben], 'Delta'), await makeTeam(ada, [ben], 'Elm')];
  const [{ id: first }] = (await write(ada, team, 'Read on the phone')).data;
  await write(ada, other, 'A place to look at');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  await page.getByRole('article').getByText('Read on the phone').waitFor();
  await ben.client.put('/v1/users/me/read');
  await page.getByRole('link', { name: 'Elm' }).first().click();
  await page.getByRole('article').getByText('A place to look at').waitFor();
  await page.waitForLoadState('networkidle');
  const said = page.getByRole('log');
  await answerFirst(page, 'GET', '**/v1/users/me/teams', async (route) => {
    const response = await route.fetch();
    await write(ada, team, 'Not read yet');
    await said.getByText('Not read yet').waitFor();
    await route.fulfill({ response });
  });
  await ben.client.put(`/v1/teams/${team}/read`, { up_to: first });
  await said.getByText('Not read yet').waitFor();
  const unread = async () => (await ben.client.get('/v1/users/me')).data[0].unread_counts.user.total;
  await expect.poll(unread).toBe(1);
  await page.getByRole('link', { name: 'Delta' }).first().click();
  await page.getByRole('article').getByText('Not read yet').waitFor();
  await expect.poll(unread).toBe(0);
  expect(problems).toEqual([]);
});

it('an open conversation says so at once when a message would not arrive any more, or would again', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Passing');
  await ada.client.post('/v1/messages', { text: 'Between us', addressed_users: [ben.id] });
  const { page: a, problems } = await visit(ada, `/direct/${ben.id}`);
  const { page: b, problems: others } = await visit(ben, `/direct/${ada.id}`);
  for (const page of [a, b]) await page.getByRole('textbox', { name: /^Write to/ }).waitFor();
  await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
  for (const page of [a, b]) await page.getByText('a message here would not arrive').waitFor();
  await join(ada, team, ben);
  for (const page of [a, b])
    await page.getByText('a message here would not arrive').waitFor({ state: 'detached' });
  await a.getByRole('textbox', { name: /^Write to/ }).waitFor();
  expect([...problems, ...others]).toEqual([]);
});

it('a deleted reply on which nothing hangs leaves no trace', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Traces');
  const root = (await write(ada, team, 'Who is in?')).data[0].id;
  const answer = async (person: Person, text: string) =>
    (await person.client.post(`/v1/messages/${root}/replies`, { text })).data[0].id;
  await answer(ada, 'Me');
  const gone = await answer(ben, 'Oops');
  await answer(ben, 'I am');
  const liked = await answer(ben, 'Liked');
  await ada.client.put(`/v1/messages/${liked}/high_five`);
  const { page, problems } = await visit(ada, `/teams/${team}?open=${root}`);
  const panel = page.getByRole('region', { name: 'Conversation' });
  await panel.getByText('Liked').waitFor();
  await panel.locator(`[data-message="${gone}"]`).focus();
  await ben.client.delete(`/v1/messages/${gone}`);
  await panel.getByText('Oops').waitFor({ state: 'detached' });
  expect(await panel.getByText('This message was deleted.').count()).toBe(0);
  // The next answer has the name of its author, and the focus.
  const next = panel.getByRole('article').filter({ hasText: 'I am' });
  await next.getByRole('link', { name: 'Ben Test' }).waitFor();
  await next.and(page.locator(':focus')).waitFor();
  await ben.client.delete(`/v1/messages/${liked}`);
  await panel.getByText('This message was deleted.').waitFor();
  expect(problems).toEqual([]);
});
