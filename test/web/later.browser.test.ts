import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { runSql } from '../support/tables.ts';
import { inspect, PHONE, startWeb, tooWide, type Visitor, type Web } from '../support/web.ts';

let web: Web;
let ada: Person;
let ben: Person;
let team: string;

beforeAll(async () => {
  web = await startWeb();
});

beforeEach(async () => {
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
  team = await makeTeam(ada, [ben], 'Bakery');
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });
const scheduled = async () => (await ada.client.get('/v1/users/me/scheduled_messages')).data;
const reminders = async () => (await ada.client.get('/v1/users/me/reminders')).data;
const field = (page: Page) => page.getByRole('textbox', { name: 'Write to Bakery' });
/** The wall time in Berlin, tomorrow at an hour. */
const tomorrowAt = (time: string) => {
  const day = new Date(Date.now() + 24 * 3600 * 1000).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' });
  return { local: `${day}T${time}`, zone: 'Europe/Berlin' };
};

it('a message is sent later: its time is typed and shown before, then changed, sent now and deleted', async () => {
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await field(page).fill('Fresh bread');
  await page.getByRole('button', { name: 'Later…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send later' });
  await dialog.getByText('Fresh bread').waitFor();
  await dialog.getByLabel('When, in words').fill('tomorrow at 8:30');
  await dialog
    .getByRole('status')
    .getByText(/8:30.*\(Europe\/Berlin\)/)
    .waitFor();
  await inspect(page, 'later-dialog');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.getByText(/^Scheduled: .*8:30/).waitFor();
  await expect.poll(() => field(page).inputValue()).toBe('');
  expect(await scheduled()).toMatchObject([
    {
      status: 'pending',
      send_at: tomorrowAt('08:30'),
      message: { text: 'Fresh bread', addressed_teams: [team] },
    },
  ]);

  await page.getByRole('navigation').getByRole('link', { name: 'Scheduled' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Fresh bread' });
  await row.getByText('Bakery').waitFor();
  await inspect(page, 'scheduled');
  await row.getByRole('button', { name: 'Change text and time' }).click();
  const change = page.getByRole('dialog', { name: 'Change text and time' });
  await change.getByLabel('Text').fill('Fresh rolls');
  await change.getByRole('button', { name: 'Tomorrow, 9:00' }).click();
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Fresh rolls').waitFor();
  expect(await scheduled()).toMatchObject([
    { send_at: tomorrowAt('09:00'), message: { text: 'Fresh rolls' } },
  ]);

  await page.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Nothing scheduled').waitFor();
  const posted = (await ben.client.get(`/v1/messages?team=${team}`)).data;
  expect(posted.map(({ text }) => text)).toEqual(['Fresh rolls']);

  await ada.client.post('/v1/users/me/scheduled_messages', {
    send_at: tomorrowAt('09:00'),
    message: { text: 'Never mind', addressed_users: [ben.id] },
  });
  // Another window hears of it.
  const direct = page.getByRole('listitem').filter({ hasText: 'Never mind' });
  await direct.getByText('Ben Test').waitFor();
  await direct.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Nothing scheduled').waitFor();
  expect((await scheduled()).filter(({ status }) => status !== 'sent')).toEqual([]);
  expect(problems).toEqual([]);
});

it('where a message waits to be sent, its place and the navigation say so', async () => {
  const later = (message: object) =>
    ada.client.post('/v1/users/me/scheduled_messages', { send_at: tomorrowAt('08:30'), message });
  const { id } = (await ben.client.post('/v1/messages', { text: 'Rye?', addressed_teams: [team] })).data[0];
  await later({ text: 'Fresh bread', addressed_teams: [team] });
  await later({ text: 'To you', addressed_users: { ids: [ben.id], emails: [] } });
  const { page, problems } = await visit(ada, `/teams/${team}?open=${id}`);
  const main = page.getByRole('main');
  const link = main.getByRole('link', { name: '1 message is scheduled' });
  await link.waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Scheduled 2 scheduled messages' }).waitFor();
  // None is a reply to this message.
  await page.getByRole('textbox', { name: 'Write a reply' }).waitFor();
  expect(await link.count()).toBe(1);
  await inspect(page, 'waits-here');
  const [second] = (await later({ text: 'Fresh rolls', addressed_teams: [team] })).data;
  await main.getByRole('link', { name: '2 messages are scheduled' }).click();
  await page.waitForURL('**/scheduled');
  await ada.client.delete(`/v1/users/me/scheduled_messages/${second.id}`);
  await page.goto(`/direct/${ben.id}`);
  await link.waitFor();
  await page.setViewportSize(PHONE);
  await link.waitFor();
  await inspect(page, 'waits-here-phone');
  await page.goto('/you');
  await main.getByRole('link', { name: 'Scheduled 2 scheduled messages' }).waitFor();
  expect(problems).toEqual([]);
});

it('Monday morning is offered once on a Sunday, and with its date on a Monday', async () => {
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const offered = async (day: string) => {
    await page.clock.setFixedTime(`${day}T12:00:00+01:00`);
    await field(page).fill('Fresh bread');
    await page.getByRole('button', { name: 'Later…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send later' });
    await dialog.getByRole('button', { name: 'Tomorrow, 9:00' }).waitFor();
    const names = await dialog.getByRole('button', { name: '9:00' }).allTextContents();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    return names;
  };
  expect(await offered('2026-12-05')).toEqual(['Tomorrow, 9:00', 'Monday, 9:00']);
  expect(await offered('2026-12-06')).toEqual(['Tomorrow, 9:00']);
  expect(await offered('2026-12-07')).toEqual(['Tomorrow, 9:00', 'Monday, 14 December, 9:00']);
  expect(problems).toEqual([]);
});

it('without a connection the page says that what is scheduled cannot be had, and reads it again when asked', async () => {
  const { page } = await visit(ada, '/saved');
  const lists = /\/me\/(scheduled_messages|reminders)/;
  await page.route(lists, (route) => route.abort());
  await page.goto('/scheduled');
  await page.getByText('The server cannot be reached.').waitFor();
  await page.unroute(lists);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Nothing scheduled').waitFor();
});

it('of a message that two windows change, each changes what its reader did', async () => {
  const [{ id }] = (
    await ada.client.post('/v1/users/me/scheduled_messages', {
      send_at: tomorrowAt('08:30'),
      message: { text: 'Fresh bread', addressed_teams: [team] },
    })
  ).data;
  const { page, problems } = await visit(ada, '/scheduled');
  await page.getByRole('button', { name: 'Change text and time' }).click();
  const change = page.getByRole('dialog', { name: 'Change text and time' });
  await change.getByLabel('Text').waitFor();
  await ada.client.patch(`/v1/users/me/scheduled_messages/${id}`, {
    message: { text: 'Fresh rolls', addressed_teams: [team] },
  });
  await page.getByText('Fresh rolls').first().waitFor();
  await change.getByRole('button', { name: 'Tomorrow, 9:00' }).click();
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'detached' });
  expect(await scheduled()).toMatchObject([
    { send_at: tomorrowAt('09:00'), message: { text: 'Fresh rolls' } },
  ]);
  expect(problems).toEqual([]);
});

