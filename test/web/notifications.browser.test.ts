import { createServer } from 'node:http';
import type { Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { PushService } from '../support/push-service.ts';
import { until } from '../support/until.ts';
import {
  answerFirst,
  cookiesOf,
  inspect,
  PHONE,
  REFUSE_STORAGE,
  startWeb,
  type Web,
} from '../support/web.ts';

let web: Web;
const service = new PushService();
beforeAll(async () => {
  await service.start();
  web = await startWeb();
});
afterAll(async () => {
  await web.stop();
  await service.stop();
});

const visit = (person: Person, path: string) =>
  web.visit(path, { cookie: person.client.cookie, serviceWorkers: 'allow' });

/**
 * The packaged browser shows no notifications and has no push service. The page is given a permission and our push service,
 * the worker a list of what it shows; all else is the browser's own.
 */
async function offerNotifications(page: Page, device: object | null): Promise<Worker> {
  await ready(page);
  await page.addInitScript(`{
    let subscription = null;
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Notification.requestPermission = async () => 'granted';
    navigator.setAppBadge = async (count) => { globalThis.badge = count; };
    PushManager.prototype.getSubscription = async () => subscription;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      globalThis.subscribedWith = applicationServerKey;
      if (${device === null}) throw new DOMException('push service error', 'AbortError');
      return (subscription = {
        toJSON: () => (${JSON.stringify(device)}),
        unsubscribe: async () => { subscription = null; return true; },
      });
    };
  }`);
  await page.reload();
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('there is no worker');
  await worker.evaluate(`{
    self.shown = new Map();
    navigator.setAppBadge = async (count) => { self.badge = count; };
    const registration = ServiceWorkerRegistration.prototype;
    registration.showNotification = async (title, { tag, body, data }) =>
      void shown.set(tag, { title, tag, body, data, close: () => shown.delete(tag) });
    registration.getNotifications = async ({ tag } = {}) =>
      [...shown.values()].filter((one) => tag === undefined || one.tag === tag);
  }`);
  return worker;
}

const ready = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => true)');
const shownBy = (worker: Worker) =>
  worker.evaluate<{ title: string; body: string; tag: string }[]>(
    '[...shown.values()].map(({ title, body, tag }) => ({ title, body, tag }))',
  );

/** Has the browser hand a message to the worker, as it does when its push service brings one. */
async function deliver(page: Page, content: unknown): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registration = Promise.withResolvers<string>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    if (registrations[0]) registration.resolve(registrations[0].registrationId);
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registration.promise;
  const data = JSON.stringify(content);
  await session.send('ServiceWorker.deliverPushMessage', { origin: web.url, registrationId, data });
  await session.detach();
}

