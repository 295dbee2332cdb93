import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { picture } from './support/web.ts';

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
  await page.getByText('/v1/oauth2/token', { exact: true }).first().waitFor();
  expect(await page.getByText('/v1/messages', { exact: true }).count()).toBeGreaterThan(0);
  expect(await page.title()).toBe('Parley: the interface');
  await picture(page, 'docs');
  expect({ elsewhere, problems }).toEqual({ elsewhere: [], problems: [] });
});
