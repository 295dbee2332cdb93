import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, PHONE, startWeb, tooWide, type Visitor, type Web } from '../support/web.ts';

let web: Web;
let root: Person;
let moving: Buffer;

beforeAll(async () => {
  web = await startWeb();
  root = await signUp(web.server, 'Root');
  const frames = await Promise.all(
    ['#c03020', '#20a040', '#2040c0'].map((background) =>
      sharp({ create: { width: 64, height: 64, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  moving = await sharp(frames, { join: { animated: true } })
    .gif({ delay: [300, 300, 300] })
    .toBuffer();
});

afterAll(() => web?.stop());

const visit = (person: Person, path: string, options = {}): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie, ...options });

async function add(person: Person, name: string): Promise<{ url: string; still_url: string }> {
  const raw = new FormData();
  raw.set('name', name);
  raw.set('file', new Blob([new Uint8Array(moving)]), 'picture.gif');
  return (await person.client.ask('POST', '/v1/emoji', { raw })).data[0];
}

const shownBy = (image: Locator) =>
  image.evaluate((one) => {
    const { currentSrc, naturalWidth } = one as unknown as { currentSrc: string; naturalWidth: number };
    return naturalWidth > 0 ? new URL(currentSrc).pathname : '';
  });
const pathOf = (url: string) => new URL(url).pathname;
const message = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

it('a member adds an emoji from the choice of emoji, and all react with it and write it', async () => {
  const [ada, ben] = [await signUp(web.server, 'Ada'), await signUp(web.server, 'Ben')];
  const team = await makeTeam(ada, [ben], 'Harbour');
  await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'Do we sail?' });
  const [atAda, atBen] = [await visit(ada, `/teams/${team}`), await visit(ben, `/teams/${team}`)];
  await message(atBen.page, 'Do we sail?').waitFor();
  await message(atAda.page, 'Do we sail?').hover();
  await message(atAda.page, 'Do we sail?').getByRole('button', { name: 'Add a reaction…' }).click();
  await atAda.page.getByRole('button', { name: 'Add an emoji' }).click();
  const dialog = atAda.page.getByRole('dialog', { name: 'Add an emoji' });
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('This is needed. Fill it in.').first().waitFor();
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'Full Sail.gif', buffer: moving, mimeType: 'image/gif' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await expect.poll(() => name.inputValue()).toBe('full_sail');
  await name.fill('tada');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Another emoji has this name. Choose another one.').waitFor();
  await name.fill('beef');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('this could be part of a time or an address').waitFor();
  await inspect(atAda.page, 'emoji-add');
  await name.fill(':Full_Sail:');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();

  // Back in the choice, which has it in a category of its own.
  const choice = atAda.page.getByRole('dialog', { name: 'Choose an emoji' });
  await choice.getByText('This server').waitFor();
  await choice.getByRole('searchbox', { name: 'Find an emoji' }).fill('sail');
  await inspect(atAda.page, 'emoji-choice');
  await choice.getByRole('gridcell', { name: ':full_sail:' }).click();
  await message(atAda.page, 'Do we sail?')
    .getByRole('button', { name: ':full_sail: by 1 person', pressed: true })
    .waitFor();

  // A window that was open before learns of it.
  const chip = message(atBen.page, 'Do we sail?').getByRole('button', { name: ':full_sail: by 1 person' });
  await chip.locator('img').waitFor();
  await chip.click();
  await message(atAda.page, 'Do we sail?').getByRole('button', { name: ':full_sail: by 2 people' }).waitFor();
  await ben.client.post('/v1/messages', {
    addressed_teams: [team],
    text: 'Aye :full_sail: at 10:30:00, `:full_sail:`, https://a.example/:full_sail:/x, not :no_such_thing:',
  });
  const aye = message(atAda.page, 'Aye');
  await aye.getByRole('img', { name: ':full_sail:' }).waitFor();
  expect(await aye.getByRole('img', { name: ':full_sail:' }).count()).toBe(1);
  expect(await aye.locator('code').innerText()).toBe(':full_sail:');
  await aye.getByText('not :no_such_thing:').waitFor();
  await inspect(atAda.page, 'emoji-in-messages');
  // Its name is completed while one writes.
  const field = atAda.page.getByRole('textbox', { name: 'Write to Harbour' });
  await field.pressSequentially('Off we go :full');
  await atAda.page.getByRole('option', { name: ':full_sail:' }).locator('img').waitFor();
  await inspect(atAda.page, 'emoji-suggested');
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Off we go :full_sail:');
  expect([...atAda.problems, ...atBen.problems]).toEqual([]);
});

it('people who prefer less motion see the first frame', async () => {
  const cleo = await signUp(web.server, 'Cleo');
  const emoji = await add(cleo, 'wavy_flag');
  const team = await makeTeam(cleo, [], 'Quay');
  await cleo.client.post('/v1/messages', { addressed_teams: [team], text: 'Look :wavy_flag:' });
  for (const [reducedMotion, url] of [
    ['reduce', emoji.still_url],
    ['no-preference', emoji.url],
  ] as const) {
    const { page } = await visit(cleo, `/teams/${team}`, { reducedMotion });
    const image = message(page, 'Look').getByRole('img', { name: ':wavy_flag:' });
    await image.waitFor();
    await expect.poll(() => shownBy(image)).toBe(pathOf(url));
  }
});

it('the settings list the emoji of the server, and delete those that one added', async () => {
  const [dora, eli] = [await signUp(web.server, 'Dora'), await signUp(web.server, 'Eli')];
  for (const name of ['anchor_up', 'buoy_two', 'crane_six', 'dock_nine', 'eel_soup', 'fog_horn'])
    await add(dora, name);
  const team = await makeTeam(dora, [eli], 'Pier');
  const posted = await dora.client.post('/v1/messages', { addressed_teams: [team], text: 'Up :anchor_up:' });
  await dora.client.put(`/v1/messages/${posted.data[0].id}/reactions/anchor_up`);

  const { page, problems } = await visit(dora, '/settings/emoji');
  await page.getByRole('listitem').filter({ hasText: ':anchor_up:' }).waitFor();
  await page.getByRole('searchbox', { name: 'Find an emoji' }).fill('anch');
  await page.getByText(':buoy_two:').waitFor({ state: 'detached' });
  await inspect(page, 'settings-emoji');
  await page.getByRole('button', { name: 'Delete :anchor_up:' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText(':anchor_up: is deleted').waitFor();
  await page.getByText('Nothing matches.').waitFor();

  // Its name stays, as a text.
  const { page: atEli } = await visit(eli, `/teams/${team}`);
  await message(atEli, 'Up').getByText('Up :anchor_up:').waitFor();
  await message(atEli, 'Up').getByRole('button', { name: ':anchor_up: by 1 person' }).waitFor();
  expect(await message(atEli, 'Up').getByRole('img', { name: ':anchor_up:' }).count()).toBe(0);

  const { page: small } = await visit(eli, '/settings/emoji', { viewport: PHONE });
  await small.getByText(':buoy_two:').waitFor();
  expect(await small.getByRole('button', { name: 'Delete :buoy_two:' }).count()).toBe(0);
  expect(await tooWide(small)).toEqual([]);
  await inspect(small, 'settings-emoji-phone');
  const { page: atRoot } = await visit(root, '/settings/emoji');
  await atRoot.getByRole('button', { name: 'Delete :buoy_two:' }).waitFor();
  expect(problems).toEqual([]);
});
