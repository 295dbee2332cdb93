import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Mailbox, mailsGo } from '../support/mailbox.ts';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  type Person,
  register,
  signUp,
} from '../support/people.ts';
import { answerFirst, inspect, intercept, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

let web: Web;
const mailbox = new Mailbox();

beforeAll(async () => {
  await mailbox.start();
  web = await startWeb({ SMTP_URL: mailbox.url, MAIL_FROM: 'Parley <parley@example.org>' });
  await signUp(web.server, 'Root');
});

afterAll(async () => {
  await web?.stop();
  await mailbox.stop();
});

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

it('an @ and the beginning of a name mentions a person, who sees it and gets the mail', async () => {
  const [ada, ben, bea] = await Promise.all(['Ada', 'Ben', 'Bea'].map((name) => signUp(web.server, name)));
  if (!ada || !ben || !bea) throw new Error('nobody signed up');
  await ben.client.patch('/v1/users/me', { username: 'ben.k', prefs: { email_on_team_message: false } });
  await bea.client.patch('/v1/users/me', {
    username: 'bea',
    title: 'Baker',
    prefs: { email_on_team_message: false },
  });
  const team = await makeTeam(ada, [ben, bea], 'Bakery');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const { page: other, problems: others } = await visit(ben, `/teams/${team}`);
  await other.getByRole('heading', { name: 'It begins here' }).waitFor();
  const field = page.getByRole('textbox', { name: 'Write to Bakery' });
  await field.pressSequentially('Ask @be');
  await page
    .getByRole('option', { name: 'Bea Test @bea Baker' })
    .and(page.locator('[aria-selected="true"]'))
    .waitFor();
  await inspect(page, 'members-mention-list');
  await field.press('ArrowDown');
  await page
    .getByRole('option', { name: 'Ben Test @ben.k' })
    .and(page.locator('[aria-selected="true"]'))
    .waitFor();
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Ask @ben.k ');
  await field.pressSequentially('or @Bea. Not @types or a@ben.k');
  await field.press('Enter');

  // Once it is sent, another element stands in its place, which the pointer has yet to reach.
  const article = page.locator('article[data-message]', { hasText: 'Not @types or a@ben.k' });
  await article.getByRole('link', { name: '@Ben Test' }).waitFor();
  await article.getByRole('link', { name: '@Bea Test' }).hover();
  await page.getByText('@bea', { exact: true }).waitFor();
  // The author's name, and two mentions.
  await expect.poll(() => article.getByRole('link').count()).toBe(3);
  await inspect(page, 'members-mention');
  await article.getByRole('link', { name: '@Bea Test' }).click();
  await page.getByRole('heading', { name: 'Bea Test', level: 1 }).waitFor();
  await page.getByText('@bea', { exact: true }).waitFor();
  await inspect(page, 'person-username');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).fill('ben');
  await page.getByText('@ben.k', { exact: true }).waitFor();

  await other.getByRole('link', { name: '@Ben Test, you' }).waitFor();
  await other.getByRole('link', { name: '@Bea Test' }).waitFor();
  await inspect(other, 'members-mentioned');

  // The answer to it is listed among the threads of its author.
  const { data } = await ben.client.get('/v1/messages?limit=1');
  await ben.client.post(`/v1/messages/${data[0].id}/replies`, { text: 'I will' });
  await page.goto('/inbox?show=threads');
  await page.getByRole('article').filter({ hasText: 'I will' }).waitFor();
  await inspect(page, 'inbox-threads');
  await mailsGo(web.server);
  // Members who have read it by then get no mail.
  expect((await mailbox.next(bea.email, ({ text }) => text.includes('Ask @ben.k'))).subject).toBe(
    'Ada Test mentioned you in Bakery',
  );
  expect([...problems, ...others]).toEqual([]);
});

