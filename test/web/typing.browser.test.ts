import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, type Visitor, type Web } from '../support/web.ts';

const WITHIN = { timeout: 15_000 };

let web: Web;
let ada: Person;
let ben: Person;
let cleo: Person;
let dan: Person;
let team: string;

beforeAll(async () => {
  web = await startWeb();
  // The first account of a server is its administrator.
  ada = await signUp(web.server, 'Ada', { last_name: '' });
  [ben, cleo, dan] = (await Promise.all(
    ['Ben', 'Cleo', 'Dan'].map((name) => signUp(web.server, name, { last_name: '' })),
  )) as [Person, Person, Person];
  team = await makeTeam(ada, [ben, cleo, dan], 'Workshop');
});
// Nothing that was told, and no stream that was open, in one test counts in the next.
beforeEach(async () => {
  web.server.clock.advance(6);
  await expect.poll(streams, WITHIN).toBe(0);
});
afterAll(() => web?.stop());

/** What is told before a window listens is lost. */
async function visit(person: Person, path: string, options = {}): Promise<Visitor> {
  const before = await streams();
  const visitor = await web.visit(path, { cookie: person.client.cookie, ...options });
  await expect.poll(streams, WITHIN).toBeGreaterThan(before);
  return visitor;
}

const streams = async () => (await ada.client.get('/v1/admin/server')).data[0].streams;

const post = async (person: Person, to: object = { addressed_teams: [team] }): Promise<string> =>
  (await person.client.post('/v1/messages', { text: 'Who has the plan?', ...to })).data[0].id;

const type = (person: Person, where: string, body?: object) => person.client.put(`/v1/${where}/typing`, body);

/** The requests by which a page says that its reader types. */
function told(page: Page): string[] {
  const bodies: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/typing')) bodies.push(request.postData() ?? '');
  });
  return bodies;
}

/** The line above the field, and where the field stands. */
const lineOf = (page: Page) => page.locator('[data-typing]').last();
const placeOf = async (page: Page) => (await page.locator('textarea').last().boundingBox())?.y;

it('one sees that somebody types, until the message comes, and nothing moves', async () => {
  const { page: adas, problems } = await visit(ada, `/teams/${team}`);
  const { page: bens, problems: bensProblems } = await visit(ben, `/teams/${team}`);
  const sent = told(adas);
  const field = adas.locator('textarea');
  await Promise.all([field.waitFor(), bens.locator('textarea').waitFor()]);
  const before = await placeOf(bens);
  await field.pressSequentially('I have it here');
  await bens.getByText('Ada is typing…').waitFor();
  expect(await placeOf(bens)).toBe(before);
  expect(await adas.getByText('is typing').count()).toBe(0);
  expect(sent).toEqual(['{}']);
  await inspect(bens, 'typing');
  await field.press('Enter');
  await bens.getByRole('article').getByText('I have it here').waitFor();
  await bens.getByText('Ada is typing…').waitFor({ state: 'detached' });
  expect([problems, bensProblems]).toEqual([[], []]);
});

it('an empty field and a command tell nobody, and neither does who has switched it off', async () => {
  const eli = await signUp(web.server, 'Eli');
  const pair = await makeTeam(eli, [ada]);
  const { page, problems } = await visit(eli, `/teams/${pair}`);
  const sent = told(page);
  const field = page.locator('textarea');
  await field.fill('   ');
  await field.fill('/help me');
  await field.fill('//two');
  await expect.poll(() => sent).toEqual(['{}']);
  await page.goto(`${web.url}/settings/appearance`);
  const other = page.getByRole('switch', { name: 'Others see when I type' });
  await other.click();
  await page.getByRole('switch', { name: 'I see when others type' }).click();
  const saved = async () => (await eli.client.get('/v1/users/me')).data[0].prefs;
  await expect.poll(saved).toMatchObject({ send_typing: false, show_typing: false });
  await other.scrollIntoViewIfNeeded();
  await inspect(page, 'typing-settings');
  await page.goto(`${web.url}/teams/${pair}`);
  await field.fill('quiet');
  await field.press('Enter');
  await page.getByRole('article').getByText('quiet').waitFor();
  expect(await page.locator('[data-typing]').count()).toBe(0);
  expect(sent).toEqual(['{}']);
  expect(problems).toEqual([]);
});