it('a time that was given in another zone is changed as the reader’s own', async () => {
  const nine = tomorrowAt('09:00');
  const message = { text: 'From afar', addressed_teams: [team] };
  const send_at = { ...nine, zone: 'America/New_York' };
  await ada.client.post('/v1/users/me/scheduled_messages', { send_at, message });
  const { page, problems } = await visit(ada, '/scheduled');
  const change = page.getByRole('dialog', { name: 'Change text and time' });
  const save = async (field: string, value: string) => {
    await page.getByRole('button', { name: 'Change text and time' }).click();
    await change.getByLabel(field).fill(value);
    await change.getByRole('button', { name: 'Save' }).click();
    await change.waitFor({ state: 'detached' });
  };
  await page.getByText(/9:00.*\(America\/New_York\)/).waitFor();
  await page.getByRole('button', { name: 'Change text and time' }).click();
  const told = change.getByRole('status').getByText(/\(Europe\/Berlin\)/);
  const there = (await scheduled())[0].at;
  const here = new Date(there * 1000).toLocaleTimeString('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: 'numeric',
    minute: '2-digit',
  });
  await expect.poll(() => told.innerText()).toContain(` ${here} `);
  await page.keyboard.press('Escape');
  // The time is the same as before, unless it is changed.
  await save('Text', 'From afar, still');
  expect(await scheduled()).toMatchObject([{ at: there, send_at, message: { text: 'From afar, still' } }]);
  await save('Day and time', nine.local);
  expect(await scheduled()).toMatchObject([{ send_at: nine }]);
  expect(problems).toEqual([]);
});

it('a message goes into a sidebar later, and is listed with the message beside which that is', async () => {
  const [plan] = (await ada.client.post('/v1/messages', { text: 'Who bakes?', addressed_teams: [team] }))
    .data;
  const begun = { users: [ben.id], text: 'Between us' };
  const sidebar = (await ada.client.post(`/v1/messages/${plan.id}/sidebars`, begun)).data[0].id;
  const { page, problems } = await visit(ada, `/messages/${plan.id}?sidebar=${sidebar}`);
  const aside = page.getByRole('textbox', { name: 'Write into the sidebar' });
  await aside.fill('I would rather not');
  await page.getByRole('button', { name: 'Later…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send later' });
  await dialog.getByRole('button', { name: 'Tomorrow, 9:00' }).click();
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.getByText(/^Scheduled: .*9:00/).waitFor();
  await expect.poll(() => aside.inputValue()).toBe('');
  expect(await scheduled()).toMatchObject([
    { send_at: tomorrowAt('09:00'), message: { text: 'I would rather not', sidebar } },
  ]);
  await page.goto('/scheduled');
  const row = page.getByRole('listitem').filter({ hasText: 'I would rather not' });
  await row.getByText('Sidebar beside Ada Test: Who bakes?').waitFor();
  await row.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Nothing scheduled').waitFor();
  const said = (await ben.client.get(`/v1/sidebars/${sidebar}/messages`)).data.map(({ text }) => text);
  expect(said).toEqual(['Between us', 'I would rather not']);
  expect(problems).toEqual([]);
});

