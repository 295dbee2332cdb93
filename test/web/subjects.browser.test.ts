import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

let web: Web;
let ada: Person;
let ben: Person;
let team: string;

beforeAll(async () => {
  web = await startWeb();
  [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
});
// Anew for a second run, too.
beforeEach(async () => {
  team = await makeTeam(ada, [ben], 'Bakery');
});
afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const say = async (by: Person, text: string, subject?: string) =>
  (await by.client.post('/v1/messages', { text, addressed_teams: [team], subject })).data[0];

it('three subjects of a team stay apart: begun, read alone, moved, renamed and closed', async () => {
  const { page, problems } = await visit(ada, `/teams/${team}`);
  // Nobody has to choose: without any there is a button, and no list.
  await page.getByRole('button', { name: 'Subjects' }).click();
  const dialog = page.getByRole('dialog', { name: 'Begin a subject' });
  await dialog.getByRole('combobox', { name: 'Subject' }).fill('Summer fair');
  await inspect(page, 'subject-new');
  await dialog.getByRole('button', { name: 'Write' }).click();
  const field = page.getByRole('textbox', { name: 'Write about Summer fair' });
  await field.and(page.locator(':focus')).waitFor();
  await field.fill('Who bakes for the fair?');
  await field.press('Enter');
  const list = page.getByRole('navigation', { name: 'Subjects' });
  await list.getByRole('link', { name: 'Summer fair' }).waitFor();
  // What comes next is about nothing again.
  await page.getByRole('textbox', { name: 'Write to Bakery' }).waitFor();

  await say(ben, 'The oven is loud', 'Oven');
  await say(ben, 'Louder by the day', 'Oven');
  await say(ben, 'I do', 'Summer fair');
  await say(ben, 'Who has the key?');
  const feed = page.getByRole('feed', { name: 'Messages of Bakery' });
  await feed.getByText('Who has the key?').waitFor();
  await expect.poll(() => feed.locator('p a', { hasText: 'Oven' }).count()).toBe(1);
  await expect.poll(() => feed.locator('p a', { hasText: 'Summer fair' }).count()).toBe(2);
  await inspect(page, 'subjects-stream');

  // Ben reads one of them alone, and it counts in his team.
  const { page: other, problems: others } = await visit(ben, `/teams/${team}`);
  for (let n = 0; n < 3; n++) await say(ada, `Oven ${n}`, 'Oven');
  await say(ada, 'Cake', 'Summer fair');
  const links = other.getByRole('navigation', { name: 'Subjects' });
  await links.getByRole('link', { name: /^Oven/ }).click();
  await other.getByRole('heading', { name: 'Oven', level: 2 }).waitFor();
  const alone = other.getByRole('feed', { name: 'Messages about Oven' });
  await alone.getByText('Oven 2').waitFor();
  await expect.poll(() => alone.getByRole('article').count()).toBe(5);
  const write = other.getByRole('textbox', { name: 'Write about Oven' });
  await write.fill('It hums');
  await write.press('Enter');
  await alone.getByText('It hums').waitFor();
  await expect
    .poll(async () =>
      (await ben.client.get(`/v1/teams/${team}/subjects`)).data.find(({ name }) => name === 'Oven'),
    )
    .toMatchObject({ num_unread: 0 });
  await inspect(other, 'subject-alone');

  // Its author moves a conversation; all see it elsewhere.
  const moved = alone.getByRole('article').filter({ hasText: 'It hums' });
  await moved.hover();
  await moved.getByRole('button', { name: 'More actions' }).click();
  await other.getByRole('menuitem', { name: 'More', exact: true }).click();
  await other.getByRole('menuitem', { name: 'Move to another subject…' }).click();
  const moving = other.getByRole('dialog', { name: 'Move to another subject' });
  await moving.getByRole('combobox', { name: 'Subject' }).fill('Noise');
  await inspect(other, 'subject-move');
  await moving.getByRole('button', { name: 'Move', exact: true }).click();
  await expect.poll(() => alone.getByText('It hums').count()).toBe(0);
  await list.getByRole('link', { name: 'Noise' }).click();
  await page.getByRole('feed', { name: 'Messages about Noise' }).getByText('It hums').waitFor();

  // An admin renames and closes it, without a notice; the address stays.
  const address = page.url();
  const menu = page.getByRole('button', { name: 'Change the subject' });
  await menu.click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename the subject' });
  await renaming.getByRole('textbox', { name: 'Subject' }).fill('oven');
  await renaming.getByRole('button', { name: 'Save' }).click();
  await renaming.getByText('The team has a subject with this name. Take another one.').waitFor();
  await renaming.getByRole('textbox', { name: 'Subject' }).fill('Hum');
  await renaming.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Hum', level: 2 }).waitFor();
  await links.getByRole('link', { name: /^Hum/ }).waitFor();
  await menu.click();
  await page.getByRole('menuitem', { name: 'Close' }).click();
  await page.getByText('1 closed subject').waitFor();
  await inspect(page, 'subject-closed');
  await page.goto(address);
  await page.getByRole('feed', { name: 'Messages about Hum' }).getByText('It hums').waitFor();
  // Writing opens it again.
  await page.getByRole('textbox', { name: 'Write about Hum' }).fill('Still');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByText('1 closed subject').count()).toBe(0);
  // The inbox and a search say where.
  const { username } = (await ada.client.get('/v1/users/me')).data[0];
  await say(ben, `@${username}, does it still?`, 'Hum');
  await page.goto('/inbox');
  await page.getByText('in Bakery › Hum').waitFor();
  await page.goto('/search?q=hums');
  await page.getByText('in Bakery › Hum').waitFor();
  await page.getByRole('combobox', { name: 'Team' }).selectOption(team);
  await page.getByRole('combobox', { name: 'Subject' }).selectOption('Oven');
  await expect.poll(() => page.getByText('in Bakery › Hum').count()).toBe(0);
  await page.getByRole('combobox', { name: 'Subject' }).selectOption('Hum');
  await page.getByText('in Bakery › Hum').waitFor();
  expect([...problems, ...others]).toEqual([]);
});

it('a phone has the list behind a button', async () => {
  for (const name of ['Oven', 'Summer fair', undefined]) await say(ada, 'Cake', name);
  const { page, problems } = await visit(ben, `/teams/${team}`, { viewport: PHONE });
  await page.getByRole('button', { name: 'Subjects' }).click();
  const dialog = page.getByRole('dialog', { name: 'Subjects' });
  await dialog.getByRole('link', { name: /^Summer fair/ }).waitFor();
  await inspect(page, 'subjects-phone-list');
  await dialog.getByRole('link', { name: /^Summer fair/ }).click();
  await page.getByRole('feed', { name: 'Messages about Summer fair' }).getByText('Cake').waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await inspect(page, 'subjects-phone');
  await page.getByRole('button', { name: 'Mute', exact: true }).first().click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Subjects' }).click();
  await dialog.getByRole('link', { name: 'All messages' }).click();
  await page.getByRole('feed', { name: 'Messages of Bakery' }).waitFor();
  expect(problems).toEqual([]);
});
