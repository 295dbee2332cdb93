import { afterAll, beforeAll, expect, it } from 'vitest';
import { join, makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, startWeb, type Visitor, type Web } from '../support/web.ts';

let web: Web;
beforeAll(async () => {
  web = await startWeb();
  await signUp(web.server, 'Root');
});
afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

it('an admin makes a group, whom its name calls; what programs write calls many only once that is allowed', async () => {
  const [ada, ben, cleo] = [
    await signUp(web.server, 'Ada'),
    await signUp(web.server, 'Ben'),
    await signUp(web.server, 'Cleo'),
  ];
  const team = await makeTeam(ada, [ben, cleo], 'Bakery');
  const { page, problems } = await visit(ada, `/teams/${team}/settings`);
  await page.getByRole('button', { name: 'New group' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('@ovens');
  await dialog.getByLabel('Who is in it').fill('ben');
  await page.getByRole('option', { name: /Ben Test/ }).click();
  await inspect(page, 'groups-new');
  await dialog.getByRole('button', { name: 'Save group' }).click();
  const row = page.getByRole('listitem').filter({ hasText: '@ovens' });
  await row.getByText('Ben Test').waitFor();
  await inspect(page, 'groups-listed');

  // A name that is taken says so at its field.
  await page.getByRole('button', { name: 'New group' }).click();
  await dialog.getByLabel('Name').fill('OVENS');
  await dialog.getByRole('button', { name: 'Save group' }).click();
  await dialog.getByText(/name/i).first().waitFor();
  await expect.poll(() => dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.press('Escape');

  await page.getByRole('switch', { name: 'Applications and webhooks may call many' }).click();
  await expect
    .poll(async () => (await ada.client.get(`/v1/teams/${team}`)).data[0].programs_notify)
    .toBe(true);

  // Offered behind the people of the team, and shown as a call.
  await page.goto(`/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Bakery' });
  await field.pressSequentially('Bread, @ov');
  await page.getByRole('option', { name: '@ovens group of 1 person' }).waitFor();
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Bread, @ovens ');
  await field.press('Enter');
  await page.locator('article [data-mention]', { hasText: '@ovens' }).waitFor();
  await inspect(page, 'groups-called');
  const { page: other, problems: others } = await visit(ben, '/inbox');
  await other.getByText('Bread, @ovens').waitFor();
  await other.goto(`/teams/${team}/settings`);
  await other.getByText('@ovens').waitFor();
  expect(await other.getByRole('button', { name: 'New group' }).count()).toBe(0);
  await page.goto(`/teams/${team}/settings`);
  await page.getByRole('button', { name: 'Delete @ovens' }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Delete' })
    .click();
  await row.waitFor({ state: 'detached' });
  expect([...problems, ...others]).toEqual([]);
});

it('a text that calls many says so; people who are not in the team come last, and can be invited', async () => {
  const ada = await signUp(web.server, 'Ada');
  const members: Person[] = [];
  for (const name of ['Mia', 'Max', 'Moe', 'Meg', 'May', 'Mel']) members.push(await signUp(web.server, name));
  const mona = await signUp(web.server, 'Mona');
  const team = await makeTeam(ada, members, 'Mill');
  await makeTeam(ada, [mona], 'Elsewhere');
  for (const { client } of members.slice(0, 2))
    await client.patch('/v1/users/me', { time_zone: nightZone() });
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Mill' });
  await field.pressSequentially('@mo');
  await page.getByRole('option', { name: /Mona Test.*not in this team/ }).waitFor();
  expect(await page.getByRole('option').allTextContents()).toEqual([
    expect.stringContaining('Moe Test'),
    expect.stringContaining('Mona Test'),
  ]);
  await inspect(page, 'calling-suggestions');
  await field.press('ArrowDown');
  await field.press('Enter');
  await field.pressSequentially('and @team, grind');
  await page.getByText('This calls 6 people. It is night for 2 of them.').waitFor();
  await inspect(page, 'calling-many');
  await field.press('Enter');
  await page.getByText('Not in Mill, and not told: Mona Test').waitFor();
  await inspect(page, 'calling-not-there');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText('Invited to Mill').waitFor();
  expect((await mona.client.get('/v1/users/me/invitations')).data).toMatchObject([{ team: { id: team } }]);
  expect(problems).toEqual([]);
});

it('an edit of an old message says that it calls nobody', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [], 'Attic');
  await join(ada, team, ben);
  const { username } = (await ben.client.get('/v1/users/me')).data[0];
  await ada.client.post('/v1/messages', { text: 'Dusty', addressed_teams: [team] });
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByRole('article').getByText('Dusty').waitFor();
  await page.clock.setFixedTime(Date.now() + 11 * 60_000);
  await page.getByRole('textbox', { name: 'Write to Attic' }).press('ArrowUp');
  await page.getByRole('textbox', { name: 'Edit the message' }).fill(`Dusty, @${username} says`);
  await page.keyboard.press('Enter');
  await page.getByText(/long after a message was posted an edit calls nobody/).waitFor();
  expect(problems).toEqual([]);
});

/** Where it is three in the morning. */
function nightZone(): string {
  const offset = ((3 - new Date().getUTCHours() + 36) % 24) - 12;
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}
