import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooSmall, tooWide, type Visitor, type Web } from '../support/web.ts';

/** The time limit for events without user action. */
const WITHIN = { timeout: 15_000 };
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Two seconds of silence: 8,000 samples a second of 8 bits. */
const SAMPLES = 16_000;
const SOUND = Buffer.alloc(44 + SAMPLES, 128);
SOUND.write('RIFF....WAVEfmt ', 'latin1');
SOUND.writeUInt32LE(36 + SAMPLES, 4);
SOUND.writeUInt32LE(16, 16);
SOUND.writeUInt32LE(0x10001, 20);
SOUND.writeUInt32LE(8000, 24);
SOUND.writeUInt32LE(8000, 28);
SOUND.writeUInt32LE(0x80001, 32);
SOUND.write('data', 36, 'latin1');
SOUND.writeUInt32LE(SAMPLES, 40);

let web: Web;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  web = await startWeb();
  [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

const BYTES: Readonly<Record<string, Buffer>> = { png: PIXEL, wav: SOUND };

async function say(person: Person, to: object, ...names: string[]): Promise<string> {
  const files: string[] = [];
  for (const name of names) {
    const raw = new FormData();
    raw.set('file', new Blob([BYTES[name.split('.').at(-1) ?? ''] ?? Buffer.from(name)]), name);
    files.push((await person.client.ask('POST', '/v1/attachments', { raw })).data[0].id);
  }
  const { data } = await person.client.post('/v1/messages', { text: 'Here', attachments: { files }, ...to });
  return data[0].id;
}

it('the files of a team are found, opened in place, and gone with the right to see them', async () => {
  const team = await makeTeam(ada, [ben], 'Roof');
  const to = { addressed_teams: [team] };
  const told = await say(ada, to, 'plan.txt', 'east.png', 'west.png', 'rain.wav');
  await say(ben, to, 'invoice.txt');
  const { page, problems } = await visit(ben, `/teams/${team}`);
  await page
    .getByRole('navigation', { name: 'Parts of the team' })
    .getByRole('link', { name: 'Files' })
    .click();
  const list = page.getByRole('list', { name: 'Files, the newest first' });
  await list.getByText('invoice.txt').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(5);
  await inspect(page, 'files');

  await page.getByLabel('Kind').selectOption('picture');
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
  await page.getByRole('button', { name: 'Open the picture east.png' }).click();
  const box = page.getByRole('dialog', { name: /east.png/ });
  await box.waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: /west.png/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Kind').selectOption('audio');
  await list.getByRole('button', { name: 'rain.wav', exact: true }).click();
  await list.getByRole('button', { name: 'Play rain.wav' }).click();
  await list.getByText('of 0:02').waitFor();
  await list.getByRole('slider', { name: 'Place in rain.wav' }).fill('1');
  await list.getByText('0:01 of 0:02').waitFor();
  await inspect(page, 'files-sound');
  await page.getByLabel('Kind').selectOption('');
  await page.getByLabel('Name of the file').fill('PLAN');
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await list.getByRole('link', { name: 'Go to the message' }).click();
  await page.locator(`[data-message="${told}"]`).waitFor();
  expect(page.url()).toContain(`at=${told}`);

  await page.goto(`/teams/${team}/files?kind=document`);
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
  await say(ada, to, 'late.txt');
  await list.getByText('late.txt').waitFor(WITHIN);
  await ada.client.delete(`/v1/messages/${told}`);
  await list.getByText('plan.txt').waitFor({ state: 'detached', ...WITHIN });
  await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
  await list.waitFor({ state: 'detached', ...WITHIN });
  expect((await ben.client.get(`/v1/teams/${team}/files`)).code).toBe(4040);
  await page.reload();
  await page.getByText('This is not one of your teams').waitFor();
  expect(await page.getByText('late.txt').count()).toBe(0);
  expect(problems).toEqual([]);
});

it('a picture stays open while another one is posted', async () => {
  const team = await makeTeam(ada, [ben], 'Gallery');
  const to = { addressed_teams: [team] };
  await say(ada, to, 'east.png', 'west.png');
  const { page, problems } = await visit(ben, `/teams/${team}/files`);
  await page.getByRole('button', { name: 'Open the picture west.png' }).click();
  const box = page.getByRole('dialog');
  await box.getByText('west.png').waitFor();
  await say(ada, to, 'north.png');
  await page.getByRole('listitem', { includeHidden: true }).getByText('north.png').waitFor(WITHIN);
  expect(await box.getByRole('heading').textContent()).toContain('west.png');
  expect(problems).toEqual([]);
});

it('the files of a conversation are listed on a phone', async () => {
  await makeTeam(ada, [ben], 'Street');
  const to = { addressed_users: [ben.id] };
  await say(ada, to, 'ours.txt', 'us.png');
  const { page, problems } = await visit(ben, `/direct/${ada.id}`, { viewport: PHONE, hasTouch: true });
  await page.getByRole('link', { name: 'Files' }).tap();
  const list = page.getByRole('list', { name: 'Files, the newest first' });
  await list.getByText('ours.txt').first().waitFor();
  expect(await tooWide(page)).toEqual([]);
  expect(await tooSmall(page, 'main')).toEqual([]);
  await inspect(page, 'files-phone');
  await page.getByLabel('By').selectOption({ label: 'Ben Test' });
  await page.getByText('No file fits').waitFor();
  expect(problems).toEqual([]);
});
