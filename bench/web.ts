/**
 * Waiting times in a browser: npm run bench -- --web. Opens the first views (first-views.ts), then a team with 10,000
 * messages and scrolls through it; then what it fetched is fetched by many at once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { Cipher } from '#platform/crypto/index.ts';
import { type Database, SqliteDatabase } from '#platform/db/index.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { openPostgres, withDatabases } from './databases.ts';
import { fetchAll } from './first-page.ts';
import { benchFirstViews } from './first-views.ts';
import { median } from './load.ts';
import { seedMessages } from './messages-seed.ts';
import { SERVER, type Subject, startSubject } from './process.ts';
import { seed } from './seed.ts';
import { seedSessions } from './sessions-seed.ts';
import { type Figure, type Line, lineOf } from './table.ts';

const MESSAGES = 10_000;
const MEMBERS = 10;
const SCROLL_MS = 8000;
/** Each takes ten seconds. */
const SCROLLS = 3;
const WHEEL_PIXELS = 600;
const KIB = 1024;
const ASK_MS = 20;
const VIEWPORT = { width: 1280, height: 800 };

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly postgres: boolean;
}

export async function benchWeb(options: Options): Promise<{ lines: Line[]; figures: Figure[] }> {
  const browser = await launchBrowser();
  try {
    const { lines, figures } = await onSqlite(browser, options);
    return { lines: [...lines, ...(options.postgres ? [await onPostgres(browser, options)] : [])], figures };
  } finally {
    await browser.close();
  }
}

async function onSqlite(browser: Browser, options: Options): Promise<{ lines: Line[]; figures: Figure[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-web-'));
  try {
    const db = new SqliteDatabase(join(folder, 'parley.db'));
    const place = await furnish(db);
    const server = await startSubject(SERVER, environmentOf(folder));
    await fillInbox(server.url.replace('127.0.0.1', 'localhost'), place);
    const first = await benchFirstViews(browser, server, place, { ...options, folder });
    process.stderr.write('a team: scrolled through\n');
    const visits: Visit[] = [];
    for (let round = 0; round < Math.min(options.rounds, SCROLLS); round++)
      visits.push(await visit(browser, server, place));
    const line = await firstPage('SQLite', server, place, visits[0] as Visit, { ...options, folder });
    await server.stop();
    return { lines: [...first.lines, line], figures: [...first.figures, ...figuresOf(visits)] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function onPostgres(browser: Browser, options: Options): Promise<Line> {
  return withDatabases(async (folder, postgres) => {
    const DATABASE_URL = await createDatabase(postgres.url);
    const place = await furnish(await openPostgres(DATABASE_URL));
    const server = await startSubject(SERVER, { ...environmentOf(folder), DATABASE_URL });
    const seen = await visit(browser, server, place);
    const line = await firstPage('PostgreSQL', server, place, seen, { ...options, folder });
    await server.stop();
    return line;
  });
}

async function firstPage(
  database: string,
  server: Subject,
  { cookie }: Place,
  { paths }: Visit,
  options: Options & { folder: string },
): Promise<Line> {
  const both = await fetchAll(server.url, paths, cookie, options);
  const name = `first page of the web application, ${paths.length} requests`;
  return lineOf(both, { name, database, reference: 'the same, ready', target: undefined });
}

const [ENCRYPTION_KEY, COOKIE_KEY] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

const environmentOf = (folder: string): NodeJS.ProcessEnv => ({
  DATA_DIR: folder,
  PORT: '0',
  HOST: 'localhost',
  RATE_LIMIT: 'off',
  ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
  COOKIE_KEY: COOKIE_KEY.toString('base64'),
});

/** A team with messages, and somebody who is signed in, as the others are. */
interface Place {
  readonly team: string;
  readonly reader: string;
  readonly cookie: string;
  readonly others: readonly string[];
}

async function furnish(db: Database): Promise<Place> {
  const seeded = await seed(db, [MEMBERS], new Cipher(ENCRYPTION_KEY).encrypt('bench'));
  const [reader, author] = seeded.userIds as [string, string];
  const team = seeded.teams[MEMBERS] as string;
  await seedMessages(db, MESSAGES, author, { team });
  const [cookie, ...others] = await seedSessions(db, seeded.userIds, COOKIE_KEY);
  await db.close();
  return { team, reader, cookie: cookie as string, others };
}

/** Each of the others writes to the reader: an inbox with a row of each. */
async function fillInbox(url: string, { reader, others }: Place): Promise<void> {
  for (const cookie of others) {
    const answer = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { Cookie: cookie, Origin: url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: 'Shall we have lunch at noon?', addressed_users: [reader] }),
    });
    if (!answer.ok) throw new Error(`A message was answered with ${answer.status}: ${await answer.text()}`);
  }
}

interface Visit {
  /** The addresses that were fetched until the team was readable. */
  readonly paths: readonly string[];
  readonly scriptKib: number;
  readonly visibleMs: number;
  readonly longestTaskMs: number;
  readonly framesPerSecond: number;
  readonly elements: number;
}

function figuresOf(visits: readonly Visit[]): Figure[] {
  const of = (name: Exclude<keyof Visit, 'paths'>) => median(visits.map((one) => one[name]));
  return [
    { name: 'script of the first load, compressed', value: of('scriptKib'), unit: 'KiB', below: 200 },
    { name: 'stream visible, from a cold cache', value: of('visibleMs'), unit: 'ms', below: 1000 },
    { name: 'longest task while scrolling', value: of('longestTaskMs'), unit: 'ms', below: 50 },
    { name: 'frames a second while scrolling', value: of('framesPerSecond'), unit: '', below: undefined },
    { name: 'elements on the page after scrolling', value: of('elements'), unit: '', below: undefined },
  ];
}

async function visit(browser: Browser, server: Subject, { team, cookie }: Place): Promise<Visit> {
  const url = server.url.replace('127.0.0.1', 'localhost');
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const at = cookie.indexOf('=');
    await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }]);
    const page = await context.newPage();
    const weigh = await weighScripts(await context.newCDPSession(page));
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(request.url()));
    await page.addInitScript(NOTE);
    await page.goto(`${url}/teams/${team}`);
    const visibleMs = await untilVisible(page);
    const paths = [...asked].filter((one) => one.startsWith(url) && !one.startsWith(`${url}/v1/events`));
    const scriptKib = weigh();
    const scrolled = await scroll(page);
    return { paths: paths.map((one) => one.slice(url.length)), visibleMs, scriptKib, ...scrolled };
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
