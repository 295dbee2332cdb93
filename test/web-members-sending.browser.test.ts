import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from './support/people.ts';
import { DESK, inspect, PHONE, picture, startWeb, type Visitor, type Web } from './support/web.ts';

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

it('a draft survives a reload, and is gone once it is sent', async () => {
  const { ada, team } = await teamOf('Bakery');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Bakery' });
  await field.fill('Half a thou');
  await page.reload();
  expect(await field.inputValue()).toBe('Half a thou');
  await page.goto('/inbox');
  await page.getByRole('link', { name: 'Bakery' }).first().click();
  expect(await field.inputValue()).toBe('Half a thou');
  await field.press('End');
  await field.pressSequentially('ght');
  await field.press('Enter');
  await page.getByRole('article').getByText('Half a thought').waitFor();
  await page.getByText('Sending…').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('article').getByText('Half a thought').waitFor();
  expect(await field.inputValue()).toBe('');
  expect(await textsIn(ada, team)).toEqual(['Half a thought']);
  expect(problems).toEqual([]);
});

it('messages written offline are sent in order after reconnecting', async () => {
  const { ada, team } = await teamOf('Mill');
  const { page, context } = await visit(ada, `/teams/${team}`);
  const field = page.getByRole('textbox', { name: 'Write to Mill' });
  await page.getByRole('heading', { name: 'It begins here' }).waitFor();
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
  expect(await textsIn(ada, team)).toEqual([]);
  await context.setOffline(false);
  await expect.poll(() => textsIn(ada, team), WITHIN).toEqual(['First', 'Second', 'Third']);
  await page.getByText(/^(Sending…|Will be sent)/).waitFor({ state: 'detached' });
  expect(await page.getByRole('article').count()).toBe(3);
});

it('an answer that is lost, and a reload before it comes, make no second message', async () => {
  const { ada, team } = await teamOf('Oven');
  const { page } = await visit(ada, `/teams/${team}`);
  let posted = 0;
  // The server acts, but the answer is lost.
  await page.route('**/v1/messages', async (route) => {
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
  await page.getByRole('article').getByText('Only once').waitFor();
  await page.waitForFunction(() =>
    Object.keys(localStorage).every((name) => !name.startsWith('parley.outbox')),
  );
  await expect.poll(() => page.getByRole('article').count(), WITHIN).toBe(1);
  expect(await textsIn(ada, team)).toEqual(['Only once']);
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
  await context.route('**/v1/messages', () => undefined, { times: 1 });
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
  await page.route('**/replies', async (route) => {
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

it('files are uploaded, shown and removed while one writes, and seen by the others', async () => {
  const ben = await signUp(web.server, 'Ben');
  const { ada, team } = await teamOf('Gallery', ben);
  const { page, problems } = await visit(ada, `/teams/${team}`);
  const { page: other } = await visit(ben, `/teams/${team}`);
  const picture = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#c58f4e' } })
    .png()
    .toBuffer();
  const chooser = page.locator('input[type=file]');
  await chooser.setInputFiles([
    { name: 'loaf.png', mimeType: 'image/png', buffer: picture },
    { name: 'recipe.txt', mimeType: 'text/plain', buffer: Buffer.from('flour') },
    { name: 'wrong.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(1024 * 1024 + 1) },
  ]);
  await page.getByText(/^At most/).waitFor();
  await page.getByRole('button', { name: 'Remove loaf.png' }).waitFor();
  await page.getByRole('button', { name: 'Remove recipe.txt' }).waitFor();
  await inspect(page, 'members-files');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('A file could not be uploaded. Try it again, or remove it.').waitFor();
  await page.getByRole('button', { name: 'Remove wrong.bin' }).click();
  await page.getByRole('textbox', { name: 'Write to Gallery' }).fill('Look');
  await page.getByRole('button', { name: 'Send' }).click();
  await other.getByRole('link', { name: 'Open the picture loaf.png' }).waitFor();
  const saved = other.getByRole('link', { name: /recipe.txt/ });
  expect(await saved.getAttribute('href')).toMatch(/\/v1\/attachments\//);
  await inspect(other, 'members-attachments');
  expect(problems).toEqual([]);
});

it('a file whose upload ends after leaving and returning joins the present draft', async () => {
  const { ada, team } = await teamOf('Return');
  const { page, problems } = await visit(ada, `/teams/${team}`);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/v1/attachments', async (route) => {
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
  expect(await field.inputValue()).toBe('After');
  expect(problems).toEqual([]);
});

it('sounds and films are played where they stand, before and after they have arrived', async () => {
  const { ada, team } = await teamOf('Radio');
  const { page, context, problems } = await visit(ada, `/teams/${team}`);
  const wave = Buffer.concat([Buffer.from('RIFF'), Buffer.from([36, 0, 0, 0]), Buffer.from('WAVEfmt ')]);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'bell.wav', mimeType: 'audio/wav', buffer: wave });
  await page.getByRole('button', { name: 'Remove bell.wav' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('article').getByLabel('bell.wav').and(page.locator('audio')).waitFor();
  await context.setOffline(false);
  await page.getByText(/^(Sending…|Will be sent)/).waitFor({ state: 'detached' });
  await page.getByRole('article').getByLabel('bell.wav').and(page.locator('audio')).waitFor();
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
  await page.waitForURL('**/sent');
  await page.getByRole('article').getByText('Lunch?').waitFor();
  await page.getByText(/to (Ben Test and Cleo Test|Cleo Test and Ben Test)/).waitFor();
  await inspect(page, 'members-sent');
  const { data } = await cleo.client.get('/v1/messages?tag=_direct');
  expect(data.map(({ text }) => text)).toEqual(['Lunch?']);
  expect(problems).toEqual([]);
});
