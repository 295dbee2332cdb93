import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import ar from '../../web/src/text/ar/index.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooWide, type Web } from '../support/web.ts';

const DESK = { width: 1440, height: 900 };
const TEAM = 'غرفة المحركات';

let web: Web;
let layla: Person;
let ben: Person;
let team: string;
let conversation: string;

beforeAll(async () => {
  web = await startWeb();
  layla = await signUp(web.server, 'Layla', { first_name: 'ليلى', last_name: 'حداد', language: 'ar' });
  ben = await signUp(web.server, 'Ben');
  team = await makeTeam(layla, [ben], TEAM);
  await makeTeam(layla, [ben], 'Core (C++)');
  const write = async (person: Person, body: object) =>
    (await person.client.post('/v1/messages', { addressed_teams: [team], ...body })).data[0].id as string;
  await write(layla, { text: 'صباح الخير! هل وصل ضغط المرجل إلى 12 بار؟' });
  conversation = await write(ben, {
    text: 'https://example.org/gauge Good morning. The gauge says 11.8 (rising).',
  });
  const replies = `/v1/messages/${conversation}/replies`;
  await layla.client.post(replies, { text: 'ممتاز، شكرًا يا Ben.' });
  await ben.client.post(replies, { text: 'Any time.' });
  for (const { client } of [layla, ben]) await client.put(`/v1/messages/${conversation}/high_five`);
  await ben.client.post('/v1/messages', { text: 'Only for you', addressed_users: [layla.id] });
});

afterAll(() => web?.stop());

/** Every view stands from right to left, fits its width, and passes axe in both themes. */
async function examine(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate<string>('getComputedStyle(document.body).direction')).toBe('rtl');
  expect(await tooWide(page), `${name} scrolls sideways`).toEqual([]);
  await inspect(page, `arabic-${name}`);
}

it.each([
  ['desk', DESK],
  ['phone', PHONE],
] as const)('the Arabic interface stands from right to left on a %s', async (name, viewport) => {
  // Egypt's own digits would be others.
  const reader = { locale: 'ar-EG', viewport };
  const stranger = await web.visit('/sign-in', reader);
  await stranger.page.getByRole('heading', { level: 1, name: ar.entry.signIn.title }).waitFor();
  const html = stranger.page.locator('html');
  expect([await html.getAttribute('lang'), await html.getAttribute('dir')]).toEqual(['ar', 'rtl']);
  await examine(stranger.page, `${name}-sign-in`);
  expect(stranger.problems).toEqual([]);

  const { page, problems } = await web.visit('/inbox', { ...reader, cookie: layla.client.cookie });
  await page.getByRole('heading', { level: 1, name: ar.members.inbox.title }).waitFor();
  await examine(page, `${name}-inbox`);
  if (name === 'phone') {
    // The first place is at the right, the last one at the left, and the whole width is used.
    const bar = page.getByRole('navigation', { name: ar.shell.navigation });
    const first = await bar.getByRole('link', { name: ar.shell.inbox }).boundingBox();
    const last = await bar.getByRole('link', { name: ar.shell.you }).boundingBox();
    expect([Math.round((first?.x ?? 0) + (first?.width ?? 0)), last?.x]).toEqual([viewport.width, 0]);
    await bar.getByRole('link', { name: ar.shell.teams }).click();
    await page.getByRole('link', { name: TEAM }).waitFor();
    await examine(page, `${name}-teams`);
  } else {
    const navigation = await page.getByRole('navigation', { name: ar.shell.navigation }).boundingBox();
    expect(navigation?.x).toBeGreaterThan(viewport.width / 2);
  }

  await page.goto(`/teams/${team}`);
  const message = page.getByRole('article').filter({ hasText: 'The gauge says' }).first();
  await message.waitFor();
  // Times have Western digits and the Gregorian calendar, as the numbers in our texts.
  await expect.poll(() => page.locator('time').first().innerText()).toMatch(/\d/);
  expect(await page.locator('body').innerText()).not.toMatch(/[٠-٩]/);
  await examine(page, `${name}-team`);

  await message
    .getByRole('link', { name: /ردّان/ })
    .or(message.getByRole('button', { name: /ردّان/ }))
    .first()
    .click();
  await page.getByText('Any time.').first().waitFor();
  await examine(page, `${name}-thread`);

  await page.goto(`/teams/${team}`);
  await message.hover();
  await message.getByRole('button', { name: ar.members.actions.more }).click();
  const menu = page.getByRole('menu');
  await menu.waitFor();
  // The keys stand at the end of their lines, which is at the left.
  const toEnd = await page.evaluate<number[]>(`[...document.querySelectorAll('[role=menu] kbd')].map((key) =>
    Math.round(key.getBoundingClientRect().left - key.closest('[role=menuitem]').getBoundingClientRect().left))`);
  expect(toEnd.length).toBeGreaterThan(2);
  expect(Math.max(...toEnd)).toBeLessThan(20);
  await examine(page, `${name}-menu`);
  await menu.getByRole('menuitem', { name: ar.members.actions.others, exact: true }).click();
  await page.getByRole('menuitem', { name: ar.members.actions.sidebar.replace('…', '') }).click();
  await page.getByRole('dialog', { name: ar.members.sidebar.title }).waitFor();
  await examine(page, `${name}-dialog`);

  await page.goto('/settings/appearance');
  const languages = page.getByRole('group', { name: ar.account.appearance.language });
  await languages.waitFor();
  await expect.poll(() => languages.getByLabel('العربية').isChecked()).toBe(true);
  await examine(page, `${name}-settings`);
  expect(problems).toEqual([]);
});

