import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  ConsoleMessage,
  Page,
  Request,
  Route,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { StartOptions } from '../../src/app/start.ts';
import { launchBrowser } from './browser.ts';
import { startTestServer, type TestServer } from './server.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Screenshots for inspection, where the environment has PICTURES; ignored by git. */
const PICTURES = 'test-results/views';
export const PHONE = { width: 390, height: 844 };
export const DESK = { width: 1280, height: 800 };

/** A person with a browser of their own: cookies, windows, and the problems seen in them. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts and of the console, refusals of the content security policy among them. */
  readonly problems: string[];
}

/** The web application in a real browser, on a server of its own. */
export interface Web {
  readonly server: TestServer;
  readonly url: string;
  /** A fresh browser without a session, or with that of `cookie`. */
  visit(path: string, options?: BrowserContextOptions & { cookie?: string }): Promise<Visitor>;
  stop(): Promise<void>;
}

export async function startWeb(
  environment: NodeJS.ProcessEnv = {},
  options: StartOptions = {},
): Promise<Web> {
  const server = await startTestServer({ HOST: 'localhost', ...environment }, options);
  const browser: Browser = await launchBrowser();
  const { url } = server.running;
  return {
    server,
    url,
    visit: async (path, { cookie, ...options } = {}) => {
      const context = await browser.newContext({
        baseURL: url,
        viewport: DESK,
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        colorScheme: 'light',
        reducedMotion: 'reduce',
        // With one, requests of the page could not be watched and changed.
        serviceWorkers: 'block',
        ...options,
      });
      const open = new Set<Request>();
      context.on('request', (request) => open.add(request));
      context.on('requestfinished', (request) => open.delete(request));
      context.on('requestfailed', (request) => open.delete(request));
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') await describe(context, open);
        // An answer that a test still prepares is for a window that closes, or that the test has closed.
        const drop = { behavior: 'ignoreErrors' } as const;
        await Promise.allSettled([...context.pages(), context].map((where) => where.unrouteAll(drop)));
        await context.close();
      });
      if (cookie !== undefined) await context.addCookies(cookiesOf(cookie, url));
      const page = await context.newPage();
      const problems = watch(page);
      await page.goto(path);
      return { context, page, problems };
    },
    stop: async () => {
      await browser.close();
      await server.stop();
    },
  };
}

/** Prints what the windows of a failed test show, and which requests they wait for. */
async function describe(context: BrowserContext, open: ReadonlySet<Request>): Promise<void> {
  for (const page of context.pages()) {
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String);
    console.error(`${page.url()}\n${shown}`);
  }
  for (const request of open) console.error(`not answered: ${request.method()} ${request.url()}`);
}

/** @param header as a `Cookie` header has them: name=value; name=value */
export function cookiesOf(header: string, url: string) {
  return header.split('; ').map((cookie) => {
    const at = cookie.indexOf('=');
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url };
  });
}

function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message: ConsoleMessage) => {
    if (message.type() !== 'error') return;
    // The browser logs each refused request, too; the view shows it.
    if (message.text().startsWith('Failed to load resource')) return;
    problems.push(message.text());
  });
  return problems;
}

const PROBE = '/is-intercepted';

/**
 * Has a test answer the requests to an address. Chromium hands them over only a moment after it was told to, so this
 * waits until it does. The probe's route stays: Chromium may leave a request waiting that begins while the last route
 * of its page is removed.
 */
export async function intercept(
  where: Page | BrowserContext,
  address: string | RegExp,
  answer: (route: Route, request: Request) => unknown,
): Promise<void> {
  await where.route(address, answer);
  await where.route(`**${PROBE}`, (route) => route.fulfill({ body: 'intercepted' }));
  const page = 'pages' in where ? where.pages()[0] : where;
  // A window without an address asks for nothing yet.
  if (!page?.url().startsWith('http')) return;
  const probe = () => page.evaluate<string>(`fetch('${PROBE}').then((answer) => answer.text())`);
  await expect.poll(probe).toBe('intercepted');
}

/** Has a test answer the first request of a method to an address; later ones go to the server. */
export async function answerFirst(
  where: Page | BrowserContext,
  method: string,
  address: string,
  answer: (route: Route) => unknown,
): Promise<void> {
  let answered = false;
  await intercept(where, address, (route) => {
    if (answered || route.request().method() !== method) return route.fallback();
    answered = true;
    return answer(route);
  });
}

/** A script for a browser whose owner lets no site keep anything. */
export const REFUSE_STORAGE = `
  const refuse = () => { throw new DOMException('Access is denied for this document.', 'SecurityError'); };
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { get: refuse });
  IDBFactory.prototype.open = refuse;
  LockManager.prototype.request = () => Promise.reject(new DOMException('denied', 'SecurityError'));
`;

