import { afterAll, beforeAll, expect, it } from 'vitest';
import { plain } from '../support/clicks.ts';
import { Feed } from '../support/feed.ts';
import {
  ApplicationHost,
  install,
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

/** A team with an application that has a home, and reads its events. */
async function place(name: string) {
  const team = await makeTeam(ada, [ben], name);
  const app = await register(dev, host, { name: 'Tasks', icon: '📌', scopes: ['messages:write'] });
  await dev.client.patch(`/v1/applications/${app.id}`, { has_home: true });
  await install(ada, team, app);
  const feed = await Feed.open(app.credentials, `/v1/applications/${app.id}`);
  return { team, app, feed, path: `/teams/${team}/applications/${app.id}/home` };
}

async function publish(app: RegisteredApplication, team: string, person: Person, text: string) {
  const blocks = [
    { type: 'header', block_id: 'title', text: plain(text) },
    {
      type: 'input',
      block_id: 'new',
      label: plain('Next task'),
      element: { type: 'plain_text_input', action_id: 'text' },
    },
    {
      type: 'actions',
      block_id: 'do',
      elements: [
        { type: 'button', action_id: 'add', text: plain('Add'), value: '7', style: 'primary' },
        { type: 'static_select', action_id: 'show', options: [{ text: plain('All'), value: 'all' }] },
      ],
    },
  ];
  const { status } = await app.credentials.put(`/v1/applications/${app.id}/homes/${person.id}?team=${team}`, {
    blocks,
  });
  expect(status).toBe(200);
}

/** The events of a kind that the application has had, once there are so many. */
async function heard(feed: Feed, kind: string, count = 1) {
  const all = () => feed.events.filter(({ type }) => type === kind);
  await feed.until(() => all().length >= count);
  expect(all().length).toBe(count);
  return all().map(({ data }) => data);
}

it('a home is opened where applications are, told to its application, and changes at once (claim: home-opened)', async () => {
  const { team, app, feed, path } = await place('Bakery');
  const { page, problems } = await visit(ben, `/teams/${team}/applications`);
  await page.getByRole('link', { name: 'Open Tasks' }).press('Enter');
  const home = page.getByRole('region', { name: 'Home of Tasks' });
  await home.getByText('Tasks shows nothing here yet').waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  expect(await page.title()).toContain('Tasks · Bakery');
  await home.getByText('In Bakery').waitFor();
  await home.getByText('Tasks is working on it…').waitFor();
  await inspect(page, 'home-empty');
  expect(await heard(feed, 'application.opened')).toMatchObject([{ user: ben.id, team }]);

  await publish(app, team, ben, 'Two tasks');
  await home.getByRole('heading', { name: 'Two tasks' }).waitFor();
  await inspect(page, 'home');
  const field = home.getByRole('textbox', { name: 'Next task' });
  await field.fill('Bread');
  await publish(app, team, ben, 'Three tasks');
  await home.getByRole('heading', { name: 'Three tasks' }).waitFor();
  expect(await field.inputValue()).toBe('Bread');
  await home.getByRole('button', { name: 'Add' }).press('Enter');
  await home.getByText('Tasks is working on it…').waitFor();
  const [click] = await heard(feed, 'interaction');
  expect(click).toMatchObject({ action_id: 'add', value: '7', team, state: { new: { text: 'Bread' } } });
  await web.server.anonymous().post(new URL(click.response_url).pathname, {
    form: { title: 'A new task', submit: 'Add', blocks: [{ type: 'divider' }] },
  });
  await page.getByRole('dialog', { name: 'A new task' }).waitFor();
  await page.keyboard.press('Escape');
  await home.getByRole('button', { name: 'Add' }).and(page.locator(':focus')).waitFor();

  // From elsewhere in the team by name, which is another visit; and to each person another page.
  await page.goto(`/teams/${team}`);
  await page.getByRole('textbox', { name: 'Write to Bakery' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).fill('tasks');
  await page.getByRole('option', { name: /Home of Tasks.*Bakery/ }).waitFor();
  await inspect(page, 'home-jump');
  await page.keyboard.press('Enter');
  await home.getByRole('heading', { name: 'Three tasks' }).waitFor();
  await heard(feed, 'application.opened', 2);
  const other = await visit(ada, path);
  await other.page.getByText('Tasks shows nothing here yet').waitFor();
  expect([problems, other.problems]).toEqual([[], []]);
  feed.close();
});

it('a home whose application does not answer says so, and is tried again', async () => {
  const { app, team, feed, path } = await place('Forge');
  const { page, problems } = await visit(ben, path);
  const home = page.getByRole('region', { name: 'Home of Tasks' });
  await home.getByText('Tasks is working on it…').waitFor();
  web.server.clock.advance(900);
  await home.getByText('Tasks did not answer.').waitFor();
  await inspect(page, 'home-failed');
  const again = page.waitForRequest(/\/home\/openings/);
  await home.getByRole('button', { name: 'Try again' }).press('Enter');
  await again;
  await publish(app, team, ben, 'Here it is');
  await home.getByRole('heading', { name: 'Here it is' }).waitFor();
  await expect.poll(() => home.getByText('did not answer').count()).toBe(0);
  expect(problems).toEqual([]);
  feed.close();
});

it('a home fits a phone, in Arabic too', async () => {
  const { app, team, feed, path } = await place('Yard');
  await publish(app, team, ben, 'Two tasks');
  for (const locale of ['en-GB', 'ar']) {
    const { page, problems } = await visit(ben, path, {
      ...{ viewport: PHONE, hasTouch: true, isMobile: true },
      locale,
    });
    await page.getByRole('heading', { name: 'Two tasks' }).waitFor();
    await inspect(page, `home-phone-${locale}`);
    expect(await tooWide(page)).toEqual([]);
    expect(await tooSmall(page, 'main')).toEqual([]);
    expect(problems).toEqual([]);
  }
  feed.close();
});