/** In English each is looked at where it is tested. */
const VIEWS = [
  ['/inbox?show=threads', '/sent', '/drafts', '/direct', '/direct/BEN', '/teams/TEAM', '/messages/MESSAGE'],
  ['/teams/TEAM/members', '/teams/TEAM/applications', '/teams/TEAM/settings', '/compose', '/search?q=gauge'],
  ['/people/BEN', '/settings/profile', '/settings/notifications', '/settings/security', '/settings/data'],
  [
    '/admin',
    '/admin/users',
    '/admin/mails',
    '/admin/audit',
    '/admin/settings',
    '/developers',
    '/you',
    '/teams',
  ],
].flat();

it('every view passes axe in German, in the dark', async () => {
  const { page, problems } = await web.visit('/inbox', {
    cookie: layla.client.cookie,
    locale: 'de-DE',
    viewport: DESK,
  });
  for (const view of VIEWS) {
    const path = view.replace('BEN', ben.id).replace('TEAM', team).replace('MESSAGE', conversation);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await inspect(page, `german${view.replaceAll(/\W/g, '-')}`, 'dark');
  }
  expect(problems).toEqual([]);
});

it('a Latin name at the head of a view stands at the right, and is cut at its end', async () => {
  const [short, long] = ['Bakery', 'Harbour Bakery and Confectionery, Night Shift'];
  const reader = { locale: 'ar-EG', viewport: PHONE, cookie: layla.client.cookie };
  const { page, problems } = await web.visit('/inbox', reader);
  /** Left of the heading and of its text, and right of both. */
  const edges = async (name: string) => {
    await page.goto(`/teams/${await makeTeam(layla, [], name)}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    return page.evaluate<[number, number, number, number]>(`(() => {
      const heading = document.querySelector('h1');
      const range = document.createRange();
      range.selectNodeContents(heading);
      const [text, all] = [range.getBoundingClientRect(), heading.getBoundingClientRect()];
      return [all.left, text.left, text.right, all.right].map(Math.round);
    })()`);
  };
  const [, , end, right] = await edges(short);
  expect(end).toBe(right);
  const [left, begin] = await edges(long);
  expect(begin).toBe(left);
  // The list of teams cuts it as well, and stays as wide as the phone.
  await page.goto('/inbox');
  const bar = page.getByRole('navigation', { name: ar.shell.navigation });
  await bar.getByRole('link', { name: ar.shell.teams }).click();
  await page.getByRole('link', { name: long }).waitFor();
  expect(await tooWide(page)).toEqual([]);
  expect(problems).toEqual([]);
});

interface Drawn {
  getBoundingClientRect(): { left: number };
}
interface Parts {
  nextNode(): { length: number };
}
interface Sign extends Drawn {
  setStart(part: unknown, at: number): void;
  setEnd(part: unknown, at: number): void;
}

/** Where the sign at a place of a text stands, and the box that may cut it off. */
const signAt = (text: Locator, place: number): Promise<{ left: number; box: number }> =>
  text.evaluate((element, place) => {
    const { document } = globalThis as unknown as {
      document: { createTreeWalker(root: unknown, kinds: number): Parts; createRange(): Sign };
    };
    const TEXTS = 4;
    const parts = document.createTreeWalker(element, TEXTS);
    let [part, at] = [parts.nextNode(), place];
    for (; at >= part.length; part = parts.nextNode()) at -= part.length;
    const sign = document.createRange();
    sign.setStart(part, at);
    sign.setEnd(part, at + 1);
    const { left } = sign.getBoundingClientRect();
    return { left, box: element.getBoundingClientRect().left };
  }, place);

it('names keep their sign before them, and a text that is cut off keeps its beginning', async () => {
  const long = `Frankly, ${'this text is far too long for one line '.repeat(8)}`;
  await layla.client.post(`/v1/teams/${team}/groups`, { name: 'stokers', users: [ben.id] });
  await layla.client.post('/v1/messages', { text: long, addressed_users: [ben.id] });
  await ben.client.post('/v1/messages', { text: long, addressed_teams: [team] });
  const own = await layla.client.post('/v1/messages', { addressed_teams: [team], text: long });
  await ben.client.post(`/v1/messages/${own.data[0].id}/replies`, { text: 'Shorter, please.' });
  const reader = { locale: 'ar-EG', viewport: DESK, cookie: layla.client.cookie };
  const { page, problems } = await web.visit(`/teams/${team}/settings`, reader);
  const isInOrder = async (name: Locator) => {
    await name.waitFor();
    expect((await signAt(name, 0)).left).toBeLessThan((await signAt(name, 1)).left);
  };
  await isInOrder(page.getByText('@stokers').last());
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').last().fill('Ben');
  await isInOrder(page.getByRole('option').getByText(/^@/).first());

  const beginsInSight = async (text: Locator) => {
    await text.waitFor();
    const at = ((await text.textContent()) ?? '').indexOf('Frankly');
    const { left, box } = await signAt(text, at);
    expect(left).toBeGreaterThanOrEqual(box);
  };
  await page.goto('/direct');
  await beginsInSight(
    page
      .getByRole('main')
      .getByText(/Frankly/)
      .last(),
  );
  await page.goto('/inbox');
  await beginsInSight(page.getByRole('article').locator('p', { hasText: 'Frankly' }).last());
  // The box that cuts a text off, and puts the sign for it at its end, reads in the direction of the text.
  const style = `[...document.querySelectorAll('article p')]
    .filter((one) => one.textContent.startsWith('Frankly'))
    .map((one) => getComputedStyle(one)).map(({ overflow, direction }) => [overflow, direction])`;
  await expect.poll(() => page.evaluate(style)).toEqual([['hidden', 'ltr']]);
  expect(problems).toEqual([]);
});

it('on a phone a Latin name that is cut off keeps its beginning', async () => {
  const samir = await signUp(web.server, 'Samir', { last_name: 'Haddad of the Northern Harbour Bakery' });
  await makeTeam(samir, [layla], 'Northern Harbour Bakery and Confectionery');
  await samir.client.post('/v1/messages', { text: 'Only for you', addressed_users: [layla.id] });
  const reader = { locale: 'ar-EG', viewport: PHONE, cookie: layla.client.cookie };
  const { page, problems } = await web.visit('/inbox', reader);
  for (const path of ['/inbox', '/direct']) {
    await page.goto(path);
    const name = page
      .getByRole('main')
      .getByText(/^\W*Samir Haddad/)
      .last();
    await name.waitFor();
    const at = ((await name.textContent()) ?? '').indexOf('Samir');
    const { left, box } = await signAt(name, at);
    expect([path, left >= box]).toEqual([path, true]);
  }
  expect(problems).toEqual([]);
});
