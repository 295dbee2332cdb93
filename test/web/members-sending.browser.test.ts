import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EventStream } from '../support/event-stream.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import {
  answerFirst,
  DESK,
  inspect,
  intercept,
  keptIn,
  PHONE,
  picture,
  REFUSE_STORAGE,
  startWeb,
  type Visitor,
  type Web,
} from '../support/web.ts';

/** The time limit for events without user action. */
const WITHIN = { timeout: 15_000 };

let web: Web;

beforeAll(async () => {
  web = await startWeb({ MAX_UPLOAD_BYTES: '1048576' });
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const textsIn = async (person: Person, team: string): Promise<string[]> => {
  const { data } = await person.client.get(`/v1/messages?team=${team}&order=oldest`);
  return data.map(({ text }) => text);
};

async function teamOf(name: string, ...others: Person[]): Promise<{ ada: Person; team: string }> {
  const ada = await signUp(web.server, 'Ada');
  return { ada, team: await makeTeam(ada, others, name) };
}

/** From here on the server does not know an upload: as after its sweep. */
const dropped = (page: Page, id: string) =>
  intercept(page, '**/v1/messages', (route) => {
    const sent = route.request().postData();
    return sent?.includes(id) ? route.continue({ postData: sent.replace(id, NO_ID) }) : route.fallback();
  });

const NO_ID = '00000000-0000-4000-8000-000000000000';

it('a draft survives a reload, and is gone once it is sent', async () => {
  const { ada, team } = await teamOf('Bakery');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Bakery' });
  // Nothing that can be seen is nothing to send.
  await field.fill('\u200b \u2060');
  await field.press('Enter');
  await expect(field.inputValue()).resolves.toBe('\u200b \u2060');
  await field.fill('Half a thou');
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('Half a thou');
  await page.goto('/inbox');
  await page.getByRole('link', { name: 'Bakery' }).first().click();
  await expect.poll(() => field.inputValue()).toBe('Half a thou');
  await field.press('End');
  await field.pressSequentially('ght');
  await field.press('Enter');
  await page.getByRole('article').getByText('Half a thought').waitFor();
  await page.getByText('Sending…').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('article').getByText('Half a thought').waitFor();
  await expect.poll(() => field.inputValue()).toBe('');
  expect(await textsIn(ada, team)).toEqual(['Half a thought']);
  expect(problems).toEqual([]);
});

it('a draft far too long for a message hinders no other, and neither does a message that cannot be sent', async () => {
  const { ada, team } = await teamOf('Archive');
  const other = await makeTeam(ada, [], 'Counter');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Archive' });
  await field.waitFor();
  // As a later version could have left it.
  await page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('parley');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const change = opening.result.transaction('texts', 'readwrite');
      const unsent = { key: 'k', written: 1, text: '?', files: [], target: { kind: 'moon' } };
      change.objectStore('texts').put(unsent, 'outbox.${ada.id}.1.k');
      change.oncomplete = () => resolve(opening.result.close());
    };
  })`);
  await page.reload();
  await field.fill('x'.repeat(100_000));
  await page.getByText('Not kept in this browser').waitFor();
  await page.getByText(/characters too long/).waitFor();
  await page.getByRole('link', { name: 'Counter' }).first().click();
  const counter = page.getByRole('textbox', { name: 'Write to Counter' });
  await counter.fill('Still works');
  await counter.press('Enter');
  await expect.poll(() => textsIn(ada, other), WITHIN).toEqual(['Still works']);
  await page.getByRole('link', { name: 'Archive' }).first().click();
  expect((await field.inputValue()).length).toBe(100_000);
  expect(problems).toEqual([]);
});

it('a browser that refuses all storage shows the page, says that it keeps nothing, and sends', async () => {
  const { ada, team } = await teamOf('Bare');
  const { page, context, problems } = await visit(ada, '/docs');
  await context.addInitScript(REFUSE_STORAGE);
  await page.goto(`/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Bare' });
  await field.fill('Without');
  await page.getByText('Not kept in this browser').waitFor();
  await inspect(page, 'members-not-kept');
  await field.press('Enter');
  await page.getByText('Not kept in this browser').waitFor({ state: 'detached' });
  await expect.poll(() => textsIn(ada, team), WITHIN).toEqual(['Without']);
  await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'Heard live' });
  await page.getByRole('article').getByText('Heard live').waitFor();
  expect(problems).toEqual([]);
});

