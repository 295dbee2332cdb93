import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { newFolder } from '../support/folder.ts';
import { demo, freePair, type Program, root, startProgram } from '../support/process.ts';
import { PHONE } from '../support/web.ts';

const folder = newFolder();
let browser: Browser | undefined;
let program: Program | undefined;
afterEach(async () => {
  await browser?.close();
  await program?.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

it('the demo looks as the pictures in the README show it', async () => {
  const environment = { DATA_DIR: join(folder, 'data'), PORT: String(await freePair()), LOG_LEVEL: 'silent' };
  program = await startProgram([demo], environment, /demo is ready at (\S+)/);
  const [, password = ''] = await program.written(/the password "([^"]+)"/);
  browser = await launchBrowser();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(program.found);
  await page.getByLabel('Email').fill('mara@demo.example');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Harbour Bakery' }).first().click();
  await page.getByPlaceholder('Write to Harbour Bakery').waitFor();
  await page.getByText('All our tasks').waitFor();
  await take(page, 'team');

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('link', { name: /^Inbox/ }).click();
  await page.getByRole('article', { name: /mentions you/ }).waitFor();
  await take(page, 'inbox');

  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  await page.goto(new URL('/teams', program.found).href);
  await page.getByRole('main').getByRole('link', { name: 'Shop Window' }).click();
  await page.getByPlaceholder('Write to Shop Window').waitFor();
  await page.getByText('A first try at the summer window').last().waitFor();
  await take(page, 'phone');
});

async function take(page: Page, name: string): Promise<void> {
  await expect
    .poll(() => page.evaluate<boolean>('[...document.images].every((one) => one.complete)'))
    .toBe(true);
  const picture = await page.screenshot();
  // One of an empty page has a few kilobytes.
  expect(picture.length).toBeGreaterThan(30_000);
  if (process.env.PICTURES) writeFileSync(join(root, `docs/pictures/${name}.png`), picture);
}
