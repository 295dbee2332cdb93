import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Asking, asking, headed } from '../support/clicks.ts';
import { ApplicationHost, makeTeam, type Person, register, signUp } from '../support/people.ts';
import {
  answerFirst,
  inspect,
  PHONE,
  startWeb,
  tooSmall,
  tooWide,
  type Visitor,
  type Web,
} from '../support/web.ts';

let web: Web;
let host: ApplicationHost;
let dev: Person;
let ada: Person;
let ben: Person;

const commands = [
  { name: 'standup', description: 'Say what you do today', hint: '[what]' },
  { name: 'stand', description: 'Stand up and walk a little' },
  { name: 'إجازة', description: 'Ask for a holiday' },
];
const shortcuts = [
  { action_id: 'file-bug', name: 'File a bug', on: 'message' },
  { action_id: 'new-round', name: 'Begin a round', on: 'team' },
];

beforeAll(async () => {
  web = await startWeb();
  host = await new ApplicationHost().start();
  dev = await signUp(web.server, 'Dev');
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
});

afterAll(async () => {
  await web?.stop();
  await host?.stop();
});

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

/** A team of Ada and Ben with an application that has commands and shortcuts. */
async function place(name: string): Promise<{ team: string; app: Asking }> {
  const team = await makeTeam(ada, [ben], name);
  const app = await asking(web.server, { owner: dev, admin: ada, host, team });
  await dev.client.patch(`/v1/applications/${app.app.id}`, { commands, shortcuts });
  return { team, app };
}

/** The last thing that the application heard. */
async function last(app: Asking) {
  await expect.poll(async () => (await app.heard()).length).toBeGreaterThan(0);
  return (await app.heard()).at(-1) as { id: string; response_url: string } & Record<string, unknown>;
}

const answer = (heard: { response_url: string }, fields: object) =>
  web.server.anonymous().post(new URL(heard.response_url).pathname, fields);

const fieldOf = (page: Page, team: string) => page.getByRole('textbox', { name: `Write to ${team}` });

