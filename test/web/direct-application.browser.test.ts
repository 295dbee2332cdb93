import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Listening, ParleyApplication } from '../../sdk/index.ts';
import {
  ApplicationHost,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { inspect, PHONE, startWeb, tooSmall, tooWide, type Visitor, type Web } from '../support/web.ts';

let web: Web;
let host: ApplicationHost;
let dev: Person;
let ada: Person;
let ben: Person;
let registered: RegisteredApplication;
let team: string;
let app: ParleyApplication;
let listening: Listening;

beforeAll(async () => {
  web = await startWeb();
  host = await new ApplicationHost().start();
  dev = await signUp(web.server, 'Dev');
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
  team = await makeTeam(ada, [ben], 'Bakery');
  registered = await register(dev, host, { name: 'Helper', scopes: ['direct:app'] });
  await ada.client.post(`/v1/teams/${team}/applications`, { application: registered.id });
  app = new ParleyApplication({
    baseUrl: web.server.url,
    clientId: registered.id,
    clientSecret: registered.secret,
  });
  app.direct(({ message, reply }) => reply(`You said: ${message.text}`));
  app.command('oven', ({ text, respond }) => respond.reply(`240 degrees, ${text}`));
  app.shortcut('heat', async ({ user, bot, respond }) => {
    await bot.writeTo(user, 'It is heated');
    await respond.ephemeral('Done');
  });
  listening = await app.listen();
});

afterAll(async () => {
  await listening?.stop();
  await web?.stop();
  await host?.stop();
});

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });
const place = (of = team) => `/direct/application.${of}.${registered.id}`;

it('a person writes to an application as to a colleague, with the keyboard alone (claim: direct-application)', async () => {
  const { page, problems } = await visit(ben, `/teams/${team}/applications`);
  await page.getByRole('link', { name: 'Write to Helper' }).click();
  const field = page.getByRole('textbox', { name: 'Write to Helper' });
  await field.waitFor();
  await page.getByText('The owner of Helper can read what is written here. Admins cannot.').waitFor();
  await page.getByText('This is where your conversation with Helper begins.').waitFor();
  await field.focus();
  await page.keyboard.type('hello');
  await page.keyboard.press('Enter');
  await page.getByText('You said: hello', { exact: true }).waitFor();
  const navigation = page.getByRole('navigation');
  const link = navigation.getByRole('link', { name: /^Helper/ });
  await link.waitFor();
  await inspect(page, 'direct-application');
  await inspect(page, 'direct-application', 'dark');

  // It writes first, while the person is elsewhere.
  await navigation.getByRole('link', { name: /^Inbox/ }).click();
  await link.waitFor();
  await app.inTeam(team).writeTo(ben.id, 'The oven is hot');
  await navigation.getByRole('link', { name: /^Helper.*1/ }).waitFor();
  await page.getByRole('article').filter({ hasText: 'The oven is hot' }).click();
  await page.waitForURL(`**${place()}`);
  await page.getByText('The oven is hot').last().waitFor();

  // By its name.
  await navigation.getByRole('link', { name: 'Bakery' }).click();
  await page.getByRole('textbox', { name: 'Write to Bakery' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).fill('help');
  await page.getByRole('option', { name: /^Helper/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${place()}`);
  await page.getByRole('link', { name: 'Search' }).last().click();
  await page.getByRole('searchbox').first().fill('oven');
  await page.keyboard.press('Enter');
  await page.getByText('The oven is').first().waitFor();
  expect(problems).toEqual([]);
});

it('its commands and shortcuts are given where a person talks with it', async () => {
  const changed = await dev.client.patch(`/v1/applications/${registered.id}`, {
    commands: [{ name: 'oven', description: 'How hot it is' }],
    shortcuts: [{ action_id: 'heat', name: 'Heat the oven', on: 'team' }],
  });
  expect(changed.status).toBe(200);
  const { page, problems } = await visit(ben, place());
  const field = page.getByRole('textbox', { name: 'Write to Helper' });
  await field.focus();
  await page.keyboard.type('/ov');
  await page.getByRole('option', { name: /oven.*How hot it is/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type('now');
  await page.keyboard.press('Enter');
  await page.getByText('240 degrees, now', { exact: true }).waitFor();
  expect(await field.inputValue()).toBe('');
  await page.keyboard.type('/nothing');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'There is no command /nothing' }).waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).fill('heat');
  await page.getByRole('option', { name: /Heat the oven/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('It is heated', { exact: true }).waitFor();
  expect(new URL(page.url()).pathname).toBe(place());
  const inTeam = await ben.client.get(`/v1/messages?team=${team}`);
  expect(inTeam.data).toEqual([]);
  expect(problems).toEqual([]);
});

it('it is muted and blocked from its menu on a phone, and says why nothing can be written', async () => {
  const studio = await makeTeam(ada, [ben], 'Studio');
  await ada.client.post(`/v1/teams/${studio}/applications`, { application: registered.id });
  await app.inTeam(studio).writeTo(ada.id, 'Good morning, Ada');
  const { page, problems } = await visit(ada, place(studio), {
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
  });
  await page.getByText('Good morning, Ada').first().waitFor();
  expect(await tooWide(page)).toEqual([]);
  expect(await tooSmall(page, 'main')).toEqual([]);
  await inspect(page, 'direct-application-phone');
  const menu = page.getByRole('button', { name: 'More', exact: true });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Mute the conversation' }).click();
  await page.getByRole('button', { name: 'Muted' }).click();
  await page.getByRole('menuitem', { name: 'Block Helper' }).click();
  await page.getByText('You have blocked Helper: neither of you can write here.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Write to Helper' }).count()).toBe(0);
  await expect(app.inTeam(studio).writeTo(ada.id, 'x')).rejects.toMatchObject({
    reason: 'application_blocked',
  });
  await inspect(page, 'direct-application-blocked');
  await page.getByRole('button', { name: 'Unblock Helper' }).click();
  await page.getByRole('textbox', { name: 'Write to Helper' }).waitFor();
  await ada.client.delete(`/v1/teams/${studio}/applications/${registered.id}`);
  await page.getByText('The team does not have Helper any more.', { exact: false }).waitFor();
  await page.getByText('Good morning, Ada').first().waitFor();
  expect(problems).toEqual([]);
});
