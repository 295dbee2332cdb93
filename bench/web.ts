/**
 * Waiting times in a browser: npm run bench -- --web. Opens a team with 10,000 messages with an empty cache, then
 * scrolls through it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { Cipher } from '#platform/crypto/index.ts';
import { SqliteDatabase } from '#platform/db/index.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { median } from './load.ts';
import { seedMessages } from './messages-seed.ts';
import { SERVER, startSubject } from './process.ts';
import { seed } from './seed.ts';
import { seedSessions } from './sessions-seed.ts';
import type { Figure } from './table.ts';

const MESSAGES = 10_000;
const MEMBERS = 10;
const SCROLL_MS = 8000;
const WHEEL_PIXELS = 600;
const KIB = 1024;
const ASK_MS = 20;
const VIEWPORT = { width: 1280, height: 800 };

export async function benchWeb({ rounds }: { rounds: number }): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-web-'));
  const [encryptionKey, cookieKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const environment = {
    DATA_DIR: folder,
    PORT: '0',
    HOST: 'localhost',
    RATE_LIMIT: 'off',
    ENCRYPTION_KEY: encryptionKey.toString('base64'),
    COOKIE_KEY: cookieKey.toString('base64'),
  };
  const browser = await launchBrowser();
  try {
    const db = new SqliteDatabase(join(folder, 'parley.db'));
    const seeded = await seed(db, [MEMBERS], new Cipher(encryptionKey).encrypt('bench'));
    const [reader, author] = seeded.userIds as [string, string];
    const team = seeded.teams[MEMBERS] as string;
    await seedMessages(db, MESSAGES, author, { team });
    const [cookie] = await seedSessions(db, [reader], cookieKey);
    await db.close();
    const server = await startSubject(SERVER, environment);
    const url = server.url.replace('127.0.0.1', 'localhost');
    const visits: Visit[] = [];
    for (let round = 0; round < rounds; round++)
      visits.push(await visit(browser, url, team, cookie as string));
    await server.stop();
    return figuresOf(visits);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Visit {
  readonly scriptKib: number;
  readonly visibleMs: number;
  readonly longestTaskMs: number;
  readonly framesPerSecond: number;
  readonly elements: number;
}

function figuresOf(visits: readonly Visit[]): Figure[] {
  const of = (name: keyof Visit) => median(visits.map((one) => one[name]));
  return [
    { name: 'script of the first load, compressed', value: of('scriptKib'), unit: 'KiB', below: 200 },
    { name: 'stream visible, from a cold cache', value: of('visibleMs'), unit: 'ms', below: 1000 },
    { name: 'longest task while scrolling', value: of('longestTaskMs'), unit: 'ms', below: 50 },
    { name: 'frames a second while scrolling', value: of('framesPerSecond'), unit: '', below: undefined },
    { name: 'elements on the page after scrolling', value: of('elements'), unit: '', below: undefined },
  ];
}

async function visit(browser: Browser, url: string, team: string, cookie: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const at = cookie.indexOf('=');
    await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }]);
    const page = await context.newPage();
    const weigh = await weighScripts(await context.newCDPSession(page));
    await page.addInitScript(NOTE);
    await page.goto(`${url}/teams/${team}`);
    const visibleMs = await untilVisible(page);
    const scriptKib = weigh();
    return { scriptKib, visibleMs, ...(await scroll(page)) };
  } finally {
    await context.close();
  }
}

/** @returns a function that returns the KiB of script loaded over the network so far */
async function weighScripts(session: CDPSession): Promise<() => number> {
  const scripts = new Set<string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ type, requestId }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => bytes / KIB;
}

/** Runs in the page, before its own scripts: notes long tasks, and when the first message is painted. */
const NOTE = `
  globalThis.tasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) tasks.push({ at: startTime, ms: duration });
  }).observe({ type: 'longtask', buffered: true });
  requestAnimationFrame(function look() {
    if (document.querySelector('main article')) globalThis.visibleAt = performance.now();
    else requestAnimationFrame(look);
  });
`;

const COUNT_FRAMES = `
  globalThis.counted = 0;
  requestAnimationFrame(function count() {
    counted += 1;
    requestAnimationFrame(count);
  });
  performance.now();
`;

/** Polls, because the page's policy blocks the script that the driver would wait with. */
async function untilVisible(page: Page): Promise<number> {
  for (;;) {
    const at = await page.evaluate<number | undefined>('globalThis.visibleAt');
    if (at !== undefined) return at;
    await setTimeout(ASK_MS);
  }
}

/** Scrolls up as fast as a person turns the wheel. */
async function scroll(page: Page): Promise<Pick<Visit, 'longestTaskMs' | 'framesPerSecond' | 'elements'>> {
  const since = await page.evaluate<number>(COUNT_FRAMES);
  await page.mouse.move(VIEWPORT.width / 2, VIEWPORT.height / 2);
  const end = Date.now() + SCROLL_MS;
  while (Date.now() < end) await page.mouse.wheel(0, -WHEEL_PIXELS);
  return page.evaluate(`({
    longestTaskMs: Math.max(0, ...tasks.filter(({ at }) => at > ${since}).map(({ ms }) => ms)),
    framesPerSecond: (counted * 1000) / (performance.now() - ${since}),
    elements: document.querySelectorAll('*').length,
  })`);
}