it('a device is subscribed by a click, shows what is pushed, opens it, and takes away what was read', async () => {
  const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
  await makeTeam(ada, [bob], 'Design');
  const { page, problems } = await visit(bob, '/settings/notifications');
  const worker = await offerNotifications(page, service.device('browser'));
  await page.getByRole('button', { name: 'Notify me here' }).click();
  await page.getByText('This device gets notifications.').waitFor();
  const [{ public_key }] = (await bob.client.get('/v1/push')).data;
  expect(await page.evaluate('globalThis.subscribedWith')).toBe(public_key);
  await page.getByRole('button', { name: 'Send a test' }).click();
  const test = await service.next('browser');
  await deliver(page, test.content);
  await expect.poll(() => shownBy(worker)).toMatchObject([{ body: 'Notifications reach this device.' }]);

  // The window leaves the stream, so nobody reads at once.
  const posted = await ada.client.post('/v1/messages', { text: 'Lunch?', addressed_users: [bob.id] });
  web.server.clock.advance(5);
  const { content } = await service.next('browser', 2);
  await deliver(page, content);
  await expect
    .poll(() => shownBy(worker))
    .toContainEqual({
      title: 'Ada Test',
      body: 'Lunch?',
      tag: content.tag,
    });
  // The inbox counts it; the test is none of what is new.
  await expect.poll(() => worker.evaluate('badge')).toBe(1);
  await expect.poll(() => page.evaluate('globalThis.badge')).toBe(1);
  await worker.evaluate(`{
    const clicked = new ExtendableEvent('notificationclick');
    Object.defineProperty(clicked, 'notification', { value: shown.get(${JSON.stringify(content.tag)}) });
    // A window comes to the front only after a real click.
    Object.defineProperty(clicked, 'waitUntil', { value: (done) => done.catch(() => undefined) });
    dispatchEvent(clicked);
  }`);
  await expect.poll(() => page.url()).toContain(posted.data[0].id);
  await page.getByText('Lunch?').first().waitFor();

  await bob.client.put(`/v1/messages/${posted.data[0].id}/read`);
  web.server.clock.advance(2);
  await deliver(page, content);
  await until(async () => (await shownBy(worker)).some(({ tag }) => tag === content.tag));
  await deliver(page, { kind: 'read', tag: content.tag });
  await until(async () => !(await shownBy(worker)).some(({ tag }) => tag === content.tag));
  await expect.poll(() => worker.evaluate('globalThis.badge')).toBe(0);
  await expect.poll(() => page.evaluate('globalThis.badge')).toBe(0);

  // Browsers demand that every push shows something, also one that cannot be read.
  for (const garbage of [null, 7, {}, { kind: 'message', title: 'No tag' }]) await deliver(page, garbage);
  await expect.poll(() => shownBy(worker)).toContainEqual({ title: 'Parley', body: '', tag: 'unreadable' });
  const all = await shownBy(worker);
  expect(all.filter(({ title, tag }) => typeof title !== 'string' || typeof tag !== 'string')).toEqual([]);
  expect(problems).toEqual([]);
});

it('where no push service is within reach, an open window out of view tells, once for all windows', async () => {
  const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
  const team = await makeTeam(ada, [bob], 'Design');
  await bob.client.patch('/v1/users/me/push_settings', { team_default: 'all' });
  const { page, context, problems } = await visit(bob, '/settings/notifications');
  const worker = await offerNotifications(page, null);
  await worker.evaluate(`{
    Object.assign(self, { view: 'visible', looked: 0, refused: 0, told: [], answered: Promise.resolve() });
    Clients.prototype.matchAll = async () => (looked++, [{ visibilityState: view }]);
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
      told.push(options.tag + ' ' + options.data);
      return show.call(this, title, options);
    };
    const real = self.fetch;
    self.fetch = async (...given) => {
      if (!String(given[0]).endsWith('/notification')) return real(...given);
      if (self.status) return (refused++, new Response('{}', { status: self.status }));
      const answer = await real(...given);
      await answered;
      return answer;
    };
  }`);
  await page.getByRole('button', { name: 'Notify me here' }).click();
  await page.getByText('Your windows notify you here').waitFor();
  const other = await context.newPage();
  await other.goto('/inbox');
  await ready(other);
  const write = async (text: string, to: object = { addressed_users: [bob.id] }): Promise<string> =>
    (await ada.client.post('/v1/messages', { text, ...to })).data[0].id;

  const seen = await write('Seen in the window');
  await expect.poll(() => worker.evaluate('looked')).toBeGreaterThan(0);
  await bob.client.put(`/v1/messages/${seen}/read`);
  const [{ id: tag }] = (await bob.client.get(`/v1/users/me/conversations?with=${ada.id}`)).data;
  await worker.evaluate(`void (self.view = 'hidden')`);
  const id = await write('Lunch?');
  await expect.poll(() => shownBy(worker)).toEqual([{ title: 'Ada Test', body: 'Lunch?', tag }]);

  // News that come while an answer is under way are told after it.
  await worker.evaluate('void (self.held = Promise.withResolvers(), self.answered = held.promise)');
  for (const text of ['Or supper?', 'Or tea?']) {
    await ada.client.post(`/v1/messages/${id}/replies`, { text });
    // The window says it aloud before, or after, the row shows it.
    await other.getByText(text).first().waitFor();
  }
  await worker.evaluate('held.resolve()');
  await expect.poll(() => shownBy(worker)).toEqual([{ title: 'Ada Test (3)', body: 'Or tea?', tag }]);
  // Direct messages with the same people share a notification, also those that another one began.
  await write('With cake?');
  const newest = { title: 'Ada Test (4)', body: 'With cake?', tag };
  await expect.poll(() => shownBy(worker)).toEqual([newest]);

  // A server that is being started takes nothing away.
  await worker.evaluate('void (self.status = 503)');
  await write('Not heard of');
  await expect.poll(() => worker.evaluate('refused')).toBeGreaterThan(0);
  await worker.evaluate('void (self.status = undefined)');
  expect(await shownBy(worker)).toEqual([newest]);
  await bob.client.put('/v1/users/me/read');
  await expect.poll(() => shownBy(worker)).toEqual([]);

  // Of a team, whose every message is wanted; what concerns the reader is shown as that alone.
  await write('Good morning', { addressed_teams: [team] });
  const morning = { title: 'Ada Test in Design', body: 'Good morning', tag: team };
  await expect.poll(() => shownBy(worker)).toEqual([morning]);
  const [{ username }] = (await bob.client.get('/v1/users/me')).data;
  const look = await write(`@${username} look`, { addressed_teams: [team] });
  await expect
    .poll(async () => (await shownBy(worker)).filter(({ body }) => body.endsWith('look')))
    .toMatchObject([{ tag: look }]);
  const slip = await write('A slip', { addressed_teams: [team] });
  await expect
    .poll(() => shownBy(worker))
    .toContainEqual({ ...morning, title: 'Ada Test in Design (2)', body: 'A slip' });
  await ada.client.delete(`/v1/messages/${slip}`);
  await expect.poll(async () => (await shownBy(worker)).map(({ tag }) => tag)).toEqual([look]);
  await bob.client.put('/v1/users/me/read');
  await expect.poll(() => shownBy(worker)).toEqual([]);
  const told = await worker.evaluate<string[]>('told');
  expect(told.toSorted()).toEqual([...new Set(told)].sort());

  await page.getByRole('button', { name: 'Turn off on this device' }).click();
  await page.getByText('This device gets no notifications.').waitFor();
  expect(problems).toEqual([]);
});

