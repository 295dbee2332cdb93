import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventStream } from '../support/event-stream.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import {
  answerFirst,
  inspect,
  intercept,
  PHONE,
  picture,
  startWeb,
  tooSmall,
  tooWide,
  type Visitor,
  type Web,
} from '../support/web.ts';

let web: Web;
let ada: Person;
let ben: Person;
let team: string;

beforeAll(async () => {
  web = await startWeb();
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
  team = await makeTeam(ada, [ben], 'Bakery');
  await makeTeam(ada, [], 'Cellar');
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const write = (person: Person, body: object) => person.client.post('/v1/messages', body);

it('names are found without their strokes and accents, wherever they are typed', async () => {
  const lukasz = await signUp(web.server, 'Łukasz', { last_name: 'Ørsted' });
  const cafe = await makeTeam(ada, [lukasz], 'Café Łódź');
  const { page, problems } = await visit(ada, `/teams/${cafe}`);
  const writing = page.getByRole('textbox', { name: 'Write to Café Łódź' });
  await writing.pressSequentially('@lukas');
  await page.getByRole('option', { name: 'Łukasz Ørsted' }).waitFor();
  await writing.fill('');

  for (const [text, found] of [
    ['lodz cafe', 'Café Łódź'],
    ['orst', 'Łukasz Ørsted'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Jump to…' }).fill(text);
    await page.getByRole('option', { name: found }).waitFor();
    await page.keyboard.press('Escape');
  }

  await page.goto(`/teams/${cafe}/members?q=orst`);
  await page.getByRole('list', { name: 'Members' }).getByText('Łukasz Ørsted').waitFor();
  await page.goto('/compose');
  const to = page.getByRole('combobox', { name: 'To' });
  await to.fill('lodz');
  await page.getByRole('option', { name: 'Café Łódź' }).waitFor();
  expect(problems).toEqual([]);
});

it('Ctrl-K leads to a team, a person, a place and a search, with the keyboard alone', async () => {
  const { page, problems } = await visit(ada, '/inbox');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  const jump = async (text: string) => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Jump to…' });
    await field.fill(text);
    return page.getByRole('option').first();
  };
  await (await jump('')).waitFor();
  await inspect(page, 'jump');

  await (await jump('bak')).filter({ hasText: 'Bakery' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/teams/${team}`);
  // A name is typed to write there: the next letters are a text, not shortcuts.
  const writing = page.getByRole('textbox', { name: 'Write to Bakery' });
  await writing.and(page.locator(':focus')).waitFor();

  await (await jump('ben t')).filter({ hasText: 'Ben Test' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/direct/${ben.id}`);

  // People found by the palette can also be found in the new message's field.
  await (await jump('new message')).filter({ hasText: 'New message' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/compose');
  await page.getByRole('combobox', { name: 'To' }).fill('ben t');
  await page.getByRole('option', { name: 'Ben Test' }).click();

  await (await jump('settings')).filter({ hasText: 'Settings' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/settings/profile');

  await (await jump('yeast & salt')).filter({ hasText: 'yeast & salt' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/search' && url.searchParams.get('q') === 'yeast & salt');
  await page.goBack();
  await page.waitForURL('**/settings/profile');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Jump to…' }).waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('Ctrl-K begins with what is unread, then has teams in the order in which people sort', async () => {
  const cleo = await signUp(web.server, 'Cleo');
  await makeTeam(cleo, [], 'Aisle 10');
  await makeTeam(cleo, [], 'aisle 2');
  await makeTeam(cleo, [], `Z${'W'.repeat(60)}`);
  const news = await makeTeam(cleo, [ben], 'News');
  await write(ben, { addressed_teams: [news], text: 'Read me' });
  const { page, problems } = await visit(cleo, '/inbox');
  await page.getByRole('navigation').getByText('1 unread').first().waitFor();
  // A long name ends early, and pushes no number out of sight.
  const wide = `[...document.querySelectorAll('nav *')].filter((it) => it.scrollWidth > it.clientWidth)
    .filter((it) => getComputedStyle(it).overflowX === 'auto').length`;
  expect(await page.evaluate(wide)).toBe(0);
  await page.keyboard.press('Control+k');
  const options = page.getByRole('option');
  await options.first().filter({ hasText: 'News' }).waitFor();
  await options.nth(1).filter({ hasText: 'aisle 2' }).waitFor();
  await options.nth(2).filter({ hasText: 'Aisle 10' }).waitFor();
  expect(problems).toEqual([]);
});

it('marks the chosen team and tab also in forced colours, which take all others away', async () => {
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.getByRole('link', { name: 'Members', exact: true }).waitFor();
  await page.emulateMedia({ forcedColors: 'active' });
  const links =
    await page.evaluate(`[...document.querySelectorAll('nav a')].filter((link) => link.checkVisibility()).map((link) => {
    return { chosen: link.ariaCurrent === 'page', framed: getComputedStyle(link).outlineStyle === 'solid' };
  })`);
  const all = links as { chosen: boolean; framed: boolean }[];
  expect(all.filter(({ chosen }) => chosen).length).toBe(2);
  expect(all.filter(({ chosen, framed }) => chosen !== framed)).toEqual([]);
  // Stream, Files, Pinned, Members, Applications, Settings: only the line below the first is seen.
  const lines = (await page.evaluate(
    `[...document.querySelectorAll('main nav a')].map((tab) => getComputedStyle(tab).borderBlockEndColor)`,
  )) as string[];
  expect([lines.length, new Set(lines).size, new Set(lines.slice(1)).size]).toEqual([6, 2, 1]);
  await picture(page, 'shell-forced-colours');
  expect(problems).toEqual([]);
});

it('keeps the head, the tabs and the background of a team in place while its tabs change', async () => {
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await page.setViewportSize({ width: 1920, height: 1080 });
  for (const width of [1920, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    const places: PlacesOfHead[] = [];
    for (const tab of ['Stream', 'Files', 'Members', 'Applications', 'Settings']) {
      await page.getByRole('main').getByRole('link', { name: tab, exact: true }).click();
      await page.getByRole('link', { name: tab, exact: true }).and(page.locator('[aria-current]')).waitFor();
      await page.getByRole('heading', { level: 1, name: 'Bakery' }).waitFor();
      const placesNow = () => page.evaluate<PlacesOfHead>(placesOfHead);
      places.push(await placesNow());
      // While it loads, something else may stand at the place whose colour is read.
      await expect.poll(async () => (await placesNow()).behind).toBe(SURFACE);
    }
    expect(places[0]?.boxes).toEqual(expect.arrayContaining([expect.arrayContaining([width])]));
    for (const { boxes } of places) expect(boxes).toEqual(places[0]?.boxes);
  }
  expect(problems).toEqual([]);
});

/** The colour of pages in light. */
const SURFACE = 'rgb(255, 255, 255)';

interface PlacesOfHead {
  readonly boxes: readonly number[][];
  readonly behind: string;
}

/** The edges of a team's head and of what stands in it, and the colour behind the content below. */
const placesOfHead = `(() => {
  const head = document.querySelector('main header');
  const fixed = [head, ...head.querySelectorAll('h1, p, :scope > :first-child'), ...document.querySelectorAll('header + nav, header + nav a')];
  const boxes = fixed.map((element) => {
    const { top, right, bottom, left } = element.getBoundingClientRect();
    return element.matches('h1, p') ? [left, top, bottom] : [left, top, right, bottom];
  });
  let behind = document.elementFromPoint(innerWidth - 40, innerHeight / 2);
  while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
  return { boxes, behind: getComputedStyle(behind).backgroundColor };
})()`;

it('leads to what is unread beyond the edges of the navigation, and marks what is said to the reader', async () => {
  const dora = await signUp(web.server, 'Dora');
  const teams = [];
  for (let count = 10; count < 45; count += 1) teams.push(await makeTeam(dora, [ben], `Team ${count}`));
  const { username } = (await dora.client.get('/v1/users/me')).data[0];
  await write(ben, { addressed_teams: [teams[1]], text: `Are you there, @${username}?` });
  await write(ben, { addressed_teams: [teams[33]], text: 'To all' });
  await write(ben, { addressed_users: [dora.id], text: 'To you' });
  const { page, problems } = await visit(dora, '/inbox');
  const navigation = page.getByRole('navigation', { name: 'Parley' });
  const focused = () => page.evaluate('document.activeElement.textContent');
  // A filled number for what is said to the reader, a plain one for the rest of a team.
  await navigation
    .getByRole('link', { name: /^Team 11 1 conversation has something new for you, 1 unread$/ })
    .waitFor();
  await navigation.getByRole('link', { name: /^Team 43 1 unread$/ }).waitFor();
  const grounds = await page.evaluate(
    `[...document.querySelectorAll('[data-news] > :last-child')].map((badge) => getComputedStyle(badge).backgroundColor)`,
  );
  const filled = expect.not.stringMatching('0, 0, 0, 0');
  expect(grounds).toEqual([filled, 'rgba(0, 0, 0, 0)', filled]);

  await inspect(page, 'shell-unread-below');
  await navigation.getByRole('button', { name: '1 unread below' }).click();
  await expect.poll(focused).toContain('Ben');
  // Teams with something new come first.
  await navigation.getByRole('button', { name: '2 unread above' }).click();
  await expect.poll(focused).toContain('Team 43');
  await page.goto(`/teams/${teams[34]}`);
  const current = navigation.getByRole('link', { name: 'Team 44' });
  await expect
    .poll(
      async () => ((await current.boundingBox())?.y ?? 0) < ((await navigation.boundingBox())?.height ?? 0),
    )
    .toBe(true);
  expect(problems).toEqual([]);
});

it('shows every key that works, and none of them while one writes', async () => {
  const { page, problems } = await visit(ada, '/inbox');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('New message').waitFor();
  await inspect(page, 'shortcuts');
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.waitForURL('**/search');
  await page.getByRole('searchbox', { name: 'Words' }).fill('c?i/');
  expect(new URL(page.url()).pathname).toBe('/search');
  expect(await list.count()).toBe(0);
  expect(problems).toEqual([]);
});

it('finds messages, narrowed by team, author, day and kind, at an address that can be shared', async () => {
  await write(ada, { addressed_teams: [team], text: 'The sourdough rises at dawn' });
  await write(ben, { addressed_teams: [team], text: 'Sourdough again, see https://example.org/bread' });
  await write(ben, { addressed_users: [ada.id], text: 'Between us: **sourdough is** overrated' });
  const { page, problems } = await visit(ada, '/search');
  await page.getByRole('heading', { name: 'Find what was said' }).waitFor();
  await inspect(page, 'search-empty');
  await page.getByRole('searchbox', { name: 'Words' }).fill('sourd');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const found = page
    .getByRole('main')
    .getByRole('link')
    .filter({ hasText: /sourdough/i });
  await expect.poll(() => found.count()).toBe(3);
  expect(await page.locator('mark').first().textContent()).toMatch(/^sourd/i);
  await expect.poll(() => page.title()).toContain('Search: sourd · Parley');
  await page.getByText('Between us: sourdough is overrated').waitFor();
  await inspect(page, 'search');

  await page.getByLabel('Team', { exact: true }).selectOption({ label: 'Bakery' });
  await expect.poll(() => found.count()).toBe(2);
  await page.getByRole('combobox', { name: 'By' }).fill('ben');
  await page.getByRole('option', { name: 'Ben Test' }).click();
  await expect.poll(() => found.count()).toBe(1);
  await page.getByLabel('With').selectOption({ label: 'A link' });
  await expect.poll(() => found.count()).toBe(1);
  const shared = new URL(page.url());
  expect(Object.fromEntries(shared.searchParams)).toEqual({ q: 'sourd', team, author: ben.id, has: 'link' });

  await page.getByLabel('To', { exact: true }).fill('2001-01-01');
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  await page.goto(shared.href);
  await expect.poll(() => found.count()).toBe(1);
  await page.getByText('Ben Test').first().waitFor();
  // A result stands in its place, with what was said before and after it.
  await found.first().click();
  await page.waitForURL(`**/teams/${team}?at=*`);
  await page.locator('article[aria-current="true"]').getByText('Sourdough again').waitFor();
  await page.getByRole('article').getByText('The sourdough rises at dawn').waitFor();
  await inspect(page, 'search-place');
  await page.goBack();
  await expect.poll(() => found.count()).toBe(1);
  // On a phone the filters are folded, so that what was found is in view.
  const fold = page.getByRole('button', { name: 'Filters (3)' });
  expect(await fold.count()).toBe(0);
  await page.setViewportSize(PHONE);
  await fold.waitFor();
  await expect.poll(async () => (await found.first().boundingBox())?.y).toBeLessThan(PHONE.height / 2);
  await inspect(page, 'search-phone');
  await fold.click();
  await page.getByLabel('With').selectOption({ label: 'Anything' });
  await page.getByRole('button', { name: 'Filters (2)', expanded: true }).waitFor();
  await inspect(page, 'search-phone-filters');
  expect(problems).toEqual([]);
});

it('a search takes filters that are typed among the words, and names them where one fits nothing', async () => {
  await write(ben, { addressed_teams: [team], text: 'Spelt loaf, see https://example.org/spelt' });
  await write(ada, { addressed_teams: [team], text: 'Spelt rolls' });
  const { page, problems } = await visit(ada, '/search');
  const words = page.getByRole('searchbox', { name: 'Words' });
  const found = page.getByRole('main').getByRole('link').filter({ hasText: 'Spelt' });
  const filters = () => Object.fromEntries(new URL(page.url()).searchParams);
  await words.fill('spelt');
  await words.press('Enter');
  await expect.poll(() => found.count()).toBe(2);
  await words.fill('spelt from:ben in:bakery has:link');
  await words.press('Enter');
  await expect.poll(() => found.count()).toBe(1);
  expect(filters()).toEqual({ q: 'spelt', author: ben.id, team, has: 'link' });
  await expect.poll(() => words.inputValue()).toBe('spelt');
  await page.getByLabel('Ben Test', { exact: true }).waitFor();

  await page.goto(`/search?q=${encodeURIComponent('from:zoe spelt before:easter')}`);
  await page
    .getByText(
      'No filter fits from:zoe and before:easter. Choose one above, under By, Team, With, From or To.',
    )
    .waitFor();
  await inspect(page, 'search-no-filter');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).fill('from:me');
  await page.getByRole('option', { name: 'from:me' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Write a word as well').waitFor();
  expect(filters()).toEqual({ author: ada.id });
  expect(problems).toEqual([]);
});

it('what was found follows an edit, goes with a deletion, and with the reader’s place in the team', async () => {
  const eve = await signUp(web.server, 'Eve');
  const attic = await makeTeam(ada, [eve], 'Attic');
  const attics = { addressed_teams: [attic] };
  const { id: note } = (await write(ada, { ...attics, text: 'Walnut chest, upstairs' })).data[0];
  const { id: slip } = (await write(ada, { ...attics, text: 'Walnut price: the secret one' })).data[0];
  await write(ada, { ...attics, text: 'Walnut table, downstairs' });
  const { page, problems } = await visit(eve, '/search?q=walnut');
  const found = page.getByRole('main').getByRole('link').filter({ hasText: 'Walnut' });
  await expect.poll(() => found.count()).toBe(3);
  await ada.client.patch(`/v1/messages/${note}`, { text: 'Walnut chest, sold' });
  await page.getByText('Walnut chest, sold').waitFor();
  await ada.client.delete(`/v1/messages/${slip}`);
  await expect.poll(() => found.count()).toBe(2);
  expect(await page.getByText('the secret one').count()).toBe(0);
  await ada.client.delete(`/v1/teams/${attic}/users/${eve.id}`);
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  expect(problems).toEqual([]);
});

it('what was found has the new name of its subject at once, and nothing is asked again', async () => {
  const shed = await makeTeam(ada, [ben], 'Shed');
  const about = { addressed_teams: [shed], subject: 'Timber' };
  const { id } = (await write(ada, { ...about, text: 'Larch boards' })).data[0];
  await ben.client.post(`/v1/messages/${id}/replies`, { text: 'Larch, yes' });
  const { subject_id: timber } = (await ada.client.get(`/v1/messages/${id}`)).data[0];
  const { page, problems } = await visit(ada, '/search?q=larch');
  await page.getByText('in Shed › Timber').first().waitFor();
  const asked: string[] = [];
  page.on('request', (request) => void (request.url().includes('q=larch') && asked.push(request.url())));
  await ada.client.patch(`/v1/teams/${shed}/subjects/${timber}`, { name: 'Wood' });
  await expect.poll(() => page.getByText('Shed › Wood').count()).toBe(2);
  // The event has the name: nothing is asked again.
  expect(asked).toEqual([]);
  expect(problems).toEqual([]);
});

it('on a phone a bar leads to every place in two touches, and makes room while one writes', async () => {
  const { page, problems } = await visit(ada, '/inbox', { viewport: PHONE, hasTouch: true });
  const bar = page.getByRole('navigation', { name: 'Parley' });
  const marked = bar.locator('[aria-current="page"]');
  const places = ['Inbox', 'Teams', 'Direct', 'Search', 'You'];
  await expect.poll(() => bar.getByRole('link').count()).toBe(places.length);
  // By their order: what is new is part of a name, and "for you" may be in it.
  for (const [at, place] of places.entries()) {
    await bar.getByRole('link').nth(at).tap();
    await expect.poll(() => marked.allInnerTexts()).toEqual([expect.stringContaining(place)]);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  const frames = `[...document.querySelectorAll('nav a')].filter((link) => link.checkVisibility()).map((link) => getComputedStyle(link).outlineStyle)`;
  await expect.poll(() => page.evaluate(frames)).toEqual(['none', 'none', 'none', 'none', 'solid']);
  await page.emulateMedia({ forcedColors: 'none' });

  // The page of the reader leads to all that the wide navigation has at its foot.
  const main = page.getByRole('main');
  for (const place of ['Profile', 'Status…', 'Drafts', 'Sent', 'Settings', 'Appearance', 'Developers']) {
    await main.getByRole('link', { name: place, exact: true }).waitFor();
  }
  await main.getByRole('button', { name: 'Sign out' }).waitFor();
  await inspect(page, 'phone-you');
  await main.getByRole('link', { name: 'Developers' }).tap();
  await page.waitForURL('**/developers**');
  await expect.poll(() => marked.innerText()).toBe('You');

  await bar.getByRole('link', { name: 'Teams' }).tap();
  await main.getByRole('link', { name: 'New team' }).waitFor();
  await inspect(page, 'phone-teams');
  await main.getByRole('button', { name: 'Jump to…' }).tap();
  await page.getByRole('combobox', { name: 'Jump to…' }).waitFor();
  await page.keyboard.press('Escape');
  await main.getByRole('link', { name: 'Bakery' }).tap();
  await page.getByRole('heading', { level: 1, name: 'Bakery' }).waitFor();
  await expect.poll(() => marked.innerText()).toBe('Teams');

  // The field has the focus: the bar goes, and comes back with it.
  await page.getByRole('textbox', { name: 'Write to Bakery' }).tap();
  await bar.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { level: 1, name: 'Bakery' }).tap();
  await bar.waitFor();
  expect(problems).toEqual([]);
});

it('on a phone a finger hits every control, and no view is wider than the screen', async () => {
  await ada.client.post('/v1/messages', { addressed_users: [ben.id], text: 'Only for you' });
  const { data } = await write(ben, {
    addressed_teams: [team],
    text: 'Is the word @ada_the_baker_of_the_old_harbour_bakery broken, or https://example.org/a/very/long/path/to/a/picture?',
  });
  const thread = data[0].id as string;
  for (const text of ['One line', 'after', 'the other']) await write(ben, { addressed_teams: [team], text });
  await ada.client.post(`/v1/messages/${thread}/replies`, { text: 'It is' });
  await ada.client.put(`/v1/messages/${thread}/high_five`);
  const { page, problems } = await visit(ada, '/inbox', {
    viewport: { width: 360, height: 640 },
    hasTouch: true,
  });
  const faults: string[] = [];
  const examine = async (name: string, within?: string) => {
    await picture(page, `phone-${name.replaceAll('/', '_')}`);
    for (const one of await tooWide(page)) faults.push(`${name} scrolls sideways: ${one}`);
    for (const one of await tooSmall(page, within)) faults.push(`${name} has a small control: ${one}`);
  };
  const ofTeam = ['', `?open=${thread}`, '/members', '/applications', '/settings'];
  const ofSettings = ['profile', 'notifications', 'appearance', 'security', 'applications', 'data'];
  for (const path of [
    ...['/inbox', '/teams', '/teams/new', '/direct', `/direct/${ben.id}`, '/sent', '/compose', '/drafts'],
    ...['/search', '/search?q=word', '/you', `/people/${ben.id}`, `/messages/${thread}`],
    ...ofTeam.map((part) => `/teams/${team}${part}`),
    ...ofSettings.map((part) => `/settings/${part}`),
    ...['/developers', '/developers/new', '/developers/try'],
  ]) {
    await page.goto(path);
    await page.locator('main :is(h1, h2)').filter({ visible: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await examine(path);
  }
  await page.goto(`/teams/${team}`);
  await page.getByRole('article').last().getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  await examine('menu', '[role=menu]');
  await page.getByRole('menuitem', { name: 'More', exact: true }).tap();
  await page.getByRole('menuitem', { name: 'Begin a sidebar' }).tap();
  await page.getByRole('dialog').waitFor();
  await examine('dialog', '[role=dialog]');
  expect([...faults, ...problems]).toEqual([]);
});

const NOTES_END = `[...document.querySelectorAll('[role=status]')]
  .find((one) => getComputedStyle(one).position === 'fixed').getBoundingClientRect().bottom`;

it('on a phone messages have two thirds of the height above the keyboard, and a resting finger opens their menu', async () => {
  const loaves = await makeTeam(ada, [ben], 'Loaves');
  for (let loaf = 1; loaf <= 15; loaf++) {
    await write(loaf % 2 ? ada : ben, { addressed_teams: [loaves], text: `Loaf ${loaf} is in the oven` });
  }
  const { page, context, problems } = await visit(ada, `/teams/${loaves}`, {
    viewport: PHONE,
    hasTouch: true,
  });
  const bar = page.getByRole('navigation', { name: 'Parley' });
  const field = page.getByRole('textbox', { name: 'Write to Loaves' });
  const last = page.getByRole('article').filter({ hasText: 'Loaf 15' });
  const scroller = page.locator('[data-feed]');
  const toEnd = () => scroller.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
  await last.waitFor();
  await scroller.evaluate((one) => one.scrollTo(0, one.scrollHeight));
  await expect.poll(toEnd).toBeLessThan(2);

  // The keyboard takes what it takes on a real phone, and the stream stays at its end.
  for (const height of [480, 400]) {
    for (const draft of ['', 'A draft\nof many\nlines\n'.repeat(5)]) {
      await page.setViewportSize(PHONE);
      await field.fill(draft);
      await field.tap();
      await page.setViewportSize({ width: PHONE.width, height });
      await bar.waitFor({ state: 'hidden' });
      await expect
        .poll(async () => ((await scroller.boundingBox())?.height ?? 0) / height)
        .toBeGreaterThanOrEqual(2 / 3);
      await expect.poll(toEnd).toBeLessThan(2);
      // Notes that come and go stand above, where they hide neither what one writes nor the bar.
      expect(await page.evaluate(NOTES_END)).toBeLessThan(height / 4);
      await picture(page, `phone-keyboard-${height}-${draft.length}`);
    }
  }
  // The keyboard is closed, and the field keeps the focus.
  await page.setViewportSize(PHONE);
  await bar.waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  await field.fill('');

  const finger = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: at });
  // Beside the text: near a link, browsers take a finger for one on the link.
  const beside = async () => ({ x: 280, y: ((await last.getByText('Loaf 15').boundingBox())?.y ?? 0) + 8 });
  const at = await beside();
  const menu = page.getByRole('menu');
  await page.clock.install();
  // A tap and a scroll are none, however long the finger stays afterwards.
  await touch('touchStart', at);
  await touch('touchEnd');
  await page.clock.fastForward(5000);
  await touch('touchStart', at);
  await touch('touchMove', { x: at.x, y: at.y + 30 });
  await touch('touchMove', { x: at.x, y: at.y + 60 });
  await page.clock.fastForward(5000);
  expect(await menu.count()).toBe(0);
  await touch('touchEnd');

  await scroller.evaluate((one) => one.scrollTo(0, one.scrollHeight));
  await last.scrollIntoViewIfNeeded();
  await touch('touchStart', await beside());
  await page.clock.fastForward(1000);
  await menu.waitFor();
  await touch('touchEnd');
  expect(await page.evaluate('getSelection().isCollapsed')).toBe(true);
  await menu.getByRole('menuitem', { name: 'High five' }).tap();
  await last.getByRole('button', { name: '1 high five' }).waitFor();

  // A part of the text is selected in a dialog, where a resting finger is the browser's.
  await last.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'More', exact: true }).tap();
  await page.getByRole('menuitem', { name: 'Select text…' }).tap();
  const dialog = page.getByRole('dialog', { name: 'Select text' });
  const words = dialog.getByText('Loaf 15 is in the oven');
  await words.waitFor();
  const styled = `getComputedStyle([...document.querySelectorAll('[role=dialog] p')].at(-1)).userSelect`;
  expect(await page.evaluate(styled)).toBe('text');
  await inspect(page, 'phone-select-text');
  const box = await words.boundingBox();
  await touch('touchStart', { x: (box?.x ?? 0) + 10, y: (box?.y ?? 0) + 8 });
  await page.clock.fastForward(1000);
  await touch('touchEnd');
  expect(await menu.count()).toBe(0);
  expect(problems).toEqual([]);
});

it('shows a lost connection, and catches up after reconnecting', async () => {
  const { page, context } = await visit(ada, `/teams/${team}`);
  await page.getByRole('textbox', { name: 'Write to Bakery' }).waitFor();
  // Code that the loss of the connection cuts off is had by a reload.
  await page.waitForLoadState('networkidle');
  const banner = page.getByText('No connection.');
  // The stream of events is open: from here on its loss is one.
  await expect
    .poll(
      async () =>
        (await ben.client.get(`/v1/teams/${team}/users`)).data.find(({ userid }) => userid === ada.id)?.user
          .online,
    )
    .toBe(true);
  await context.setOffline(true);
  await banner.waitFor();
  await inspect(page, 'offline');
  await write(ben, { addressed_teams: [team], text: 'While you were away' });
  await context.setOffline(false);
  await banner.waitFor({ state: 'detached' });
  await page.getByRole('article').getByText('While you were away').waitFor();
  // The same build: there is nothing to reload.
  const offer = page.getByRole('button', { name: 'Reload' });
  expect(await offer.count()).toBe(0);

  // Another build comes with the next connection; what is being written survives.
  let isOffline = false;
  await intercept(context, new RegExp(`^${web.url}/(\\?again)?$`), async (route) => {
    // An intercepted request would be answered all the same, and the page be reloaded for code that cannot be loaded.
    if (isOffline) return route.abort('internetdisconnected');
    const html = await (await route.fetch()).text();
    await route.fulfill({ contentType: 'text/html', body: html.replaceAll('/assets/', '/assets/newer-') });
  });
  await page.getByRole('textbox', { name: 'Write to Bakery' }).fill('Half a sentence');
  const reconnect = async () => {
    isOffline = true;
    await context.setOffline(true);
    await banner.waitFor();
    isOffline = false;
    await context.setOffline(false);
    await offer.waitFor();
  };
  await reconnect();
  await page.getByRole('status').getByRole('button', { name: 'Close' }).click();
  await offer.waitFor({ state: 'detached' });
  await reconnect();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Write to Bakery' }).inputValue())
    .toBe('Half a sentence');
  await inspect(page, 'new-version');
  await offer.click();
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Write to Bakery' }).inputValue())
    .toBe('Half a sentence');
  await page.getByRole('textbox', { name: 'Write to Bakery' }).fill('');
});

it('a view that cannot be loaded without a connection says so beside the navigation, and is loaded later', async () => {
  const { page, context } = await visit(ada, '/inbox');
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  const navigation = page.getByRole('navigation', { name: 'Parley' });
  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  expect(await navigation.count()).toBe(1);
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await again.click();
  await inspect(page, 'view-out-of-reach');
  await navigation.getByRole('link', { name: /^Inbox/ }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Developers' }).click();
  await again.waitFor();
  await context.setOffline(false);
  await again.click();
  await page.getByRole('heading', { name: 'Build something on Parley' }).waitFor();
});

it('retries catching up, and looking for a new version, when the server could not answer at once', async () => {
  const { page, context } = await visit(ada, `/teams/${team}`);
  await write(ben, { addressed_teams: [team], text: 'Heard at once' });
  await page.getByRole('article').getByText('Heard at once').waitFor();
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await write(ben, { addressed_teams: [team], text: 'Asked for twice' });
  await answerFirst(context, 'GET', '**/v1/messages?team=*', (route) => route.fulfill({ status: 503 }));
  let asked = 0;
  await intercept(context, `${web.url}/?again`, async (route) => {
    asked += 1;
    if (asked === 1) return route.fulfill({ status: 502 });
    const html = await (await route.fetch()).text();
    await route.fulfill({ contentType: 'text/html', body: html.replaceAll('/assets/', '/assets/newer-') });
  });
  await context.setOffline(false);
  const late = page.getByRole('article').getByText('Asked for twice');
  await late.waitFor();
  expect(await late.count()).toBe(1);
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  expect(asked).toBe(2);
});

it('is connected again when the server has no longer what it missed', async () => {
  const { page, context } = await visit(ada, `/teams/${team}`);
  await write(ben, { addressed_teams: [team], text: 'Before the gap' });
  await page.getByRole('article').getByText('Before the gap').waitFor();
  const gap = Promise.withResolvers<void>();
  await intercept(context, '**/v1/events', async (route) => {
    await gap.promise;
    await route.continue();
  });
  // A user's oldest stream ends when another is one too many.
  const streams = await Promise.all(Array.from({ length: 20 }, () => EventStream.open(ada.client)));
  const banner = page.getByText('No connection.');
  await banner.waitFor();
  for (const stream of streams) stream.close();
  // As after a restore from a backup: the place at which the window resumes is not there.
  await write(ben, { addressed_teams: [team], text: 'In the gap' });
  await web.server.running.db.write((tx) => tx.all('DELETE FROM events', []));
  await write(ben, { addressed_teams: [team], text: 'After the gap' });
  gap.resolve();
  for (const text of ['In the gap', 'After the gap'])
    await page.getByRole('article').getByText(text).waitFor();
  await banner.waitFor({ state: 'detached' });
});

it('a person’s page tells what has changed while there was no connection', async () => {
  const { page, context } = await visit(ada, `/people/${ben.id}`);
  await page.getByRole('heading', { level: 1, name: 'Ben Test' }).waitFor();
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await ben.client.patch('/v1/users/me', { title: 'Keeper of the oven' });
  await context.setOffline(false);
  await page.getByText('Keeper of the oven').waitFor();
});

it('two devices in different zones do not set each other’s again and again', async () => {
  const dan = await signUp(web.server, 'Dan');
  const zone = async () => (await dan.client.get('/v1/users/me')).data[0].time_zone;
  const { page } = await visit(dan, '/settings/profile');
  await expect.poll(zone).toBe('Europe/Berlin');
  await page.reload();
  await page.getByRole('button', { name: 'Dan Test' }).waitFor();
  const told: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') told.push(request.postData() ?? '');
  });
  const heard = page.waitForResponse(
    async (answer) =>
      new URL(answer.url()).pathname === '/v1/users/me' && (await answer.text()).includes('Asia/Tokyo'),
  );
  await visit(dan, '/inbox', { timezoneId: 'Asia/Tokyo' });
  await heard;
  // By then it has shown what it heard.
  await dan.client.patch('/v1/users/me', { first_name: 'Daniel' });
  await page.getByRole('button', { name: 'Daniel Test' }).waitFor();
  expect(told).toEqual([]);
  expect(await zone()).toBe('Asia/Tokyo');
});

it('shows a page for unknown addresses, and ignores an unknown language', async () => {
  const { page, context, problems } = await visit(ada, '/nowhere/at/all');
  await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  await inspect(page, 'not-found');
  await page.getByRole('navigation').getByRole('link', { name: 'Bakery' }).click();
  await page.getByRole('textbox', { name: 'Write to Bakery' }).waitFor();
  // An id of an address is an id, and no way to another route.
  for (const id of ['%00', '..%2Fusers%2Fme', 'a%3Fb', 'a%23']) {
    await page.goto(`/messages/${id}`);
    await page.getByText('Not found, or you have no access.').waitFor();
  }
  const { page: outside } = await web.visit('/nowhere/at/all');
  await outside.getByRole('heading', { name: 'Nothing here' }).waitFor();
  expect(await outside.getByRole('navigation').count()).toBe(0);
  await context.addInitScript(
    "Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'de@euro'] })",
  );
  await write(ben, { addressed_teams: [team], text: 'In any language' });
  await page.goto(`/teams/${team}`);
  await page.getByRole('article').getByText('In any language').waitFor();
  expect(problems).toEqual([]);
});

it('reloads when a newer server has replaced the files of a view', async () => {
  const { page, context } = await visit(ada, '/inbox');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  let gone = 0;
  await intercept(context, /\/assets\/saved-page-.*\.js$/, (route) =>
    gone++ === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  await page.getByRole('navigation', { name: 'Parley' }).getByRole('link', { name: 'Saved' }).click();
  await page.getByRole('heading', { name: 'Nothing saved yet' }).waitFor();
  expect(gone).toBeGreaterThan(1);
});

it('menus, dialogs and the palette are there when they are asked for: their code was loaded before', async () => {
  await write(ben, { addressed_teams: [team], text: 'With a menu' });
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const message = page.getByRole('article').filter({ hasText: 'With a menu' }).last();
  await message.waitFor();
  const scripts = () =>
    page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((name) => name.endsWith('.js'))`,
    );
  const ahead = ['later', 'windows', 'popups', 'emoji-names', 'blocks'];
  await expect
    .poll(async () => {
      const loaded = await scripts();
      return ahead.filter((name) => !loaded.some((path) => path.startsWith(`/assets/${name}-`)));
    })
    .toEqual([]);
  const before = await scripts();
  await message.hover();
  await message.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Reply' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+/');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(await scripts()).toEqual(before);
  expect(problems).toEqual([]);
});

it('Tab begins at the link to the content, wherever the current place is in the navigation', async () => {
  const { page, problems } = await visit(ada, '/settings/profile');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.goto(`/teams/${team}/members`);
  await page.getByRole('navigation', { name: 'Parley' }).locator('[aria-current]').waitFor();
  await page.getByText('Ben Test').first().waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  expect(problems).toEqual([]);
});

it('is not reloaded because code that it loads ahead cannot be had', async () => {
  const { context } = await visit(ada, '/inbox');
  const page = await context.newPage();
  const asked = new Set<string>();
  // From the reload on, the code can be had. A frame is also navigated within its document.
  let isThere = false;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isThere = asked.size > 0;
  });
  await intercept(page, /\/assets\/later-.*\.js$/, (route) => {
    asked.add(route.request().url());
    return isThere ? route.continue() : route.fulfill({ status: 404, body: '' });
  });
  await page.goto('/inbox');
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.evaluate('globalThis.isSame = true');
  await expect.poll(() => asked.size).toBe(1);
  await page.getByRole('button', { name: 'Ada Test' }).click();
  const menu = page.getByRole('menu');
  await menu.waitFor();
  expect(await page.evaluate('globalThis.isSame')).toBe(true);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  // Chromium may remember what it could not have: the page is reloaded once that is needed.
  await page.keyboard.press('Control+k');
  await expect.poll(() => page.evaluate('globalThis.isSame')).toBe(undefined);
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Jump to…' }).waitFor();
});

it('lists files without a word, and leads to a reply in its conversation, beside the stream', async () => {
  const place = await makeTeam(ada, [ben], 'Cellar');
  const root = (await write(ada, { addressed_teams: [place], text: 'Who has the list?' })).data[0].id;
  for (let count = 1; count <= 60; count += 1)
    await write(ada, { addressed_teams: [place], text: `Later ${count}` });
  const raw = new FormData();
  raw.set('file', new Blob(['flour']), 'flour list.pdf');
  const upload = await ben.client.ask('POST', '/v1/attachments', { raw });
  await ben.client.post(`/v1/messages/${root}/replies`, {
    text: '',
    attachments: { files: [upload.data[0].id] },
  });
  await write(ben, { addressed_users: [ada.id], text: 'Between us: parsnips' });
  const { page, problems } = await visit(ada, `/search?team=${place}`);
  await page.getByLabel('With').selectOption({ label: 'A file' });
  const found = page.getByRole('main').getByRole('link').filter({ hasText: 'flour list.pdf' });
  await found.waitFor();
  await inspect(page, 'search-files');
  await found.click();
  const panel = page.getByRole('region', { name: 'Conversation' });
  await panel.locator('article[aria-current="true"]').getByText('flour list.pdf').waitFor();
  await page
    .getByRole('feed')
    .locator('article[aria-current="true"]')
    .getByText('Who has the list?')
    .waitFor();
  await page.getByRole('feed').getByText('Later 1', { exact: true }).waitFor();
  await inspect(page, 'search-reply');

  await page.goto('/search?q=parsnips');
  await page.getByRole('main').getByRole('link').filter({ hasText: 'parsnips' }).click();
  await page.waitForURL(`**/direct/${ben.id}?at=*`);
  await page.locator('article[aria-current="true"]').getByText('parsnips').waitFor();
  expect(problems).toEqual([]);
});