it('in a thread, a sidebar and a direct conversation, and it ends by itself', async () => {
  const root = await post(ada);
  const { data } = await ada.client.post(`/v1/messages/${root}/sidebars`, {
    users: [ben.id, cleo.id],
    text: 'aside',
  });
  const { page, problems } = await visit(ben, `/teams/${team}?open=${root}`);
  const panel = page.locator('[data-conversation]');
  await panel.locator('textarea').waitFor();
  const before = await placeOf(page);
  await page.clock.install();
  await type(ada, `teams/${team}`, { message: root });
  await panel.getByText('Ada is typing…').waitFor();
  await type(cleo, `teams/${team}`, { message: root });
  await panel.getByText('Ada and Cleo are typing…').waitFor();
  await type(dan, `teams/${team}`, { message: root });
  await panel.getByText('Several people are typing…').waitFor();
  expect(await placeOf(page)).toBe(before);
  await page.clock.fastForward(6000);
  await expect.poll(() => lineOf(page).textContent()).toBe('');
  const sent = told(page);
  await panel.locator('textarea').fill('Not me');
  await expect.poll(() => sent).toEqual([JSON.stringify({ message: root })]);
  await panel.getByRole('group').getByRole('button', { name: 'Cleo' }).click();
  await type(ada, `teams/${team}`, { sidebar: data[0].id });
  await panel.getByText('Ada is typing…').waitFor();
  await panel.locator('textarea').fill('Nor me');
  await expect.poll(() => sent.at(-1)).toBe(JSON.stringify({ sidebar: data[0].id }));

  await post(ada, { addressed_users: [ben.id] });
  const conversation = (await ada.client.get(`/v1/users/me/conversations?with=${ben.id}`)).data[0].id;
  const phone = await visit(ben, `/direct/${ada.id}`, { viewport: PHONE });
  await phone.page.locator('textarea').waitFor();
  await type(ada, `users/me/conversations/${conversation}`);
  await phone.page.getByText('Ada is typing…').waitFor();
  await inspect(phone.page, 'typing-phone');
  const told2 = told(phone.page);
  await phone.page.locator('textarea').fill('Hello');
  await expect.poll(() => told2).toEqual(['{}']);
  expect([problems, phone.problems]).toEqual([[], []]);
});

it('in a subject, those who look at it alone see who types there, and the stream of the team shows all', async () => {
  const about = (name: string) => post(ada, { addressed_teams: [team], subject: name });
  const idOf = async (name: string): Promise<string> =>
    (await ada.client.get(`/v1/messages/${await about(name)}`)).data[0].subject_id;
  const [flour, yeast] = [await idOf('Flour'), await idOf('Yeast')];
  const { page: alone, problems } = await visit(ben, `/teams/${team}?subject=${flour}`);
  const { page: whole, problems: wholeProblems } = await visit(cleo, `/teams/${team}`);
  await Promise.all([alone, whole].map((page) => page.locator('textarea').waitFor()));
  await type(dan, `teams/${team}`, { subject: yeast });
  await whole.getByText('Dan is typing…').waitFor();
  await type(ada, `teams/${team}`, { subject: flour });
  await whole.getByText('Dan and Ada are typing…').waitFor();
  await alone.getByText('Ada is typing…').waitFor();
  const sent = told(alone);
  await alone.locator('textarea').fill('I have some');
  await expect.poll(() => sent).toEqual([JSON.stringify({ subject: flour })]);
  expect([problems, wholeProblems]).toEqual([[], []]);
});