describe('a notification of a window', () => {
  /** Windows of the packaged browser are in view for ever. */
  const hideWindows = (worker: Worker) =>
    worker.evaluate(`void (Clients.prototype.matchAll = async () => [{ visibilityState: 'hidden' }])`);
  const write = async (author: Person, to: Person, text: string) =>
    (await author.client.post('/v1/messages', { text, addressed_users: [to.id] })).data[0].id as string;
  const askForThem = async (page: Page) => {
    await page.getByRole('button', { name: 'Notify me here' }).click();
    await page.getByText('Your windows notify you here').waitFor();
  };
  const bodies = async (worker: Worker) => (await shownBy(worker)).map(({ body }) => body);

  it('goes when its reader signs out, and the next person is told of what is theirs, once they ask', async () => {
    const [ada, bob, cleo] = [
      await signUp(web.server, 'Ada'),
      await signUp(web.server, 'Bob'),
      await signUp(web.server, 'Cleo'),
    ];
    await makeTeam(ada, [bob, cleo], 'Design');
    const { page, problems } = await visit(bob, '/settings/notifications');
    const worker = await offerNotifications(page, null);
    await hideWindows(worker);
    await askForThem(page);
    await write(ada, bob, 'For Bob');
    await expect.poll(() => bodies(worker)).toEqual(['For Bob']);
    await page.getByRole('button', { name: 'Bob Test' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in**');
    await expect.poll(() => bodies(worker)).toEqual([]);

    await page.getByLabel('Email').fill(cleo.email);
    await page.getByLabel('Password', { exact: true }).fill('a password of length');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Cleo Test' }).waitFor();
    const main = page.getByRole('main');
    await page.getByRole('navigation', { name: 'Parley' }).getByRole('link', { name: 'Inbox' }).click();
    await write(ada, bob, 'Again for Bob');
    await write(ada, cleo, 'Unasked');
    await main.getByText('Unasked').waitFor();
    expect(await bodies(worker)).toEqual([]);
    await page.goto('/settings/notifications');
    await askForThem(page);
    const id = await write(ada, cleo, 'For Cleo');
    await expect.poll(() => bodies(worker)).toEqual(['For Cleo']);
    await write(ada, bob, 'Still for Bob');
    await cleo.client.put(`/v1/messages/${id}/read`);
    await cleo.client.put('/v1/users/me/read');
    await expect.poll(() => bodies(worker)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('is shown as long as the window is open where the browser refuses its storage', async () => {
    const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
    await makeTeam(ada, [bob], 'Design');
    const { page, problems } = await visit(bob, '/settings/notifications');
    await page.addInitScript(REFUSE_STORAGE);
    const worker = await offerNotifications(page, null);
    await hideWindows(worker);
    await askForThem(page);
    await write(ada, bob, 'Lunch?');
    await expect.poll(() => bodies(worker)).toEqual(['Lunch?']);
    await page.getByRole('button', { name: 'Turn off on this device' }).click();
    await page.getByText('This device gets no notifications.').waitFor();
    await page.getByRole('navigation', { name: 'Parley' }).getByRole('link', { name: 'Inbox' }).click();
    await write(ada, bob, 'Or tea?');
    await page.getByRole('main').getByText('Or tea?').waitFor();
    expect(await bodies(worker)).toEqual(['Lunch?']);
    expect(problems).toEqual([]);
  });
});

it('the number on the icon goes with a session that ended while no window was open', async () => {
  const bob = await signUp(web.server, 'Bob');
  const { page, problems } = await visit(bob, '/settings/notifications');
  await offerNotifications(page, null);
  await page.getByRole('button', { name: 'Notify me here' }).waitFor();
  // A push may have set it meanwhile, whose notification was taken away since.
  await page.goto('about:blank');
  await bob.client.delete('/v1/sessions/current');
  await page.goto('/inbox');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expect.poll(() => page.evaluate('globalThis.badge')).toBe(0);
  expect(problems).toEqual([]);
});

it('a push service that comes within reach tells in place of the windows', async () => {
  const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
  await makeTeam(ada, [bob], 'Design');
  const { page, problems } = await visit(bob, '/settings/notifications');
  await offerNotifications(page, null);
  await page.getByRole('button', { name: 'Notify me here' }).click();
  await page.getByText('Your windows notify you here').waitFor();
  await offerNotifications(page, service.device('came-late'));
  await expect
    .poll(async () => (await bob.client.get('/v1/users/me/push_subscriptions')).data)
    .toMatchObject([{ current: true }]);
  await ada.client.post('/v1/messages', { text: 'Lunch?', addressed_users: [bob.id] });
  web.server.clock.advance(5);
  expect((await service.next('came-late')).content).toMatchObject({ body: 'Lunch?' });
  expect(problems).toEqual([]);
});

it('what is told, and when, is chosen for all devices', async () => {
  const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
  const team = await makeTeam(ada, [bob], 'Design');
  const { page, problems } = await visit(bob, '/settings/notifications');
  const settings = async () => (await bob.client.get('/v1/users/me/push_settings')).data[0];
  await page.getByLabel('Design').selectOption('all');
  await expect.poll(async () => (await settings()).teams).toEqual([{ team, level: 'all' }]);
  await page.getByLabel('Who wrote').check();
  await expect.poll(async () => (await settings()).content).toBe('sender');
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await answerFirst(page, 'PATCH', '**/push_settings', async (route) => {
    asked.resolve();
    await answer.promise;
    await route.fulfill({ status: 400, json: { errors: [] } });
  });
  const hours = page.getByRole('switch', { name: 'Quiet hours' });
  await hours.click();
  await asked.promise;
  // Whole days, and not those on which the hours are quiet.
  await page.getByRole('heading', { name: 'Quiet days' }).waitFor();
  await page.getByText('On these days nothing is pushed all day.').waitFor();
  await page.getByLabel('Saturday').check();
  await expect.poll(() => hours.getAttribute('aria-checked')).toBe('true');
  answer.resolve();
  // The first change was refused, which is said although another one was made meanwhile.
  await page.getByRole('alert').waitFor();
  await expect.poll(async () => (await settings()).quiet_days).toEqual([6]);
  await expect.poll(() => hours.getAttribute('aria-checked')).toBe('false');
  await hours.click();
  await expect
    .poll(settings)
    .toMatchObject({ quiet_from: '20:00', quiet_days: [6], time_zone: 'Europe/Berlin' });
  await page.getByRole('button', { name: 'For an hour' }).click();
  await page.getByRole('button', { name: 'Turn on' }).waitFor();
  await page.getByText(/^Notifications are paused until .*\d\d:\d\d\.$/).waitFor();
  // A choice is shown before the server has it.
  await expect.poll(async () => (await settings()).paused).toBe(true);
  await inspect(page, 'settings-push');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect.poll(async () => (await settings()).paused).toBe(false);
  await page.setViewportSize(PHONE);
  await inspect(page, 'settings-push-phone');
  expect(problems).toEqual([]);
});

it('what was read last is there without the server, and gone after signing out, or when another person comes (claim: offline-after-sign-out)', async () => {
  const own = await startWeb();
  const [ada, bob] = [await signUp(own.server, 'Ada'), await signUp(own.server, 'Bob')];
  const team = await makeTeam(ada, [bob], 'Design');
  const about = { addressed_teams: [team], subject: 'Journeys' };
  await ada.client.post('/v1/messages', { text: 'Kept for the tunnel', ...about });
  const path = `/teams/${team}`;
  const { page, context } = await own.visit(path, { cookie: bob.client.cookie, serviceWorkers: 'allow' });
  await ready(page);
  const kept = () =>
    page.evaluate<string[]>(`caches.keys()
    .then((names) => names.filter((name) => name.startsWith('parley-read')))
    .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
    .then((keys) => keys.flat().map(({ url }) => new URL(url).pathname))`);
  await page.reload();
  await page.getByText('Kept for the tunnel').waitFor();
  await until(async () => (await kept()).includes('/v1/messages'));
  expect((await kept()).filter((one) => /export|sessions|admin|push/.test(one))).toEqual([]);

  // Others take the browser over: by a cookie that the worker has not seen come, then by signing up.
  const holds = (text: string) =>
    page.evaluate<boolean>(`caches.keys()
    .then((names) => Promise.all(names.map((name) => caches.open(name))))
    .then((all) => Promise.all(all.map((cache) => cache.matchAll())))
    .then((answers) => Promise.all(answers.flat().map((answer) => answer.text())))
    .then((texts) => texts.some((one) => one.includes('${text}')))`);
  const readers = () =>
    page.evaluate<string[]>(
      `caches.keys().then((names) => names.filter((name) => name.startsWith('parley-read')))`,
    );
  expect(await holds('Kept for the tunnel')).toBe(true);
  const cleo = await signUp(own.server, 'Cleo');
  // An address without the application: it would load itself again for another user, in the middle of the test's navigation.
  const withoutApplication = () => page.goto(`${own.url}/v1/server`);
  await withoutApplication();
  await context.addCookies(cookiesOf(cleo.client.cookie, own.url));
  await page.goto(`${own.url}/inbox`);
  await page.getByRole('button', { name: 'Cleo Test' }).waitFor();
  await expect.poll(() => holds('Kept for the tunnel')).toBe(false);
  await expect.poll(readers).toEqual([`parley-read-${cleo.id}`]);
  await withoutApplication();
  const account = { email: 'dora@example.org', password: 'a password of length', first_name: 'Dora' };
  const dora = await page.evaluate<string>(`fetch('/v1/users', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify({ ...account, last_name: 'Test' }))},
  }).then((answer) => answer.json()).then(({ data }) => data[0].id)`);
  await expect.poll(readers).toEqual([`parley-read-${dora}`]);
  await context.addCookies(cookiesOf(bob.client.cookie, own.url));
  await page.goto(own.url + path);
  await until(async () => (await kept()).includes('/v1/messages'));

  await withoutApplication();
  await page.evaluate("fetch('/v1/sessions/current', { method: 'DELETE' }).then(({ status }) => status)");
  await until(async () => (await kept()).length === 0);
  await page.goto(`${own.url}/sign-in`);
  await page.getByLabel('Email').fill(bob.email);
  await page.getByLabel('Password', { exact: true }).fill('a password of length');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/inbox');
  await page.goto(own.url + path);
  await page.getByText('Kept for the tunnel').waitFor();
  const subjects = page.getByRole('navigation', { name: 'Subjects' });
  await subjects.getByRole('link', { name: 'Journeys' }).waitFor();
  await until(async () => (await kept()).includes('/v1/messages'));
  // Views that were not opened yet are there, too.
  const files = () =>
    page.evaluate<string[]>(`caches.keys()
    .then((names) => caches.open(names.find((name) => name.startsWith('parley-files-'))))
    .then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => new URL(url).pathname))`);
  const listed = await page.evaluate<string[]>(
    `fetch('/worker.js').then((it) => it.text()).then((text) => [...text.matchAll(/\\/assets\\/[\\w.-]+[.](?:js|css)/g)].map(String))`,
  );
  expect(listed.length).toBeGreaterThan(20);
  await expect.poll(files).toEqual(expect.arrayContaining(listed));
  await own.server.stop();
  await page.reload();
  await page.getByText('Kept for the tunnel').waitFor();
  await subjects.getByRole('link', { name: 'Journeys' }).click();
  await page.getByRole('heading', { name: 'Journeys' }).waitFor();
  await page.goto(`${own.url}/drafts`);
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();

  // A proxy answers for a server that is away.
  const proxy = createServer(
    (_, answer) => void answer.writeHead(502, { 'Content-Type': 'text/html' }).end('Bad gateway'),
  );
  await new Promise<void>((resolve) => proxy.listen(Number(new URL(own.url).port), '127.0.0.1', resolve));
  await page.goto(own.url + path);
  await page.getByText('Kept for the tunnel').waitFor();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await own.stop();
});

it('a window that catches up with what it missed takes no kept answer for that', async () => {
  const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
  const team = await makeTeam(ada, [bob], 'Harbour');
  const write = (text: string) => ada.client.post('/v1/messages', { text, addressed_teams: [team] });
  await write('Before');
  const { page, context } = await visit(bob, `/teams/${team}`);
  await ready(page);
  await page.reload();
  await page.getByRole('article').getByText('Before').waitFor();
  await write('Heard at once');
  await page.getByRole('article').getByText('Heard at once').waitFor();
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(`{
    const ask = self.fetch;
    let isFirst = true;
    self.fetch = (request) => {
      if (!isFirst || !request.url?.includes('/v1/messages?team=')) return ask(request);
      isFirst = false;
      return Promise.reject(new TypeError('the connection was lost'));
    };
  }`);
  await context.setOffline(true);
  await page.getByText('No connection.').waitFor();
  await write('Missed');
  await context.setOffline(false);
  await page.getByRole('article').getByText('Missed').waitFor();
});

it('a team, a conversation and a person are muted for a time, which says until when, and undone', async () => {
  const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
  const team = await makeTeam(ada, [bob], 'Design');
  const { data } = await ada.client.post('/v1/messages', { text: 'Noise', addressed_teams: [team] });
  await ada.client.post('/v1/messages', { text: 'Hello', addressed_users: [bob.id] });
  const { page, problems } = await visit(bob, `/teams/${team}`);
  const mutes = async () => (await bob.client.get('/v1/users/me/mutes')).data.map(({ kind }) => kind);
  const choose = async (name: string) => page.getByRole('menuitem', { name, exact: true }).click();
  const until = page.getByRole('button', { name: /^Muted until/ });
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await inspect(page, 'mute-menu');
  await choose('Mute for an hour');
  await until.waitFor();
  await inspect(page, 'muted-team');
  expect(await mutes()).toEqual(['team']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until.waitFor({ state: 'detached' });
  expect(await mutes()).toEqual([]);

  const message = page.getByRole('article').filter({ hasText: 'Noise' });
  await message.hover();
  await message.getByRole('button', { name: 'More actions' }).click();
  await choose('Mute');
  await choose('Mute until tomorrow morning');
  await message.getByText(/^Muted until/).waitFor({ state: 'attached' });
  // It ends on another device.
  await bob.client.delete(`/v1/users/me/mutes/message/${data[0].id}`);
  await message.getByText(/^Muted/).waitFor({ state: 'detached' });

  await page.goto(`${web.url}/direct/${ada.id}`);
  await page.getByRole('button', { name: 'Mute', exact: true }).click();
  await choose('Mute the conversation');
  const muted = page.getByRole('button', { name: 'Muted', exact: true });
  await muted.click();
  expect(await mutes()).toEqual(['conversation']);
  await choose('Unmute the conversation');
  await muted.waitFor({ state: 'detached' });
  expect(await mutes()).toEqual([]);
  expect(problems).toEqual([]);
});

it('notifications are offered in the empty inbox and after the first message, until one answers', async () => {
  const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
  const team = await makeTeam(ada, [bob], 'Offers');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await offerNotifications(page, service.device('offers'));
  const card = page.getByRole('region', { name: 'Tell me when somebody needs me' });
  const field = page.getByRole('textbox', { name: 'Write to Offers' });
  await field.waitFor();
  expect(await card.count()).toBe(0);
  await field.fill('The first one');
  await field.press('Enter');
  await card.waitFor();
  await inspect(page, 'offer-stream');
  await page.setViewportSize(PHONE);
  await inspect(page, 'offer-stream-phone');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/inbox');
  await card.waitFor();
  await inspect(page, 'offer-inbox');
  await card.getByRole('button', { name: 'Not now' }).click();
  await card.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor();
  expect(await card.count()).toBe(0);

  // Whoever turns them on is not asked again either.
  const other = await visit(bob, '/inbox');
  await offerNotifications(other.page, service.device('turned on'));
  const offered = other.page.getByRole('region', { name: 'Tell me when somebody needs me' });
  await other.page.goto(`/teams/${team}`);
  await other.page.getByRole('textbox', { name: 'Write to Offers' }).fill('Mine');
  await other.page.keyboard.press('Enter');
  await offered.getByRole('button', { name: 'Turn on' }).click();
  await offered.waitFor({ state: 'detached' });
  expect((await bob.client.get('/v1/users/me/push_subscriptions')).data).toHaveLength(1);
  expect([...problems, ...other.problems]).toEqual([]);
});

it('the bell of a team has its levels, and leads to the settings', async () => {
  const [ada, bob] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Bob')];
  const team = await makeTeam(ada, [bob], 'Levels');
  const { page, problems } = await visit(bob, `/teams/${team}`);
  const levels = page.getByRole('menuitemradio');
  const bell = page.getByRole('button', { name: 'Mute', exact: true });
  await bell.click();
  await levels.and(page.locator('[aria-checked=true]')).getByText('Mentions and answers').waitFor();
  expect(await levels.allInnerTexts()).toEqual(['All messages', 'Mentions and answers', 'Nothing']);
  await inspect(page, 'bell');
  await page.getByRole('menuitemradio', { name: 'All messages' }).click();
  const chosen = async () => (await bob.client.get('/v1/users/me/push_settings')).data[0].teams;
  await expect.poll(chosen).toEqual([{ team, level: 'all' }]);
  await bell.click();
  await page.getByRole('menuitem', { name: 'Notification settings' }).click();
  await page.waitForURL('**/settings/notifications');
  // Times are those of the device until quiet hours are chosen.
  await page.getByText('Europe/Berlin').waitFor();
  expect(await page.getByText('Nothing sends such mails').count()).toBe(0);
  expect(problems).toEqual([]);
});