it('messages written offline are sent in order after reconnecting', async () => {
  const ben = await signUp(web.server, 'Ben');
  const { ada, team } = await teamOf('Mill', ben);
  await ben.client.post('/v1/messages', { addressed_teams: [team], text: 'Any news?' });
  const unread = async () => (await ada.client.get('/v1/users/me/teams')).data[0].team.unread_count;
  const { page, context } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Mill' });
  const question = page.getByRole('article').filter({ hasText: 'Any news?' });
  await expect.poll(unread, WITHIN).toBe(0);
  await question.hover();
  await question.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
  await page.getByRole('button', { name: 'Mark as read' }).waitFor();
  await context.setOffline(true);
  for (const text of ['First', 'Second', 'Third']) {
    await field.fill(text);
    await field.press('Enter');
  }
  await page.getByRole('article').getByText('Third').waitFor();
  await expect.poll(() => page.getByText(/^Will be sent/).count(), WITHIN).toBe(3);
  await expect
    .poll(
      () =>
        page
          .getByText(/^Will be sent/)
          .last()
          .evaluate((it) => it.clientHeight),
      WITHIN,
    )
    .toBeGreaterThan(10);
  await inspect(page, 'members-unsent');
  expect(await question.getByRole('alert').count()).toBe(0);
  expect(await textsIn(ada, team)).toEqual(['Any news?']);
  await context.setOffline(false);
  await expect.poll(() => textsIn(ada, team), WITHIN).toEqual(['Any news?', 'First', 'Second', 'Third']);
  await page
    .getByText(/^(Sending…|Will be sent)/)
    .first()
    .waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('article').count()).toBe(4);
  // A reader who answers has read everything above, also if that could not be told at once.
  await expect.poll(unread, WITHIN).toBe(0);
});

it('an answer that is lost, and a reload before it comes, make no second message', async () => {
  const { ada, team } = await teamOf('Oven');
  const { page } = await visit(ada, `/teams/${team}`);
  let posted = 0;
  // The server acts, but the answer is lost.
  await intercept(page, '**/v1/messages', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    posted += 1;
    const headers = {
      'Content-Type': 'application/json',
      'Idempotency-Key': (await route.request().headerValue('Idempotency-Key')) ?? '',
    };
    const raw = route.request().postData() ?? '';
    expect((await ada.client.ask('POST', '/v1/messages', { raw, headers })).status).toBe(200);
    await route.abort();
  });
  const field = page.getByRole('textbox', { name: 'Write to Oven' });
  await field.fill('Only once');
  await field.press('Enter');
  await expect.poll(() => posted, WITHIN).toBeGreaterThanOrEqual(2);
  expect(await textsIn(ada, team)).toEqual(['Only once']);
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  // Until the answer comes, the unsent one may stand below the one that the server has.
  await expect.poll(() => keptIn(page, 'outbox.'), WITHIN).toEqual([]);
  await page.getByRole('article').getByText('Only once').first().waitFor();
  await expect.poll(() => page.getByRole('article').count(), WITHIN).toBe(1);
  expect(await textsIn(ada, team)).toEqual(['Only once']);
});