it('a reminder is asked for by /remind and at a message, shown before, and cancelled', async () => {
  const { id } = (await ben.client.post('/v1/messages', { text: 'Order flour', addressed_teams: [team] }))
    .data[0];
  const { page, problems } = await visit(ada, `/teams/${team}`);
  await field(page).fill('/remind tomorrow at 9 water the plants');
  await field(page).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remind me' });
  await expect.poll(() => dialog.getByLabel('Of what').inputValue()).toBe('water the plants');
  await dialog
    .getByRole('status')
    .getByText(/9:00.*\(Europe\/Berlin\)/)
    .waitFor();
  // The name of the button that closes the dialog stands above the dialog.
  await dialog.getByRole('button', { name: 'Close' }).hover();
  const hint = page.locator('[data-hint-layer]');
  await hint.waitFor();
  const { x, y, width, height } = (await hint.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const topmost = `document.elementFromPoint(${x + width / 2}, ${y + height - 2})?.textContent`;
  expect(await page.evaluate(topmost)).toBe('Close');
  // The cursor is in the dialog's field, so that Enter goes on.
  await page.keyboard.press('Enter');
  const note = page.getByText(/^You will be reminded: /);
  await note.waitFor();
  // The note covers nothing of the field.
  const ends = (await note.boundingBox().then((box) => box && box.x + box.width)) ?? Infinity;
  expect(ends).toBeLessThan((await field(page).boundingBox())?.x ?? 0);
  await expect.poll(() => field(page).inputValue()).toBe('');
  expect(await reminders()).toMatchObject([{ send_at: tomorrowAt('09:00'), text: 'water the plants' }]);

  const message = page.getByRole('article').filter({ hasText: 'Order flour' }).last();
  await message.hover();
  await message.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Remind me…' }).click();
  await dialog.getByRole('button', { name: 'In an hour' }).click();
  await dialog.getByRole('button', { name: 'Remind me' }).click();
  await expect.poll(async () => (await reminders()).length).toBe(2);
  expect((await reminders()).find((one) => one.message === id)).toMatchObject({
    status: 'pending',
    text: null,
  });

  await page.goto('/scheduled');
  const about = page.getByRole('listitem').filter({ hasText: 'Ben Test: Order flour' });
  await about.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(async () => (await reminders()).length).toBe(1);
  expect(problems).toEqual([]);
});

it('what could not be sent says why, on a phone and in Arabic as well', async () => {
  const place = await makeTeam(ben, [ada], 'Short-lived');
  const { data } = await ada.client.post('/v1/users/me/scheduled_messages', {
    send_at: tomorrowAt('09:00'),
    message: { text: 'For those who stay', addressed_teams: [place] },
  });
  await ben.client.delete(`/v1/teams/${place}/users/${ada.id}`);
  // Its time has come; other tests keep theirs.
  const now = web.server.clock.now();
  await runSql(web.server.running.db, 'UPDATE scheduled SET send_at = ?, due_at = ? WHERE id = ?', [
    ...[now, now, data[0].id],
  ]);
  await expect
    .poll(async () => (await scheduled()).find(({ id }) => id === data[0].id)?.status)
    .toBe('failed');
  const { page, problems } = await visit(ada, '/scheduled', { viewport: PHONE });
  await page.getByText('Not sent: you can no longer write there.').waitFor();
  await inspect(page, 'scheduled-phone');
  expect(await tooWide(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send now' }).click();
  await page
    .getByText(/cannot be reached|unknown|share/i)
    .first()
    .waitFor();
  expect((await scheduled()).find(({ id }) => id === data[0].id)?.status).toBe('failed');
  await ada.client.patch('/v1/users/me', { language: 'ar' });
  const arabic = await visit(ada, '/scheduled', { viewport: PHONE, locale: 'ar' });
  await arabic.page.getByText(/^لم تُرسل: /).waitFor();
  await inspect(arabic.page, 'scheduled-arabic');
  expect(await tooWide(arabic.page)).toEqual([]);
  expect([...problems, ...arabic.problems]).toEqual([]);
});

it('a message to somebody in another zone says what time it is then for them', async () => {
  await ben.client.patch('/v1/users/me', { time_zone: 'Asia/Tokyo' });
  const { page, problems } = await visit(ada, `/people/${ben.id}`);
  await page.getByText('Asia/Tokyo').waitFor();
  await page.getByRole('link', { name: 'Write to Ben' }).click();
  await page.getByRole('textbox', { name: 'Write to Ben Test' }).fill('Are you awake?');
  await page.getByRole('button', { name: 'Later…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send later' });
  await dialog.getByRole('button', { name: 'Tomorrow, 9:00' }).click();
  await dialog.getByText(/^For Ben it is .*1[67]:00 then\.$/).waitFor();
  await inspect(page, 'later-their-time');
  expect(problems).toEqual([]);
});
