import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { picture } from '../support/web.ts';

let browser: Browser;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ HOST: 'localhost' });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server.stop();
});

it('/docs shows every route, from our own server alone', async () => {
  const page = await browser.newPage();
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http') && host !== new URL(server.running.url).host)
      elsewhere.push(request.url());
  });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${server.running.url}/docs`);
  const all = await page.evaluate<string[]>(
    "fetch('/openapi.json').then((answer) => answer.json()).then(({ paths }) => Object.keys(paths))",
  );
  const seen = new Set<string>();
  // The page draws only the rows of a long list that are in view.
  await expect
    .poll(
      async () => {
        for (const path of await page.evaluate<string[]>(PATHS)) seen.add(path);
        await page.evaluate(TURN_PAGE);
        return [...seen].sort();
      },
      { timeout: 30_000 },
    )
    .toEqual(all.sort());
  await page.getByPlaceholder('Filter by tag').fill('OAuth2/Token');
  await expect.poll(() => page.evaluate(PATHS)).toEqual(['/v1/oauth2/token']);
  await expect.poll(() => page.title()).toBe('Parley: the interface');
  await picture(page, 'docs');
  expect({ elsewhere, problems }).toEqual({ elsewhere: [], problems: [] });
});

const PATHS = `[...document.querySelectorAll('.opblock-summary-path')].map(({ dataset }) => dataset.path)`;

/** Scrolls by less than a window's height, and from the end to the beginning. */
const TURN_PAGE = `{
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  scrollTo(0, scrollTop + clientHeight >= scrollHeight - 1 ? 0 : scrollTop + clientHeight / 2);
}`;