it('while a list of people loads, Enter chooses no one who does not match, and nothing once the cursor is elsewhere', async () => {
  const [ada, ben, bea] = await Promise.all(['Ada', 'Ben', 'Bea'].map((name) => signUp(web.server, name)));
  if (!ada || !ben || !bea) throw new Error('nobody signed up');
  const team = await makeTeam(ada, [ben, bea], 'Haste');
  const { page, problems } = await visit(ada, '/compose');
  const to = page.getByRole('combobox', { name: 'To' });
  await to.fill('be');
  await page.getByRole('option', { name: 'Bea Test' }).waitFor();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await intercept(page, /\/connections\?.*query=ben/, async (route) => {
    await held;
    await route.continue();
  });
  await to.fill('ben');
  await page.getByRole('option', { name: 'Bea Test' }).waitFor({ state: 'detached' });
  await to.press('Enter');
  await page.getByRole('button', { name: 'Remove Ben Test' }).waitFor();
  await page.goto(`/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Haste' });
  await field.pressSequentially('Hello @be');
  await page.getByRole('option', { name: /Bea Test/ }).waitFor();
  await field.pressSequentially('n');
  await page.getByRole('option', { name: /Bea Test/ }).waitFor({ state: 'detached' });
  await page.getByRole('option', { name: /Ben Test/ }).waitFor();
  answer();
  await field.press('Home');
  await page.getByRole('option').first().waitFor({ state: 'detached' });
  await field.press('Enter');
  await page.getByRole('article').getByText('Hello @ben').waitFor();
  expect(problems).toEqual([]);
});

it('a full name is found behind an @ without its accents and strokes, and a sentence behind a name is none', async () => {
  const ada = await signUp(web.server, 'Ada');
  const lukasz = await signUp(web.server, 'Łukasz', { last_name: 'Đorđević' });
  const oyvind = await signUp(web.server, 'Øyvind', { last_name: 'van der Straße' });
  await lukasz.client.patch('/v1/users/me', { username: 'luk' });
  await oyvind.client.patch('/v1/users/me', { username: 'oy' });
  const team = await makeTeam(ada, [lukasz, oyvind], 'Names');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Names' });
  const option = (name: string) => page.getByRole('option', { name, selected: true });
  await field.focus();
  await page.keyboard.type('@lukasz dor');
  await option('Łukasz Đorđević @luk').waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('@luk ');
  await page.keyboard.type('and @oyvind van der strasse');
  await option('Øyvind van der Straße @oy').waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => field.inputValue()).toBe('@luk and @oy ');
  // One undo brings what was typed back, to go on with it.
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => field.inputValue()).toBe('@luk and @oyvind van der strasse');
  await page.keyboard.type(', @luk');
  await option('Łukasz Đorđević @luk').waitFor();
  // A blank may end the name: Enter sends.
  await page.keyboard.type(' ');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await page.keyboard.type('could');
  expect(await page.getByRole('listbox').count()).toBe(0);
  await page.keyboard.press('Enter');
  const sent = async () => (await ada.client.get('/v1/messages?limit=1')).data[0]?.text;
  await expect.poll(sent).toBe('@luk and @oyvind van der strasse, @luk could');
  await page.keyboard.type('Thanks, @luk');
  await option('Łukasz Đorđević @luk').waitFor();
  await page.keyboard.type(' ');
  await page.keyboard.press('Enter');
  await expect.poll(sent).toMatch(/^Thanks, @luk ?$/);
  expect(problems).toEqual([]);
});

it('who reacted is shown in a hint and in a dialog', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Fives');
  const { data } = await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'Done' });
  await ben.client.put(`/v1/messages/${data[0].id}/high_five`);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByRole('button', { name: '1 high five' }).hover();
  await page.getByText('Ben Test', { exact: true }).waitFor();
  await inspect(page, 'members-reactions-hint');
  // The hint disappears with its message.
  await ben.client.delete(`/v1/messages/${data[0].id}/high_five`);
  await page.getByText('Ben Test', { exact: true }).waitFor({ state: 'detached' });
  await ben.client.put(`/v1/messages/${data[0].id}/high_five`);
  // The names are asked for again before the high five has arrived.
  const early = page.waitForResponse(/\/reactions\?/);
  await intercept(page, /\/reactions\/[^?]+$/, async (route) => {
    await early;
    await route.continue();
  });
  await page.getByRole('button', { name: '1 high five' }).click();
  await page.getByRole('button', { name: '2 high fives' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Who reacted…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reactions' });
  await dialog.getByRole('link', { name: 'Ben Test' }).waitFor();
  await dialog.getByRole('link', { name: 'Ada Test' }).waitFor();
  await inspect(page, 'members-reactions');
  expect(problems).toEqual([]);
});

it('any emoji is a reaction, which others see and join', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Reactions');
  await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'Lunch at one?' });
  const [atAda, atBen] = [await visit(ada, `/teams/${team}`), await visit(ben, `/teams/${team}`)];
  const message = (page: Page) => page.getByRole('article').filter({ hasText: 'Lunch at one?' });
  await message(atBen.page).hover();
  await message(atBen.page).getByRole('button', { name: 'React with 👍' }).click();
  await message(atAda.page).getByRole('button', { name: '👍 by 1 person' }).click();
  await message(atBen.page).getByRole('button', { name: '👍 by 2 people', pressed: true }).waitFor();

  await message(atBen.page).hover();
  await message(atBen.page).getByRole('button', { name: 'Add a reaction…' }).click();
  const dialog = atBen.page.getByRole('dialog', { name: 'Choose an emoji' });
  await dialog.getByRole('searchbox', { name: 'Find an emoji' }).fill('rocket');
  const rocket = dialog.getByRole('gridcell', { name: 'rocket' });
  await rocket.waitFor();
  await inspect(atBen.page, 'members-emoji');
  await rocket.click();
  await message(atAda.page).getByRole('button', { name: '🚀 by 1 person', pressed: false }).waitFor();
  await message(atBen.page).getByRole('button', { name: '🚀 by 1 person', pressed: true }).click();
  await message(atAda.page).getByRole('button', { name: '🚀 by 1 person' }).waitFor({ state: 'detached' });

  // The same choice serves the composer, where the cursor is.
  const field = atAda.page.getByRole('textbox', { name: 'Write to Reactions' });
  await field.fill('Off we go!');
  await field.press('ArrowLeft');
  await atAda.page.getByRole('button', { name: 'Emoji', exact: true }).click();
  await atAda.page.getByRole('searchbox', { name: 'Find an emoji' }).fill('rocket');
  await atAda.page.getByRole('gridcell', { name: 'rocket' }).click();
  await atAda.page.keyboard.type('?');
  await expect.poll(() => field.inputValue()).toBe('Off we go🚀?!');
  expect([...atAda.problems, ...atBen.problems]).toEqual([]);
});

it('a thing of an application is a link with its icon where a text mentions it', async () => {
  const host = await new ApplicationHost().start();
  onTestFinished(() => host.stop());
  const ada = await signUp(web.server, 'Ada');
  const team = await makeTeam(ada, [], 'Tasks');
  const application = await register(ada, host);
  await install(ada, team, application);
  const { access_token } = await authorize(ada, team, application);
  const path = `/v1/applications/${application.id}/objects`;
  const object = { name: 'Bake bread', type: 'task', team, url: 'tasks/1' };
  const { id } = (await application.credentials.post(path, object)).data[0];
  await web.server
    .anonymous()
    .withToken(access_token)
    .post('/v1/messages', {
      addressed_teams: [team],
      text: 'I have begun {0}, and am half through.',
      mentions: [{ type: 'appobject', id, name: 'Bake bread' }],
    });
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const link = page.getByRole('article').getByRole('link', { name: 'Bake bread' });
  await link.waitFor();
  await expect.poll(() => link.getAttribute('href')).toBe(`${host.url}/tasks/1`);
  await expect.poll(() => link.locator('[aria-hidden="true"]').count()).toBe(1);
  await page.getByRole('article').getByText('with Tracker').waitFor();
  await inspect(page, 'members-object');
  // Its application changes it, and deletes it.
  await application.credentials.patch(`${path}/${id}`, { name: 'Bake rye bread', url: 'tasks/2' });
  const renamed = page.getByRole('article').getByRole('link', { name: 'Bake rye bread' });
  await renamed.waitFor();
  await expect.poll(() => renamed.getAttribute('href')).toBe(`${host.url}/tasks/2`);
  await application.credentials.delete(`${path}/${id}`);
  await renamed.waitFor({ state: 'detached' });
  await page.getByRole('article').getByText('Bake rye bread').waitFor();
  expect(problems).toEqual([]);
});

it('what is said to one is in the inbox, is counted, can be done and undone, and goes when it is read elsewhere', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Design');
  const post = async (author: Person, text: string, fields: object = { addressed_teams: [team] }) =>
    (await author.client.post('/v1/messages', { text, ...fields })).data[0].id as string;
  const reply = (author: Person, root: string, text: string) =>
    author.client.post(`/v1/messages/${root}/replies`, { text });
  const { username } = (await ben.client.get('/v1/users/me')).data[0];
  const { page, context, problems } = await visit(ben, '/inbox');
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor();
  await inspect(page, 'inbox-empty');

  // A team's traffic is one quiet row, and a dot.
  const colours = await post(ada, 'The new colours are in the file.');
  await post(ada, 'And the letters, too.');
  const row = (name: string) => page.getByRole('article', { name });
  await row('Design').getByText('2 new messages in Design').waitFor();
  await expect.poll(() => page.title()).toBe('• Inbox · Parley');
  const navigation = page.getByRole('navigation', { name: 'Parley' });
  await navigation.getByText('1 team has unread messages').waitFor();

  // Answered, mentioned, taken into a sidebar, written to directly, high five.
  const own = await post(ben, 'Shall we print them?');
  await reply(ada, own, 'Yes, on Friday.');
  await row('New: Ada Test, replied to you').getByText('Yes, on Friday.').waitFor();
  await expect.poll(() => page.title()).toBe('(1) Inbox · Parley');
  const plan = await post(ada, 'A plan');
  await reply(ada, plan, `@${username}, what do you think?`);
  await row('New: Ada Test, mentions you').waitFor();
  await ada.client.post(`/v1/messages/${plan}/sidebars`, {
    users: [ben.id],
    text: 'Between us: is it good?',
  });
  await row('New: Ada Test, in a sidebar').getByText('Between us: is it good?').waitFor();
  const direct = await post(ada, 'Lunch?', { addressed_users: [ben.id] });
  await row('New: Ada Test, to you').getByText('Lunch?').waitFor();
  const fived = await post(ben, 'The printer works again');
  await ada.client.put(`/v1/messages/${fived}/high_five`);
  await row('Ada Test').getByText('high five for you').waitFor();
  await expect.poll(() => page.title()).toBe('(4) Inbox · Parley');
  await navigation.getByText('4 conversations have something new for you').waitFor();
  await inspect(page, 'inbox');

  // Done and undone, with the keyboard and with the button.
  const lunch = row('New: Ada Test, to you');
  await lunch.focus();
  await page.keyboard.press('e');
  await lunch.waitFor({ state: 'detached' });
  await expect.poll(() => page.title()).toBe('(3) Inbox · Parley');
  await page.keyboard.press('u');
  await lunch.waitFor();
  await lunch.getByRole('button', { name: 'Done with the conversation with Ada Test' }).click();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await lunch.waitFor();
  await expect.poll(() => page.title()).toBe('(4) Inbox · Parley');

  // So is the row of a team, in all windows. If it was read elsewhere meanwhile, that is said, and it stays read.
  const traffic = row('Design');
  const doneWithTeam = async () => {
    await traffic.focus();
    await page.keyboard.press('e');
    await traffic.waitFor({ state: 'detached' });
  };
  // An undo that comes before the server's answer waits for it.
  let release = () => {};
  const undone = new Promise<void>((resolve) => {
    release = resolve;
  });
  await answerFirst(page, 'PUT', `**/v1/teams/${team}/read`, async (route) => {
    await undone;
    await route.continue();
  });
  await doneWithTeam();
  await page.keyboard.press('u');
  release();
  await traffic.getByText('3 new messages in Design').waitFor();
  expect(await page.getByRole('status').getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await doneWithTeam();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await traffic.getByText('3 new messages in Design').waitFor();
  await doneWithTeam();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).waitFor();
  await ben.client.delete(`/v1/messages/${colours}/read`);
  await traffic.getByText('1 new message in Design').waitFor();
  await page.keyboard.press('u');
  await page.getByRole('status').getByText('Nothing was changed').waitFor();
  await traffic.getByText('1 new message in Design').waitFor();

  // A high five is seen when it is opened, also among direct messages; that is nothing to undo.
  const thanks = await post(ben, 'Thanks for the cake', { addressed_users: [ada.id] });
  await ada.client.put(`/v1/messages/${thanks}/high_five`);
  const quiet = page.getByRole('article').filter({ hasText: 'Thanks for the cake' });
  await quiet.waitFor();
  await lunch.getByRole('button', { name: 'Done with the conversation with Ada Test' }).click();
  await lunch.waitFor({ state: 'detached' });
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).waitFor();
  const seen = page.waitForResponse(
    (response) => response.url().includes(`/${thanks}/done`) && response.request().method() === 'PUT',
  );
  await quiet.click();
  await page.waitForURL('**/direct/**');
  await seen;
  await navigation.getByRole('link', { name: 'Inbox' }).click();
  await row('New: Ada Test, mentions you').focus();
  await quiet.waitFor({ state: 'detached' });
  // An undo that failed can be repeated.
  await answerFirst(page, 'DELETE', '**/done', (route) => route.abort());
  await page.keyboard.press('u');
  await page.getByRole('status').getByText('cannot be reached').waitFor();
  await page.keyboard.press('u');
  await lunch.waitFor();

  // What is read in another client goes; what is opened is read.
  await ben.client.put(`/v1/messages/${direct}/read`);
  await lunch.waitFor({ state: 'detached' });
  await row('New: Ada Test, replied to you').click();
  const conversation = page.getByRole('region', { name: 'Conversation' });
  await conversation.getByText('Yes, on Friday.').waitFor();
  await expect.poll(() => page.title()).toBe('(2) Inbox · Parley');
  // In the open conversation the keys are those of its messages.
  await conversation.getByRole('article').first().focus();
  await page.keyboard.press('u');
  await expect.poll(async () => (await ben.client.get(`/v1/messages/${own}`)).data[0].read).toBe(false);
  await ben.client.put(`/v1/messages/${own}/read`);
  await expect.poll(() => page.title()).toBe('(2) Inbox · Parley');
  await row('New: Ada Test, in a sidebar').click();
  await conversation.getByText('Between us: is it good?').waitFor();
  await expect.poll(() => page.title()).toBe('(1) Inbox · Parley');
  await inspect(page, 'inbox-open');

  // On a phone: the bar has the number, and a swipe is done.
  const phone = await context.newPage();
  await phone.setViewportSize(PHONE);
  await phone.goto('/inbox');
  const bar = phone.getByRole('navigation', { name: 'Parley' });
  await bar
    .getByRole('link', { name: 'Inbox' })
    .getByText('1 conversation has something new for you')
    .waitFor({ state: 'attached' });
  await inspect(phone, 'inbox-phone');
  const mentioned = phone.getByRole('article', { name: 'New: Ada Test, mentions you' });
  const { y = 0 } = (await mentioned.boundingBox()) ?? {};
  const touch = { pointerType: 'touch', pointerId: 7, bubbles: true, clientY: y + 10 };
  const swiped = () => mentioned.evaluate((row) => row.style.transform);
  await mentioned.dispatchEvent('pointerdown', { ...touch, clientX: 300 });
  await mentioned.dispatchEvent('pointermove', { ...touch, clientX: 150 });
  expect(await swiped()).not.toBe('');
  // A finger that leaves the row, and a second one, mean something else.
  await mentioned.dispatchEvent('pointermove', { ...touch, clientX: 140, clientY: y - 40 });
  expect(await swiped()).toBe('');
  await mentioned.dispatchEvent('pointerup', { ...touch, clientX: 140 });
  await mentioned.dispatchEvent('pointerdown', { ...touch, clientX: 300 });
  await mentioned.dispatchEvent('pointerdown', { ...touch, clientX: 150, pointerId: 8 });
  await mentioned.dispatchEvent('pointercancel', { ...touch, clientX: 150, pointerId: 8 });
  await mentioned.dispatchEvent('pointermove', { ...touch, clientX: 150 });
  await mentioned.dispatchEvent('pointerup', { ...touch, clientX: 150 });
  await mentioned.waitFor({ state: 'detached' });
  await expect.poll(() => page.title()).toBe('• Inbox · Parley');
  expect(problems).toEqual([]);
});
