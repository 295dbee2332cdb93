import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooSmall, tooWide, type Visitor, type Web } from '../support/web.ts';

/** The time limit for events without user action. */
const WITHIN = { timeout: 15_000 };

let web: Web;
let ada: Person;

beforeAll(async () => {
  web = await startWeb();
  ada = await signUp(web.server, 'Ada');
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const say = async (person: Person, text: string, to: object): Promise<string> =>
  (await person.client.post('/v1/messages', { text, ...to })).data[0].id;

it('what is saved is in a list of its own, in every window, and leads to where it was said', async () => {
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Garden');
  const first = await say(ada, 'The gate code is behind the shed', { addressed_teams: [team] });
  const reply = (await ada.client.post(`/v1/messages/${first}/replies`, { text: 'And the key too' })).data[0]
    .id;
  await say(ada, 'For you alone', { addressed_users: [ben.id] });
  const window = await visit(ben, `/teams/${team}`);
  const other = await visit(ben, '/saved');
  await other.page.getByText('Nothing saved yet').waitFor();
  await inspect(other.page, 'saved-empty');

  const message = window.page.locator(`article[data-message="${first}"]`);
  await message.hover();
  await message.getByRole('button', { name: 'More actions' }).click();
  await window.page.getByRole('menuitem', { name: 'Save for later' }).click();
  await message.getByText('Saved for later').waitFor({ state: 'attached' });
  const list = other.page.getByRole('feed', { name: 'Saved messages, the newest saved first' });
  await list.getByText('The gate code').waitFor(WITHIN);

  await ben.client.put(`/v1/users/me/saved/${reply}`);
  await list.getByText('And the key too').waitFor(WITHIN);
  await ben.client.put(`/v1/users/me/saved/${(await ben.client.get('/v1/messages?tag=_direct')).data[0].id}`);
  await list.getByText('For you alone').waitFor(WITHIN);
  expect(await list.getByRole('article').count()).toBe(3);
  await inspect(other.page, 'saved');

  await list.getByRole('article').nth(1).getByRole('link', { name: 'Go to the message' }).click();
  await other.page.locator(`[data-conversation] [data-message="${reply}"]`).waitFor();
  await other.page.goBack();
  await list.getByRole('article').nth(2).click();
  await other.page.locator('[data-conversation]').getByText('And the key too').waitFor();

  await message.focus();
  await window.page.keyboard.press('s');
  await expect.poll(() => message.getByText('Saved for later').count(), WITHIN).toBe(0);
  await expect.poll(() => list.getByRole('article').count(), WITHIN).toBe(2);
  await ada.client.delete(`/v1/messages/${reply}`);
  await expect.poll(() => list.getByRole('article').count(), WITHIN).toBe(1);
  expect((await ben.client.get('/v1/users/me/saved')).data).toHaveLength(1);
  expect([...window.problems, ...other.problems]).toEqual([]);
});

it('a team pins what it wants at hand: all windows show it, with who did it, until somebody unpins it', async () => {
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Harbour');
  const id = await say(ada, 'Boats go out at six', { addressed_teams: [team] });
  const next = await say(ada, 'And they come back at noon', { addressed_teams: [team] });
  await ada.client.put(`/v1/users/me/saved/${next}`);
  const mine = await visit(ada, `/teams/${team}`);
  const theirs = await visit(ben, `/teams/${team}`);
  await theirs.page
    .getByRole('navigation', { name: 'Parts of the team' })
    .getByRole('link', { name: 'Pinned' })
    .click();
  await theirs.page.getByText('Nothing pinned yet').waitFor();
  const message = mine.page.locator(`article[data-message="${id}"]`);
  await message.focus();
  await mine.page.keyboard.press('p');
  await message.getByText('Pinned', { exact: true }).waitFor({ state: 'attached' });
  const list = theirs.page.getByRole('feed', { name: 'Pinned messages, the newest pin first' });
  await list.getByText('Boats go out at six').waitFor(WITHIN);
  await list.getByText('pinned by Ada Test').waitFor();
  await inspect(theirs.page, 'pins');
  await inspect(mine.page, 'pinned-in-stream');

  await theirs.page.keyboard.press('Control+k');
  await theirs.page.keyboard.type('pinned');
  await theirs.page.getByRole('option', { name: 'Pinned Harbour' }).waitFor();
  await theirs.page.keyboard.press('Escape');
  const row = list.getByRole('article').first();
  await row.hover();
  await row.getByRole('button', { name: 'More actions' }).click();
  await theirs.page.getByRole('menuitem', { name: 'More', exact: true }).click();
  await theirs.page.getByRole('menuitem', { name: 'Unpin' }).click();
  await theirs.page.getByText('Nothing pinned yet').waitFor();
  await expect.poll(() => message.getByText('Pinned', { exact: true }).count(), WITHIN).toBe(0);
  expect((await ada.client.get(`/v1/teams/${team}/pins`)).data).toEqual([]);
  expect([...mine.problems, ...theirs.problems]).toEqual([]);
});

it('saved messages and pins fit a phone, and are found there', async () => {
  const ben = await signUp(web.server, 'Ben');
  const team = await makeTeam(ada, [ben], 'Street');
  const id = await say(ada, 'Bins go out on Tuesday, and the glass on the first of the month', {
    addressed_teams: [team],
  });
  await ben.client.put(`/v1/users/me/saved/${id}`);
  await ben.client.put(`/v1/teams/${team}/pins/${id}`);
  const { page, problems } = await visit(ben, '/you', { viewport: PHONE, hasTouch: true });
  await page.getByRole('link', { name: 'Saved' }).tap();
  const list = page.getByRole('feed', { name: 'Saved messages, the newest saved first' });
  await list.getByText('Bins go out').waitFor();
  expect(await tooWide(page)).toEqual([]);
  expect(await tooSmall(page, 'main')).toEqual([]);
  await inspect(page, 'saved-phone');
  await page.goto(`/teams/${team}/pins`);
  await page.getByRole('feed').getByText('Bins go out').waitFor();
  expect(await tooWide(page)).toEqual([]);
  expect(await tooSmall(page, 'main')).toEqual([]);
  await inspect(page, 'pins-phone');
  expect(problems).toEqual([]);
});