it('a command is found behind its slash and given with the keyboard alone; its answer is seen by one person (claim: command-given)', async () => {
  const { team, app } = await place('Bakery');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const other = await visit(ada, `/teams/${team}`);
  const field = fieldOf(page, 'Bakery');
  await field.focus();
  await page.keyboard.type('/');
  const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
  await options.filter({ hasText: '/standup' }).waitFor();
  expect(await options.allInnerTexts()).toEqual([
    expect.stringContaining('/me'),
    expect.stringContaining('/remind'),
    expect.stringContaining('/help'),
    expect.stringMatching(/\/stand\s+Stand up and walk a little · Holidays/),
    expect.stringMatching(/\/standup \[what\]\s+Say what you do today · Holidays/),
    expect.stringContaining('/إجازة'),
  ]);
  await inspect(page, 'commands-suggested');
  await page.keyboard.type('standu');
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('/standup ');
  await page.keyboard.type('wrote tests');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('');
  await page.getByText('Holidays is working on /standup…').waitFor();
  await inspect(page, 'commands-pending');
  const heard = await last(app);
  expect(heard).toMatchObject({ kind: 'command', command: 'standup', text: 'wrote tests', user: ben.id });

  await answer(heard, { ephemeral: true, blocks: headed('Noted for today') });
  const note = page.getByRole('note', { name: 'Only you can see this, from Holidays' });
  await note.getByText('Noted for today').waitFor();
  await page.getByText('/standup: done').waitFor();
  await page.getByRole('status').getByText('Holidays tells you alone').waitFor({ state: 'attached' });
  await inspect(page, 'commands-answered');
  await ada.client.post('/v1/messages', { text: 'Good morning', addressed_teams: [team] });
  await other.page.getByText('Good morning').waitFor();
  expect(await other.page.getByText('Noted for today').count()).toBe(0);
  // It stays below the newest message.
  const articles = page.getByRole('article');
  await expect.poll(() => articles.last().innerText()).toContain('Noted for today');

  // The stream has followed its end: the key leads to what is in view.
  const bottom = async () => {
    const box = await note.boundingBox();
    return box ? box.y + box.height : Number.POSITIVE_INFINITY;
  };
  await expect.poll(async () => (await bottom()) <= ((await field.boundingBox())?.y ?? 0)).toBe(true);
  await page.keyboard.press('F6');
  // It takes the focus in the next frame.
  await page.locator('article:focus').waitFor();
  await page.keyboard.press('Tab');
  await note.getByRole('button', { name: 'Dismiss' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await note.waitFor({ state: 'detached' });
  await field.and(page.locator(':focus')).waitFor();
  expect([problems, other.problems]).toEqual([[], []]);
});

it('a complete name is sent by Enter, also where another one begins with it, and in capitals', async () => {
  const { team, app } = await place('Stand');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const field = fieldOf(page, 'Stand');
  await field.focus();
  await page.keyboard.type('/Stand');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('');
  expect(await last(app)).toMatchObject({ command: 'stand', text: '' });
  expect(problems).toEqual([]);
});

it('a command that nobody takes stays with its reason until it is tried again or dismissed (claim: command-failed)', async () => {
  const { team, app } = await place('Forge');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const field = fieldOf(page, 'Forge');
  const give = async (text: string) => {
    await field.fill(text);
    await field.press('Enter');
  };
  // Refused: the text is there still.
  await answerFirst(page, 'POST', `**/v1/teams/${team}/commands`, (route) => route.abort());
  await give('/standup once');
  await page.getByRole('alert').getByText('cannot be reached').waitFor();
  expect(await field.inputValue()).toBe('/standup once');
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('');
  await last(app);
  expect(await app.heard()).toHaveLength(1);

  await give('/nothing here');
  await page.getByText('There is no command /nothing.').waitFor();
  expect(await field.inputValue()).toBe('/nothing here');
  await field.fill('');

  await ada.client.delete(`/v1/teams/${team}/applications/${app.app.id}`);
  await page.getByText('Holidays is no longer installed in this team.').waitFor();
  await inspect(page, 'commands-failed');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('Holidays is no longer installed in this team.').waitFor({ state: 'detached' });
  await field.and(page.locator(':focus')).waitFor();
  expect(problems).toEqual([]);
});

it('a command of a team is explained where it cannot be given, and /help lists it (claim: command-elsewhere)', async () => {
  const { team } = await place('Dock');
  const root = (await ada.client.post('/v1/messages', { text: 'Ship it', addressed_teams: [team] })).data[0]
    .id;
  const { page, problems } = await visit(ben, `/teams/${team}?open=${root}`);
  const reply = page.getByRole('textbox', { name: /reply/i });
  await reply.fill('/standup now');
  await reply.press('Enter');
  await page.getByText('/standup works in the messages of a team.').waitFor();
  expect(await reply.inputValue()).toBe('/standup now');
  await reply.fill('/lunch');
  await reply.press('Enter');
  await page.getByText('There is no command /lunch.').waitFor();
  await reply.fill('/help');
  await reply.press('Enter');
  const list = page.getByRole('dialog').getByRole('region', { name: 'Commands' });
  await list.getByText('Say what you do today · Holidays').waitFor();
  await list.getByText('/standup [what]').waitFor();
  await inspect(page, 'commands-help');
  await page.keyboard.press('Escape');

  await page.goto(`/direct/${ada.id}`);
  const direct = page.getByRole('textbox', { name: /Ada/ });
  await direct.fill('/lunch');
  await direct.press('Enter');
  await page.getByText('There is no command /lunch.').waitFor();
  expect(problems).toEqual([]);
});

it('shortcuts are in the menu of a message and in Ctrl-K, with the keyboard alone (claim: shortcut-chosen)', async () => {
  const { team, app } = await place('Lab');
  const id = (await ada.client.post('/v1/messages', { text: 'It fails', addressed_teams: [team] })).data[0]
    .id;
  const { page, problems } = await visit(ben, `/teams/${team}`);
  const message = page.getByRole('article').filter({ hasText: 'It fails' });
  await message.focus();
  await message.getByRole('button', { name: 'More' }).press('Enter');
  const group = page.getByRole('group', { name: 'Holidays' });
  await group.getByRole('menuitem', { name: 'File a bug' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Begin a round' }).count()).toBe(0);
  await inspect(page, 'commands-message-menu');
  await page.keyboard.type('file');
  await page.keyboard.press('Enter');
  await message.getByText('Holidays is working on File a bug…').waitFor();
  const filed = await last(app);
  expect(filed).toMatchObject({ kind: 'message_action', message: { id }, action_id: 'file-bug' });
  await answer(filed, { ephemeral: true, text: 'Filed as bug 7' });
  await message.getByText('File a bug: done').waitFor();
  await message.getByText('Filed as bug 7').waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).fill('round');
  await page.getByRole('option', { name: 'Begin a round' }).waitFor();
  await inspect(page, 'commands-jump');
  await page.keyboard.press('Enter');
  await page.getByText('Holidays is working on Begin a round…').waitFor();
  const begun = (await app.heard()).find(({ kind }) => kind === 'shortcut');
  expect(begun).toMatchObject({ team, user: ben.id, action_id: 'new-round' });
  await answer(begun, { reply: true, text: 'Round 3 began' });
  await page.getByText('Begin a round: done').waitFor();
  await page.getByText('Round 3 began').first().waitFor();

  // Elsewhere there is no team that they could be of.
  await page.goto('/inbox');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).fill('begin a round');
  await page.getByRole('option', { name: /Search/ }).waitFor();
  expect(await page.getByRole('option', { name: 'Begin a round', exact: true }).count()).toBe(0);
  expect(problems).toEqual([]);
});

it('commands and answers fit a phone, in Arabic too', async () => {
  const { team, app } = await place('Yard');
  const phone = { viewport: PHONE, hasTouch: true, isMobile: true };
  const { page, problems } = await visit(ben, `/teams/${team}`, phone);
  const field = fieldOf(page, 'Yard');
  await field.fill('/');
  await page.getByRole('option', { name: '/standup' }).waitFor();
  await inspect(page, 'commands-phone');
  expect(await tooWide(page)).toEqual([]);
  await page.getByRole('option', { name: '/standup' }).tap();
  await expect.poll(() => field.inputValue()).toBe('/standup ');
  await page.getByRole('button', { name: 'Send' }).tap();
  await page.getByText('Holidays is working on /standup…').waitFor();
  const heard = await last(app);
  await answer(heard, { ephemeral: true, text: 'Well done, and have a long and quiet evening at home' });
  await page.getByText('Well done').first().waitFor();
  await inspect(page, 'commands-phone-answered');
  expect(await tooWide(page)).toEqual([]);
  expect(await tooSmall(page, '[role=note]')).toEqual([]);

  const arabic = await visit(ben, `/teams/${team}`, { ...phone, locale: 'ar' });
  await arabic.page.getByText('Well done').first().waitFor();
  await arabic.page.getByRole('textbox').first().fill('/إج');
  await arabic.page.getByRole('option', { name: '/إجازة' }).waitFor();
  await inspect(arabic.page, 'commands-arabic');
  expect(await tooWide(arabic.page)).toEqual([]);
  expect([problems, arabic.problems]).toEqual([[], []]);
});

it('a developer adds, corrects and removes commands and shortcuts by keyboard', async () => {
  const app = await register(dev, host, { name: 'Named' });
  const { page, problems } = await visit(dev, `/developers/${app.id}/settings`);
  await page.getByRole('button', { name: 'Add a command' }).press('Enter');
  const row = (name: string) => page.getByRole('group', { name });
  await row('Command 1').getByLabel('Command', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('he1p');
  await row('Command 1').getByLabel('What it does').fill('Helps');
  await page.getByRole('button', { name: 'Add a command' }).press('Enter');
  await page.keyboard.type('standup');
  await row('Command 2').getByLabel('What it does').fill('Say what you do');
  await row('Command 2').getByLabel('Arguments').fill('[what]');
  for (const number of [1, 2]) {
    await page.getByRole('button', { name: 'Add a shortcut' }).press('Enter');
    await page.keyboard.type(`Bug ${number}`);
    await row(`Shortcut ${number}`).getByLabel('action_id').fill('bug');
  }
  await row('Shortcut 2').getByLabel('Where').selectOption('team');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await row('Command 1').getByText('This name is taken, or looks like one that is.').waitFor();
  await row('Command 1').getByLabel('Command', { exact: true }).and(page.locator(':focus')).waitFor();
  await row('Shortcut 2').getByText('This is there twice.').waitFor();
  expect(await page.locator('[aria-invalid=true]').count()).toBe(2);
  await inspect(page, 'developers-commands');

  await row('Command 1').getByRole('button', { name: 'Remove command 1' }).press('Enter');
  await row('Command 1').getByLabel('Command', { exact: true }).and(page.locator(':focus')).waitFor();
  await row('Shortcut 2').getByLabel('action_id').fill('bug-2');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  const saved = (await dev.client.get(`/v1/applications/${app.id}`)).data[0];
  expect([saved.commands, saved.shortcuts]).toEqual([
    [{ name: 'standup', description: 'Say what you do', hint: '[what]' }],
    [
      { action_id: 'bug', name: 'Bug 1', on: 'message' },
      { action_id: 'bug-2', name: 'Bug 2', on: 'team' },
    ],
  ]);
  expect(problems).toEqual([]);
});

it('an admin sees what collides before installing, and gives a command to another application (claim: command-given-by-admin)', async () => {
  const { team } = await place('Harbour');
  const rival = await register(dev, host, { name: 'Rival', scopes: ['messages:write'] });
  await dev.client.patch(`/v1/applications/${rival.id}`, {
    commands: [{ name: 'stand-up', description: 'Mine' }],
  });
  const { page, problems } = await visit(ada, `/teams/${team}/applications?install=${rival.id}`);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('/stand-up').waitFor();
  await dialog.getByText('Holidays has this name, or one that looks like it, and keeps it.').waitFor();
  await inspect(page, 'team-install-commands');
  await dialog.getByRole('button', { name: 'Install' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const list = page.getByRole('list', { name: 'Commands' });
  await list.getByText('Holidays has this name').waitFor();
  await inspect(page, 'team-commands');
  await list.getByRole('button', { name: 'Give it to Rival: /stand-up' }).press('Enter');
  await list.getByText('Rival has this name').waitFor();
  await list.getByRole('button', { name: 'Give it to Holidays: /standup' }).waitFor();

  const member = await visit(ben, `/teams/${team}`);
  const field = fieldOf(member.page, 'Harbour');
  await field.fill('/');
  await member.page.getByRole('option', { name: '/stand-up' }).waitFor();
  expect(await member.page.getByRole('option', { name: '/standup' }).count()).toBe(0);
  expect([problems, member.problems]).toEqual([[], []]);
});
