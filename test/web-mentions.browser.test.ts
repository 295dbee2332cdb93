import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Mailbox, mailsGo } from './support/mailbox.ts';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  type Person,
  register,
  signUp,
} from './support/people.ts';
import { inspect, startWeb, type Visitor, type Web } from './support/web.ts';

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

  const article = page.getByRole('article').filter({ hasText: 'Ask @ben.k or @Bea. Not @types' });
  await article.getByRole('link', { name: '@ben.k, Ben Test' }).waitFor();
  await article.getByRole('link', { name: '@Bea, Bea Test' }).hover();
  await page.getByText('Bea Test', { exact: true }).waitFor();
  expect(await article.getByRole('link').count()).toBe(2);
  await inspect(page, 'members-mention');
  await article.getByRole('link', { name: '@Bea, Bea Test' }).click();
  await page.getByRole('heading', { name: 'Bea Test', level: 1 }).waitFor();
  await page.getByText('@bea', { exact: true }).waitFor();
  await inspect(page, 'person-username');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).fill('ben');
  await page.getByText('@ben.k', { exact: true }).waitFor();

  await other.getByRole('link', { name: '@ben.k, you' }).waitFor();
  await other.getByRole('link', { name: '@Bea, Bea Test' }).waitFor();
  await inspect(other, 'members-mentioned');
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
  await page.route(/\/connections\?.*query=ben/, async (route) => {
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

it('the givers of high fives are shown in a hint and in a dialog', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Fives');
  const { data } = await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'Done' });
  await ben.client.put(`/v1/messages/${data[0].id}/high_five`);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByRole('button', { name: '1 high five' }).hover();
  await page.getByText('Ben Test', { exact: true }).waitFor();
  await inspect(page, 'members-high-fives-hint');
  // The hint disappears with its message.
  await ben.client.delete(`/v1/messages/${data[0].id}/high_five`);
  await page.getByText('Ben Test', { exact: true }).waitFor({ state: 'detached' });
  await ben.client.put(`/v1/messages/${data[0].id}/high_five`);
  // The names are asked for again before the high five has arrived.
  const early = page.waitForResponse(/\/high_fives\?/);
  await page.route(/\/high_five$/, async (route) => {
    await early;
    await route.continue();
  });
  await page.getByRole('button', { name: '1 high five' }).click();
  await page.getByRole('button', { name: '2 high fives' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Who gave high fives…' }).click();
  const dialog = page.getByRole('dialog', { name: 'High fives from' });
  await dialog.getByRole('link', { name: 'Ben Test' }).waitFor();
  await dialog.getByRole('link', { name: 'Ada Test' }).waitFor();
  await inspect(page, 'members-high-fives');
  expect(problems).toEqual([]);
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
  expect(await link.getAttribute('href')).toBe(`${host.url}/tasks/1`);
  expect(await link.locator('[aria-hidden="true"]').count()).toBe(1);
  await page.getByRole('article').getByText('with Tracker').waitFor();
  await inspect(page, 'members-object');
  await application.credentials.delete(`${path}/${id}`);
  await page.reload();
  await page.getByRole('article').getByText('Bake bread').waitFor();
  expect(await link.count()).toBe(0);
  expect(problems).toEqual([]);
});
