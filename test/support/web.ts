import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { launchBrowser } from './browser.ts';
import { startTestServer, type TestServer } from './server.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Screenshots for inspection, where the environment has PICTURES; ignored by git. */
const PICTURES = 'test-results/views';
const THEMES = ['light', 'dark'] as const;
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

export async function startWeb(environment: NodeJS.ProcessEnv = {}): Promise<Web> {
  const server = await startTestServer({ HOST: 'localhost', ...environment });
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
        ...options,
      });
      onTestFinished(() => context.close());
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

/** Takes a picture of the page if the environment asks for pictures. @param name of the file */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

/**
 * Looks for what WCAG 2.2 AA forbids in a view, in both themes.
 * @param name of the view's pictures
 */
export async function inspect(page: Page, name: string): Promise<void> {
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await picture(page, `${name}-${theme}`);
    expect(await findBarriers(page, theme), `${name} in ${theme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** @returns what axe finds: the rule, and the elements that break it */
async function findBarriers(page: Page, theme: (typeof THEMES)[number]): Promise<string[]> {
  // Not as a script tag, which the page's policy would refuse.
  const loaded = await page.evaluate(() => 'axe' in globalThis);
  if (!loaded) await page.evaluate(await axeSource());
  const violations = await page.evaluate(async (whole) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const one = (rule: string) => ({ runOnly: { type: 'rule' as const, values: [rule] } });
    const runs = [
      // Focus guards pass the focus on into the popup, which the rule cannot detect.
      () =>
        axe.run(
          { exclude: ['[data-base-ui-focus-guard]'] },
          whole ? { runOnly: standard, rules: { region: { enabled: false } } } : one('color-contrast'),
        ),
      // A popup stands outside of the landmarks.
      ...(whole ? [() => axe.run({ exclude: ['[data-base-ui-portal]'] }, one('region'))] : []),
    ];
    // One after the other: axe refuses to run twice at once.
    const found = [];
    for (const run of runs) found.push(...(await run()).violations);
    return found.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`),
    }));
    // The second theme has the same page in other colours.
  }, theme === THEMES[0]);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node}`));
}

let source: string | undefined;

async function axeSource(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  source ??= await readFile(AXE, 'utf8');
  return source;
}