/** @returns the names of the texts, or files, that the browser keeps */
export const keptIn = (page: Page, prefix = '', store = 'texts'): Promise<string[]> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('parley');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('${store}').objectStore('${store}').getAllKeys();
      reading.onsuccess = () => {
        opening.result.close();
        resolve(reading.result.filter((name) => name.startsWith('${prefix}')));
      };
    };
  })`);

/** Takes a picture of the page if the environment asks for pictures. @param name of the file */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

/** How many places of one navigation, or rows of one list, are marked as the current one. */
const MOST_CURRENT = `Math.max(0, ...[...document.querySelectorAll('nav, [role=feed]')]
  .map((list) => list.querySelectorAll('[aria-current]').length))`;

/**
 * Looks for what WCAG 2.2 AA forbids in a view, once for each: the other theme has the same page in other colours, whose
 * contrasts are known without a browser (`web/src/design/contrast.unit.test.ts`).
 * @param name of the view's pictures, which are taken in both themes
 */
export async function inspect(page: Page, name: string, theme: 'light' | 'dark' = 'light'): Promise<void> {
  if (process.env.PICTURES)
    for (const other of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: other });
      await picture(page, `${name}-${other}`);
    }
  await page.emulateMedia({ colorScheme: theme });
  expect(await findBarriers(page), `${name} in ${theme}`).toEqual([]);
  expect(await page.evaluate(MOST_CURRENT), `marked as current in one list of ${name}`).toBeLessThan(2);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** @returns what axe finds: the rule, and the elements that break it */
async function findBarriers(page: Page): Promise<string[]> {
  // A line on its way out has no contrast any more.
  await page.evaluate(`document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime)).forEach((animation) => animation.finish())`);
  // Not as a script tag, which the page's policy would refuse.
  const loaded = await page.evaluate(() => 'axe' in globalThis);
  if (!loaded) await page.evaluate(await axeSource());
  const violations = await page.evaluate(async () => {
    const { axe, document } = globalThis as unknown as {
      axe: typeof import('axe-core');
      document: { querySelector(selector: string): { closest(selector: string): unknown } | null };
    };
    const { violations } = await axe.run(
      // Focus guards pass the focus on into the popup, which the rule cannot detect.
      { exclude: ['[data-base-ui-focus-guard]'] },
      {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        resultTypes: ['violations'],
      },
    );
    // A popup stands outside of the landmarks.
    const isOutside = (id: string, target: unknown[]) =>
      id === 'region' && document.querySelector(String(target[0]))?.closest('[data-base-ui-portal]');
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes
        .filter(({ target }) => !isOutside(id, target))
        .map(({ target, failureSummary }) => `${target}: ${failureSummary}`),
    }));
  });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node}`));
}

let source: string | undefined;

async function axeSource(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  source ??= await readFile(AXE, 'utf8');
  return source;
}

/** @returns what scrolls sideways, but for rows of tabs and tools, tables and code, which are made for it */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate(`[document.documentElement, ...document.querySelectorAll('body *')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .filter((one) => one === document.documentElement || /auto|scroll/.test(getComputedStyle(one).overflowX))
    .filter((one) => !one.matches('nav, [role=tablist], [role=toolbar], pre, section:has(> table)'))
    .map((one) => one.outerHTML.slice(0, 120))`);

/**
 * @returns what a finger would miss: controls that take less than 44 px of the screen in a direction, or are covered.
 * What is for keyboards alone takes no finger. Links in running text are as high as their line (WCAG 2.5.8); at a name, the picture beside it is the same link.
 */
export const tooSmall = (page: Page, within = 'body'): Promise<string[]> =>
  page.evaluate(`[...document.querySelector('${within}').querySelectorAll('a[href], button, input, select, textarea, summary, [role=menuitem]')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => getComputedStyle(one).pointerEvents !== 'none')
    .filter((one) => one.matches('a') || !one.closest('[aria-hidden=true]'))
    .filter((one) => !one.matches(':is(p, td) a:not([aria-hidden]), .visually-hidden, [href="#content"]'))
    .filter((one) => !one.matches('a') || ![...one.parentNode.childNodes].some((near) => near.nodeType === 3))
    .flatMap((one) => {
      one.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, top, width, height } = one.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const isHit = (x, y) => {
        const hit = document.elementFromPoint(x, y);
        return hit !== null && (one.contains(hit) || one.labels?.[0]?.contains(hit) === true);
      };
      const reach = (dx, dy) => {
        let far = 0;
        while (far < 44 && isHit(x + dx * far, y + dy * far)) far++;
        return far;
      };
      // The centre is counted twice, and an edge between two pixels takes one.
      const [wide, high] = [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)];
      return Math.min(wide, high) >= 44 ? [] : [wide + '×' + high + ' ' + one.outerHTML.slice(0, 160)];
    })`);