it('a message is sent when it comes, and not when another device sends the same words', async () => {
  const { ada, team } = await teamOf('Oven');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const sending = page.getByText('Sending…');
  const sent = page.getByRole('article').filter({ hasText: 'Twice', hasNotText: 'Sending…' });
  const [held, shown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await answerFirst(page, 'POST', '**/v1/messages', async (route) => {
    await held.promise;
    const answer = await route.fetch();
    await shown.promise;
    await route.fulfill({ response: answer });
  });
  const field = page.getByRole('textbox', { name: 'Write to Oven' });
  await field.fill('Twice');
  await field.press('Enter');
  await sending.waitFor({ state: 'attached' });
  await ada.client.post('/v1/messages', { text: 'Twice', addressed_teams: [team] });
  await sent.waitFor();
  expect(await sending.count()).toBe(1);
  // The live event of its key comes before the answer.
  held.resolve();
  await expect.poll(() => sent.count(), WITHIN).toBe(2);
  expect(await sending.count()).toBe(0);
  shown.resolve();
  await expect.poll(() => keptIn(page, 'outbox.'), WITHIN).toEqual([]);
  expect(await sent.count()).toBe(2);
  expect(problems).toEqual([]);
});

it('a message queued in one window is sent when the window before it is closed', async () => {
  const { ada, team } = await teamOf('Loft');
  const { page, context } = await visit(ada, `/teams/${team}`);
  const other = await context.newPage();
  await other.goto(`/teams/${team}`);
  const write = async (where: typeof page, text: string) => {
    const field = where.getByRole('textbox', { name: 'Write to Loft' });
    await field.fill(text);
    await field.press('Enter');
  };
  await answerFirst(context, 'POST', '**/v1/messages', () => undefined);
  const begun = context.waitForEvent('request', (request) => request.method() === 'POST');
  await write(other, 'Held up');
  const sender = (await begun).frame().page();
  const waiting = sender === page ? other : page;
  await waiting.getByRole('article').getByText('Held up').waitFor();
  await write(waiting, 'Behind it');
  await sender.close();
  await expect.poll(() => textsIn(ada, team), WITHIN).toEqual(['Held up', 'Behind it']);
});

it('a refused message stays, says why, and can be edited again or discarded', async () => {
  const ben = await signUp(web.server, 'Ben');
  const { ada, team } = await teamOf('Shop', ben);
  const { data } = await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'Soon gone' });
  const { page, problems } = await visit(ben, `/teams/${team}?open=${data[0].id}`);
  // It is deleted while the answer is on its way.
  await intercept(page, '**/replies', async (route) => {
    if (route.request().method() === 'POST') await ada.client.delete(`/v1/messages/${data[0].id}`);
    await route.fallback();
  });
  await page.getByRole('textbox', { name: 'Write a reply' }).fill('Wait');
  await page.keyboard.press('Enter');
  const panel = page.getByRole('region', { name: 'Conversation' });
  await panel.getByText(/^Not sent: /).waitFor();
  await panel.getByText('This message was deleted.').waitFor();
  await inspect(page, 'members-refused');
  // It survives navigation and later visits.
  await page.goto('/inbox');
  const sign = page.getByRole('link', { name: '1 message not sent' });
  await page.setViewportSize(PHONE);
  await sign.waitFor();
  await inspect(page, 'members-refused-phone');
  await page.setViewportSize(DESK);
  await inspect(page, 'members-refused-elsewhere');
  await sign.click();
  await page.getByText(/^Not sent: /).waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Wait').waitFor({ state: 'detached' });
  await sign.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('a text stays, with the reason, when what it was for is taken away; so does an edit that one leaves', async () => {
  const ben = await signUp(web.server, 'Ben');
  const { ada, team } = await teamOf('Quay', ben);
  const { data } = await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'Soon gone' });
  const { page, problems } = await visit(ben, `/teams/${team}?open=${data[0].id}`);
  const left = page.getByRole('textbox', { name: 'What you wrote' });
  // The message that is replied to is deleted.
  await page.getByRole('textbox', { name: 'Write a reply' }).fill('A long reply');
  await answerFirst(page, 'POST', '**/v1/attachments', () => undefined);
  const begun = page.waitForRequest('**/v1/attachments');
  const film = { name: 'film.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1000) };
  const panel = page.getByRole('region', { name: 'Conversation' });
  await panel.locator('input[type=file]').setInputFiles(film);
  const upload = await begun;
  await ada.client.delete(`/v1/messages/${data[0].id}`);
  await page.getByText('nobody can reply to it').waitFor();
  await expect.poll(() => left.inputValue()).toBe('A long reply');
  await inspect(page, 'members-left-reply');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Copied').waitFor();
  const ended = page.waitForEvent('requestfailed', (request) => request === upload);
  await page.getByRole('button', { name: 'Discard' }).click();
  await left.waitFor({ state: 'detached' });
  // Its upload ends with it.
  await ended;
  await expect.poll(() => keptIn(page, '', 'files'), WITHIN).toEqual([]);
  await page.keyboard.press('Escape');

  // An edit is left, the message is changed in another window, then deleted by an admin.
  const own = await ben.client.post('/v1/messages', { addressed_teams: [team], text: 'First' });
  const id = own.data[0].id;
  const editor = page.getByRole('textbox', { name: 'Edit the message' });
  await page.getByRole('article').getByText('First').waitFor();
  await page.getByRole('textbox', { name: 'Write to Quay' }).press('ArrowUp');
  await editor.fill('First, but better');
  await page.getByRole('link', { name: 'Inbox' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.goto(`/teams/${team}`);
  await page.getByText('Your edit is not saved.').waitFor();
  await inspect(page, 'members-unsaved-edit');
  await page.getByRole('button', { name: 'Go on editing' }).click();
  await expect.poll(() => editor.inputValue()).toBe('First, but better');
  await ben.client.patch(`/v1/messages/${id}`, { text: '**Second** one' });
  await page.getByText('The message was changed meanwhile').waitFor();
  await page.getByRole('blockquote').getByText('Second one', { exact: true }).waitFor();
  await inspect(page, 'members-edit-changed');
  await ada.client.delete(`/v1/messages/${id}`);
  await page.getByText('It was deleted while you were editing it').waitFor();
  await expect.poll(() => left.inputValue()).toBe('First, but better');

  // The admin removes the author from the team.
  await page.getByRole('textbox', { name: 'Write to Quay' }).fill('For the team');
  await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
  await page.getByRole('heading', { name: 'You are no longer in this team' }).waitFor();
  await expect
    .poll(async () => Promise.all((await left.all()).map((it) => it.inputValue())))
    .toEqual(['For the team', 'First, but better']);
  await inspect(page, 'members-left-team');
  await page.reload();
  await page.getByRole('button', { name: 'Discard' }).first().click();
  await page.getByRole('button', { name: 'Discard' }).first().click();
  await page.getByRole('heading', { name: 'This is not one of your teams' }).waitFor();
  expect(problems).toEqual([]);
});

it('files are uploaded, shown and removed while one writes, and seen by the others', async () => {
  const ben = await signUp(web.server, 'Ben');
  const { ada, team } = await teamOf('Gallery', ben);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const { page: other } = await visit(ben, `/teams/${team}`);
  const picture = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#c58f4e' } })
    .png()
    .toBuffer();
  const chooser = page.locator('input[type=file]');
  // The answer for the file that was chosen first comes last.
  let answered = 0;
  const others = Promise.withResolvers<void>();
  await intercept(page, '**/v1/attachments', async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    if (data?.[0].name === 'loaf.png') await others.promise;
    await route.fulfill({ response });
    answered += 1;
    if (answered === 2) others.resolve();
  });
  await chooser.setInputFiles([
    { name: 'loaf.png', mimeType: 'image/png', buffer: picture },
    { name: 'recipe.txt', mimeType: 'text/plain', buffer: Buffer.from('flour') },
    { name: 'crust.png', mimeType: 'image/png', buffer: picture },
    { name: 'wrong.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1024 * 1024 + 1) },
  ]);
  await page.getByText(/^At most/).waitFor();
  await expect.poll(() => answered, WITHIN).toBe(3);
  await page.getByRole('progressbar').first().waitFor({ state: 'detached' });
  const files = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
  await expect
    .poll(() => files.allInnerTexts())
    .toEqual([
      expect.stringContaining('loaf.png'),
      expect.stringContaining('recipe.txt'),
      expect.stringContaining('crust.png'),
      expect.stringContaining('wrong.bin'),
    ]);
  await inspect(page, 'members-files');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('A file could not be uploaded. Try it again, or remove it.').waitFor();
  await page.getByRole('button', { name: 'Remove wrong.bin' }).click();
  await page.getByRole('textbox', { name: 'Write to Gallery' }).fill('Look');
  await page.getByRole('button', { name: 'Send' }).click();
  await other.getByRole('link', { name: 'Open the picture loaf.png' }).waitFor();
  const saved = other.getByRole('link', { name: /recipe.txt/ });
  await expect.poll(() => saved.getAttribute('href')).toMatch(/\/v1\/attachments\//);
  await inspect(other, 'members-attachments');

  // The pictures of a message in a dialog of their own, one after the other, with the keyboard alone.
  const opener = other.getByRole('link', { name: 'Open the picture loaf.png' });
  const address = await opener.getAttribute('href');
  await opener.press('Enter');
  const box = other.getByRole('dialog');
  await box.getByRole('heading', { name: 'loaf.png 1 of 2' }).waitFor();
  await expect
    .poll(() => box.getByRole('img', { name: 'loaf.png' }).evaluate((it) => Reflect.get(it, 'naturalWidth')))
    .toBe(640);
  await inspect(other, 'members-lightbox');
  await other.keyboard.press('ArrowRight');
  await box.getByRole('img', { name: 'crust.png' }).waitFor();
  await box.getByRole('button', { name: 'Next picture' }).click();
  await box.getByRole('img', { name: 'loaf.png' }).waitFor();
  const original = box.getByRole('link', { name: 'Open original' });
  await expect.poll(() => original.getAttribute('href')).toBe(address);
  await expect
    .poll(() => box.getByRole('link', { name: 'Download' }).getAttribute('download'))
    .toBe('loaf.png');
  await other.keyboard.press('Escape');
  await box.waitFor({ state: 'detached' });
  await opener.and(other.locator(':focus')).waitFor();
  expect(problems).toEqual([]);
});

it('a file with a long name is one line high before it is sent, and its name is there as a whole', async () => {
  const { ada, team } = await teamOf('Reel');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const chips = page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
  const add = async (name: string, count: number) => {
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from('flour') };
    await page.locator('input[type=file]').setInputFiles(file);
    await expect.poll(() => chips.getByText('5 B').count()).toBe(count);
    return (await chips.last().boundingBox())?.height;
  };
  const long = `${'minutes of the meeting '.repeat(5)}final.txt`;
  const height = await add('short.txt', 1);
  expect(await add(long, 2)).toBe(height);
  await chips.getByTitle(long).waitFor();
  await inspect(page, 'long-file-name');
  expect(problems).toEqual([]);
});

it('a draft that is discarded in the list comes back with its file, and what was written meanwhile stays', async () => {
  const { ada, team } = await teamOf('Slip');
  const other = await makeTeam(ada, [], 'Other');
  const { page, problems } = await visit(ada, `/teams/${team}`, { viewport: PHONE, hasTouch: true });
  const box = page.getByRole('textbox', { name: 'Write to Slip' });
  await box.fill('With a list');
  const list = { name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('one') };
  await page.locator('input[type=file]').setInputFiles(list);
  await page.getByRole('button', { name: 'Remove list.txt' }).waitFor();
  await page.goto(`/teams/${other}`);
  await page.getByRole('textbox', { name: 'Write to Other' }).fill('Stays');
  await page.goto('/drafts');
  const discardDraft = page.getByRole('button', { name: 'Discard the draft: Slip' });
  await discardDraft.waitFor();
  await inspect(page, 'drafts-phone');
  await discardDraft.tap();
  await discardDraft.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Other Stays' }).waitFor();
  await expect.poll(() => keptIn(page, 'draft.'), WITHIN).toHaveLength(1);
  // Another window writes in its place.
  const second = await page.context().newPage();
  await second.goto(`/teams/${team}`);
  await second.getByRole('textbox', { name: 'Write to Slip' }).fill('Since then');
  await discardDraft.waitFor();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).tap();
  await page.getByRole('link', { name: 'Slip With a list Since then' }).tap();
  await expect.poll(() => box.inputValue(), WITHIN).toBe('With a list\nSince then');
  await page.getByRole('button', { name: 'Remove list.txt' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  const sent = async () => (await ada.client.get(`/v1/messages?team=${team}`)).data[0]?.attachments[0]?.name;
  await expect.poll(sent, WITHIN).toBe('list.txt');
  expect(problems).toEqual([]);
});

it('a file whose upload ends after leaving and returning joins the present draft', async () => {
  const { ada, team } = await teamOf('Return');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await intercept(page, '**/v1/attachments', async (route) => {
    await held;
    await route.continue();
  });
  const field = page.getByRole('textbox', { name: 'Write to Return' });
  await field.fill('Before');
  const file = { name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('flour') };
  await page.locator('input[type=file]').setInputFiles([file]);
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  await page.getByRole('link', { name: 'Return' }).first().click();
  await field.fill('After');
  release();
  await page.getByRole('button', { name: 'Remove late.txt' }).waitFor();
  await expect.poll(() => field.inputValue()).toBe('After');
  expect(problems).toEqual([]);
});

it('code that cannot be loaded without a connection follows with it, and what was written stays', async () => {
  const { ada, team } = await teamOf('Pier');
  const { page, context } = await visit(ada, '/inbox');
  let refuses = true;
  await intercept(context, '**/assets/later-*.js', (route) =>
    refuses ? route.abort('internetdisconnected') : route.fallback(),
  );
  const refused = page.waitForEvent('requestfailed', (request) => request.url().includes('/later-'));
  await page.goto(`/teams/${team}`);
  await refused;
  const field = page.getByRole('textbox', { name: 'Write to Pier' });
  await field.fill('Half a thought');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Formatting' }).click();
  await page.getByText(/^No connection/).waitFor();
  expect(await field.inputValue()).toBe('Half a thought');
  // Browsers do not ask for a file again that they did not get: the page is loaded once more.
  refuses = false;
  const reloaded = page.waitForEvent('load');
  await context.setOffline(false);
  await reloaded;
  await page.getByRole('button', { name: 'Bold' }).waitFor();
  expect(await field.inputValue()).toBe('Half a thought');
});

it('an upload that was cut off begins again, and one that the server has dropped is made again', async () => {
  const { ada, team } = await teamOf('Depot');
  const { page, context, problems } = await visit(ada, `/teams/${team}`);
  const chooser = page.locator('input[type=file]');
  const textFile = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
  const field = page.getByRole('textbox', { name: 'Write to Depot' });
  const chip = (name: string) => page.getByRole('button', { name: `Remove ${name}` });
  const uploaded = () =>
    page
      .waitForResponse((answer) => answer.url().endsWith('/v1/attachments') && answer.ok())
      .then(async (answer) => (await answer.json()).data[0].id as string);
  // The window is left while the file is on its way.
  await answerFirst(context, 'POST', '**/v1/attachments', () => undefined);
  const begun = page.waitForRequest('**/v1/attachments');
  await chooser.setInputFiles([textFile('report.txt')]);
  await begun;
  const reported = uploaded();
  await page.reload();
  await dropped(page, await reported);
  await chip('report.txt').waitFor();
  // A file that is chosen without a connection follows.
  await context.setOffline(true);
  await chooser.setInputFiles([textFile('later.txt')]);
  await page.getByText(/^The server cannot be reached/).waitFor();
  const later = uploaded();
  await context.setOffline(false);
  await later;
  await page.getByText(/^The server cannot be reached/).waitFor({ state: 'detached' });
  await field.fill('Both');
  await field.press('Enter');
  await expect.poll(() => textsIn(ada, team), WITHIN).toEqual(['Both']);
  const { data } = await ada.client.get(`/v1/messages?team=${team}`);
  expect(data[0].attachments.map(({ name }: { name: string }) => name)).toEqual(['report.txt', 'later.txt']);
  await expect.poll(() => keptIn(page, 'draft.'), WITHIN).toEqual([]);
  await expect.poll(() => keptIn(page, '', 'files'), WITHIN).toEqual([]);

  // Its bytes are nowhere: the refusal names it, and the text stays.
  const again = uploaded();
  await chooser.setInputFiles([textFile('report.txt')]);
  await dropped(page, await again);
  await chip('report.txt').waitFor();
  await page.evaluate(`new Promise((resolve) => {
    const opening = indexedDB.open('parley');
    opening.onsuccess = () => {
      const change = opening.result.transaction('files', 'readwrite');
      change.objectStore('files').clear();
      change.oncomplete = () => resolve(opening.result.close());
    };
  })`);
  await page.reload();
  await field.fill('Look at it');
  await field.press('Enter');
  await page.getByText(/^report.txt is no longer on the server/).waitFor();
  await inspect(page, 'members-lost-file');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.poll(() => field.inputValue()).toBe('Look at it');
  expect(await chip('report.txt').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('a file for which the server was away follows once it is back', async () => {
  const { ada, team } = await teamOf('Quay');
  const { page, context, problems } = await visit(ada, `/teams/${team}`);
  await page.getByRole('textbox', { name: 'Write to Quay' }).waitFor();
  await answerFirst(context, 'POST', '**/v1/attachments', (route) => route.abort());
  const file = { name: 'late.txt', mimeType: 'text/plain', buffer: Buffer.from('late') };
  await page.locator('input[type=file]').setInputFiles([file]);
  const away = page.getByText(/^The server cannot be reached/);
  await away.waitFor();
  const uploaded = page.waitForResponse((answer) => answer.url().endsWith('/v1/attachments') && answer.ok());
  // A user's oldest stream ends when another is one too many. The network was never away.
  const streams = await Promise.all(Array.from({ length: 20 }, () => EventStream.open(ada.client)));
  for (const stream of streams) stream.close();
  await uploaded;
  await away.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('pasted text wins over a picture of itself; a picture or a file alone is attached', async () => {
  const { ada, team } = await teamOf('Paste');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Paste' });
  await field.focus();
  /** @returns whether the browser pastes the text itself */
  const paste = (types: Record<string, string>, file?: string) =>
    page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      for (const [type, data] of Object.entries(${JSON.stringify(types)})) clipboardData.setData(type, data);
      const name = ${JSON.stringify(file ?? '')};
      if (name) clipboardData.items.add(new File(['x'], name, { type: 'text/plain' }));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      return document.activeElement.dispatchEvent(event);
    })()`);
  const attached = () => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').count();
  const cells = '<table><tr><td>a<td>b<tr><td>1<td>2</table>';
  expect(await paste({ 'text/plain': 'a\tb', 'text/html': cells }, 'cells.png')).toBe(false);
  await expect.poll(() => field.inputValue()).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |');
  expect(await paste({ 'text/plain': 'words' }, 'image.png')).toBe(true);
  expect(await paste({ 'text/plain': 'words' })).toBe(true);
  expect(await attached()).toBe(0);
  expect(await paste({ 'text/html': '<img src="https://example.org/a.png">' }, 'alone.png')).toBe(false);
  expect(await paste({ 'text/plain': 'a.png', 'text/html': '<img src="a.png">' }, 'markup.png')).toBe(false);
  expect(await paste({ 'text/plain': 'report.txt' }, 'report.txt')).toBe(false);
  await page.getByRole('button', { name: 'Remove report.txt' }).waitFor();
  expect(await attached()).toBe(3);
  expect(problems).toEqual([]);
});

it('sounds and films are played where they stand, before and after they have arrived', async () => {
  const { ada, team } = await teamOf('Radio');
  const { page, context, problems } = await visit(ada, `/teams/${team}`);
  const wave = Buffer.concat([Buffer.from('RIFF'), Buffer.from([36, 0, 0, 0]), Buffer.from('WAVEfmt ')]);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'bell.wav', mimeType: 'audio/wav', buffer: wave });
  const send = page.getByRole('button', { name: 'Send', disabled: false });
  await send.waitFor();
  // The player is among what a window loads ahead, once it has time.
  const loaded = () =>
    page.evaluate<string[]>("performance.getEntriesByType('resource').map(({ name }) => name)");
  await expect.poll(loaded, WITHIN).toContainEqual(expect.stringContaining('/assets/later-'));
  await context.setOffline(true);
  await send.click();
  await page.getByRole('article').getByRole('button', { name: 'Play bell.wav' }).waitFor();
  await context.setOffline(false);
  await page
    .getByText(/^(Sending…|Will be sent)/)
    .first()
    .waitFor({ state: 'detached' });
  const player = page.getByRole('article').locator('figure');
  await player.getByRole('button', { name: 'Play bell.wav' }).click();
  // Its bytes are no sound.
  await player.getByText('This cannot be played here.').waitFor();
  expect(await player.evaluate((it) => it.clientWidth)).toBeGreaterThan(300);
  // EBML with the document type of WebM (RFC 8794), and no more.
  const film = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581', 'hex');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'clip.webm', mimeType: 'video/webm', buffer: film });
  await send.click();
  const shown = page.getByRole('article').locator('figure').filter({ hasText: 'clip.webm' });
  await shown.getByRole('button', { name: 'Show clip.webm on the whole screen' }).waitFor();
  await shown.locator('video').click();
  await shown.getByText('This cannot be played here.').waitFor();
  await inspect(page, 'members-film');
  expect(problems).toEqual([]);
});

it('a message to people is addressed by name, with the keyboard alone', async () => {
  const ben = await signUp(web.server, 'Ben');
  const cleo = await signUp(web.server, 'Cleo');
  const { ada } = await teamOf('Office', ben, cleo);
  const { page, problems } = await visit(ada, '/compose');
  const to = page.getByRole('combobox', { name: 'To' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Lunch?');
  await page.keyboard.press('Enter');
  await page.getByText('Choose at least one recipient.').waitFor();
  await to.fill('be');
  await page.getByRole('option', { name: 'Ben Test' }).waitFor();
  await to.press('Enter');
  await to.fill('cl');
  await page.getByRole('option', { name: 'Cleo Test' }).waitFor();
  await picture(page, 'members-compose-open');
  await to.press('Enter');
  await inspect(page, 'members-compose');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await page.waitForURL(/\/direct\/.*(,|%2C)/);
  await page.getByRole('article').getByText('Lunch?').waitFor();
  await page.goto('/sent');
  await page.getByRole('article').getByText('Lunch?').waitFor();
  await page.getByText(/to (Ben Test and Cleo Test|Cleo Test and Ben Test)/).waitFor();
  await inspect(page, 'members-sent');
  const { data } = await cleo.client.get('/v1/messages?tag=_direct');
  expect(data.map(({ text }) => text)).toEqual(['Lunch?']);
  expect(problems).toEqual([]);
});

it('people who closed their account are not offered; a message that they are among goes to the others', async () => {
  // The first account of a server is its administrator's, and an only administrator cannot close it.
  const ada = await signUp(web.server, 'Ada');
  const [ben, cleo] = [await signUp(web.server, 'Ben'), await signUp(web.server, 'Cleo')];
  await makeTeam(ada, [ben, cleo], 'Leavers');
  const { page, problems } = await visit(ada, '/compose', { locale: 'de-DE' });
  const to = page.getByRole('combobox', { name: 'An' });
  for (const name of ['Ben Test', 'Cleo Test']) {
    await to.fill(name);
    await page.getByRole('option', { name }).waitFor();
    await to.press('Enter');
  }
  const password = 'a password of length';
  expect((await ben.client.post('/v1/users/me/deactivation', { password })).status).toBe(200);
  const field = page.getByRole('textbox', { name: 'Nachricht' });
  await field.fill('Wer kommt?');
  await field.press('Enter');
  await page.getByRole('link', { name: '1 Nachricht nicht gesendet' }).click();
  await page.getByText('Nicht gesendet: Ben Test ist nicht zu erreichen').waitFor();
  await inspect(page, 'members-not-to-all');
  await page.getByRole('button', { name: 'An die anderen senden' }).click();
  const sent = async () => (await cleo.client.get('/v1/messages?tag=_direct')).data.map(({ text }) => text);
  await expect.poll(sent, WITHIN).toEqual(['Wer kommt?']);
  await to.fill('Ben');
  await page.getByText(/hei(ß|ss)t/).waitFor();
  await page.goto(`/people/${ben.id}`);
  await page.getByText('Dieses Konto ist geschlossen.').waitFor();
  await inspect(page, 'members-left-person');
  expect(await page.getByRole('link', { name: 'Nachricht schreiben' }).count()).toBe(0);
  await page.goto(`/search?q=${encodeURIComponent('🎉')}`);
  await page.getByText('Zum Suchen braucht es einen Buchstaben oder eine Ziffer.').waitFor();
  expect(problems).toEqual([]);
});

it('after an edit that the composer began, one goes on writing there; a key of an input method sends nothing', async () => {
  const { ada, team } = await teamOf('Pier');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const composer = page.getByRole('textbox', { name: 'Write to Pier' });
  // The arrow means the message that is still being sent.
  let send = () => {};
  const isHeld = new Promise<void>((resolve) => {
    send = resolve;
  });
  await page.route('**/v1/messages', async (route) => {
    if (route.request().method() === 'POST') await isHeld;
    await route.continue();
  });
  await composer.fill('typo teh');
  await composer.press('Enter');
  await page.getByRole('article').getByText('typo teh').waitFor();
  await composer.press('ArrowUp');
  send();
  await page.getByRole('textbox', { name: 'Edit the message' }).fill('typo the');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('typo the').waitFor();
  await page.keyboard.type('he then writes on');
  await expect.poll(() => composer.inputValue()).toBe('he then writes on');
  // Safari: the composition has ended, and the key that ended it comes afterwards.
  await page.evaluate(`(() => {
    const key = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    Object.defineProperty(key, 'keyCode', { value: 229 });
    document.activeElement.dispatchEvent(key);
  })()`);
  await expect(composer.inputValue()).resolves.toBe('he then writes on');
  await composer.press('Enter');
  await page.getByRole('article').getByText('he then writes on').waitFor();
  // It is shown before the server has it.
  await expect.poll(() => textsIn(ada, team)).toEqual(['typo the', 'he then writes on']);
  expect(
    (await ada.client.get(`/v1/messages?team=${team}`)).data.map(({ num_high_fives }) => num_high_fives),
  ).toEqual([0, 0]);
  expect(problems).toEqual([]);
});

it('that the server could not be reached is said no longer once it can, or the message was edited', async () => {
  const { ada, team } = await teamOf('Jetty');
  await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'typo teh' });
  const { page, context, problems } = await visit(ada, `/teams/${team}`);
  const article = page.getByRole('article').filter({ hasText: /typo|Edit/ });
  const alert = page.getByRole('article').getByRole('alert');
  const editor = page.getByRole('textbox', { name: 'Edit the message' });
  const banner = page.getByText('No connection.');
  await page.getByRole('article').getByText('typo teh').waitFor();
  await page.getByRole('textbox', { name: 'Write to Jetty' }).press('ArrowUp');
  await editor.fill('typo the');
  await context.setOffline(true);
  await editor.press('Enter');
  await alert.getByText('The server cannot be reached').waitFor();
  await context.setOffline(false);
  await banner.waitFor({ state: 'detached' });
  await alert.waitFor({ state: 'detached' });
  await editor.press('Enter');
  await page.getByRole('article').getByText('typo the').waitFor();

  // Neither does it stay where something else than an edit has failed.
  await article.hover();
  await context.setOffline(true);
  await article.getByRole('button', { name: 'React with 👍' }).click();
  await alert.getByText('The server cannot be reached').waitFor();
  await context.setOffline(false);
  await banner.waitFor({ state: 'detached' });
  await alert.waitFor({ state: 'detached' });

  // A refusal stays until the message is edited.
  const refuse = { status: 409, json: { errors: [{ code: 4090, message: 'Not now' }] } };
  await answerFirst(page, 'PUT', '**/v1/messages/*/reactions/**', (route) => route.fulfill(refuse));
  await article.hover();
  await article.getByRole('button', { name: 'React with 👍' }).click();
  await alert.waitFor();
  await page.getByRole('textbox', { name: 'Write to Jetty' }).press('ArrowUp');
  await editor.fill('typo gone');
  await editor.press('Enter');
  await page.getByRole('article').getByText('typo gone').waitFor();
  await alert.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

it('commands are found as one types, an unknown one is not posted, and two slashes post one', async () => {
  const { ada, team } = await teamOf('Kitchen');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Kitchen' });
  const list = page.getByRole('listbox', { name: 'Commands' });
  await field.pressSequentially('/');
  for (const name of ['/me', '/help']) await list.getByRole('option').getByText(name).waitFor();
  await inspect(page, 'members-commands');
  await field.pressSequentially('m');
  await expect.poll(() => list.getByRole('option').count()).toBe(1);
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('/me ');
  await field.press('Enter');
  await page.getByRole('alert').getByText('Write behind /me').waitFor();
  await field.pressSequentially('puts the kettle on');
  await field.press('Enter');
  const acted = page.getByRole('article').filter({ hasText: 'puts the kettle on' });
  await acted.locator('em').getByText('puts the kettle on').waitFor();

  await field.fill('/deploy now');
  await field.press('Enter');
  await page.getByRole('alert').getByText('There is no command /deploy.').waitFor();
  await expect(field.inputValue()).resolves.toBe('/deploy now');
  await inspect(page, 'members-unknown-command');
  await field.fill('//deploy now');
  await field.press('Enter');
  await page.getByRole('article').getByText('/deploy now').waitFor();
  await field.fill('/etc/passwd is there');
  await field.press('Enter');
  await page.getByRole('article').getByText('/etc/passwd is there').waitFor();

  await field.fill('/help');
  await field.press('Enter');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('/me').waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await expect.poll(() => field.inputValue()).toBe('');
  const sent = ['_puts the kettle on_', '/deploy now', '/etc/passwd is there'];
  await expect.poll(() => textsIn(ada, team)).toEqual(sent);
  expect(problems).toEqual([]);
});

it('a refused message that begins like a command comes back as it was written', async () => {
  const { ada, team } = await teamOf('Cellar');
  const { page } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Cellar' });
  const refusal = { errors: [{ code: 4002, reason: 'text', message: 'refused' }] };
  await answerFirst(page, 'POST', '**/v1/messages', (route) => route.fulfill({ status: 400, json: refusal }));
  await field.fill('//deploy now');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect.poll(() => field.inputValue()).toBe('//deploy now');
  await field.press('Enter');
  await expect.poll(() => textsIn(ada, team)).toEqual(['/deploy now']);
});
