import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { inspect, startWeb, type Web } from '../support/web.ts';

let web: Web;
let ada: Person;
let ben: Person;
let cy: Person;
let alone: string;
let silent: string;

beforeAll(async () => {
  web = await startWeb();
  ada = await signUp(web.server, 'Ada');
  [ben, cy] = [await signUp(web.server, 'Ben'), await signUp(web.server, 'Cy')];
  alone = await makeTeam(ada, [], 'Alone');
  silent = await makeTeam(ada, [ben, cy], 'Silent');
});
afterAll(() => web?.stop());

/** The filled buttons of a page, without the one that sends what is in the field. */
const filled = async (page: Page) =>
  (await page.locator('main [class*=primary]:not([aria-label=Send])').allInnerTexts()).filter(
    (name) => name !== 'Send',
  );

describe('an empty page has one sentence, and at most one filled button:', () => {
  const pages: readonly (readonly [path: string, title: string, button: readonly string[]])[] = [
    ['/inbox?show=mentions', 'No mentions yet', []],
    ['/inbox?show=threads', 'No replies yet', []],
    ['/inbox?show=all', 'Nothing here yet', ['New message']],
    ['/saved', 'Nothing saved yet', []],
    ['/scheduled', 'Nothing scheduled', ['New message']],
    ['/drafts', 'No drafts', ['New message']],
    ['/direct', 'No direct messages yet', ['New message']],
    ['/sent', 'You have not written anything yet', ['New message']],
    ['/search', 'Find what was said', ['Search']],
  ];
  it('those of a member', async () => {
    const { page, problems } = await web.visit('/inbox', { cookie: ada.client.cookie });
    for (const [path, title, button] of pages) {
      await page.goto(path);
      const state = page.locator('div', { has: page.getByRole('heading', { name: title }) }).last();
      await state.waitFor();
      expect([path, await filled(page)]).toEqual([path, button]);
      expect([path, (await state.locator('p').allInnerTexts()).length]).toEqual([path, 1]);
    }
    await inspect(page, 'empty-search');
    expect(problems).toEqual([]);
  });

  it('those of a team, and of somebody who is in none', async () => {
    const { page, problems } = await web.visit(`/teams/${alone}`, { cookie: ada.client.cookie });
    await page.getByText('You are the first one here').waitFor();
    expect(await filled(page)).toEqual(['Invite people']);
    await inspect(page, 'empty-team-alone');
    await page.getByRole('link', { name: 'Invite people' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite people' });
    await dialog.getByLabel('Email addresses').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await page.goto(`/teams/${silent}`);
    await page.getByText('Ben and Cy are here').waitFor();
    expect(await filled(page)).toEqual(['Say hello 👋']);
    await inspect(page, 'empty-team');
    for (const part of ['files', 'pins']) {
      await page.goto(`/teams/${silent}/${part}`);
      await page
        .getByRole('heading', { name: part === 'files' ? 'No files yet' : 'Nothing pinned yet' })
        .waitFor();
      expect(await filled(page)).toEqual([]);
    }
    const dee = await signUp(web.server, 'Dee');
    const stranger = await web.visit('/inbox', { cookie: dee.client.cookie });
    await stranger.page.getByRole('heading', { name: 'You are in no team yet' }).waitFor();
    expect(await filled(stranger.page)).toEqual(['Look at the open teams']);
    await stranger.page.goto('/teams');
    await stranger.page.getByRole('heading', { name: 'You are in no team yet' }).waitFor();
    expect(await filled(stranger.page)).toEqual(['New team']);
    expect([...problems, ...stranger.problems]).toEqual([]);
  });
});
