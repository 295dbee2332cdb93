import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import { startReady } from './first-page.ts';
import { type Measured, median, percentile } from './load.ts';
import type { Subject } from './process.ts';
import { type Figure, type Line, lineOf } from './table.ts';

/** A first view: its address, and the element that shows that it is there. */
interface View {
  readonly name: string;
  readonly path: string;
  /** CSS. */
  readonly shows: string;
  /** Empty for somebody without a session. */
  readonly cookie: string;
}

/** A phone on a slow line. */
const SLOW = { latency: 40, processor: 4 };
const WAYS = ['cold', 'warm', 'slow line, cold'] as const;
type Way = (typeof WAYS)[number];
const TARGET_MS: Partial<Record<Way, number>> = { cold: 700, 'slow line, cold': 3000 };
const MOST_REQUESTS = 30;
const KIB = 1024;
const ASK_MS = 20;
const LOST_MS = 30_000;

/** The first view that a browser opens, until it can be read. */
interface Opened {
  readonly visibleMs: number;
  readonly paths: readonly string[];
  readonly kib: number;
}

/**
 * Opens each view with an empty cache, again, and on a slow line, in turns at the server and at a bare one that has the
 * same files and answers ready: what remains is the browser's part.
 */
export async function benchFirstViews(
  browser: Browser,
  server: Subject,
  { team, cookie }: { team: string; cookie: string },
  { rounds, folder }: { rounds: number; folder: string },
): Promise<{ lines: Line[]; figures: Figure[] }> {
  const views: readonly View[] = [
    { name: 'sign-in', path: '/sign-in', shows: 'form input', cookie: '' },
    { name: 'inbox', path: '/inbox', shows: '[role=feed] [data-inbox]', cookie },
    { name: 'team', path: `/teams/${team}`, shows: 'main article', cookie },
  ];
  const url = server.url.replace('127.0.0.1', 'localhost');
  const result: { lines: Line[]; figures: Figure[] } = { lines: [], figures: [] };
  for (const view of views) {
    process.stderr.write(`${view.name}: opened ${rounds} times each way\n`);
    const [{ paths }] = await openTimes(browser, url, view, 1);
    const ready = await startReady(
      { url, paths: [...paths, '/', '/worker.js'], cookie: view.cookie },
      folder,
    );
    try {
      const [own, bare] = [emptyTimes(), emptyTimes()];
      for (let round = 0; round < rounds; round++) {
        await openAllWays(browser, url, view, own);
        await openAllWays(browser, ready.url, view, bare);
      }
      for (const way of WAYS) {
        result.lines.push(compared(view, way, own[way], bare[way]));
        result.figures.push(...figuresOf(view, way, own[way]));
      }
    } finally {
      await ready.stop();
    }
  }
  return result;
}

type Times = Readonly<Record<Way, Opened[]>>;
const emptyTimes = (): Times => ({ cold: [], warm: [], 'slow line, cold': [] });

async function openAllWays(browser: Browser, url: string, view: View, times: Times): Promise<void> {
  const [cold, warm] = await openTimes(browser, url, view, 2);
  const [slow] = await openTimes(browser, url, view, 1, true);
  times.cold.push(cold);
  if (warm) times.warm.push(warm);
  times['slow line, cold'].push(slow);
}

function compared({ name }: View, way: Way, own: readonly Opened[], bare: readonly Opened[]): Line {
  const [subject, reference] = [measuredOf(own), measuredOf(bare)];
  const ratio = median(own.map(({ visibleMs }, round) => (bare[round]?.visibleMs ?? Number.NaN) / visibleMs));
  const of = { name: `${name} visible, ${way}`, database: 'SQLite', reference: 'the same, ready' };
  return lineOf({ subject, reference, ratio }, { ...of, target: undefined });
}

function measuredOf(opened: readonly Opened[]): Measured {
  const times = opened.map(({ visibleMs }) => visibleMs);
  return { rate: 1000 / median(times), p50: median(times), p99: percentile(times, 99) };
}

function figuresOf({ name }: View, way: Way, opened: readonly Opened[]): Figure[] {
  const of = (what: (one: Opened) => number) => median(opened.map(what));
  const figures: Figure[] = [
    {
      name: `${name}, ${way}: visible`,
      value: of((one) => one.visibleMs),
      unit: 'ms',
      below: TARGET_MS[way],
    },
  ];
  if (way !== 'cold') return figures;
  return [
    ...figures,
    {
      name: `${name}: requests until then`,
      value: of(({ paths }) => paths.length),
      unit: '',
      below: MOST_REQUESTS + 1,
    },
    { name: `${name}: transferred until then`, value: of(({ kib }) => kib), unit: 'KiB', below: undefined },
  ];
}

/** In a fresh browser, then again in the same one. */
async function openTimes(
  browser: Browser,
  url: string,
  view: View,
  times: number,
  slowly = false,
): Promise<[Opened, ...Opened[]]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const at = view.cookie.indexOf('=');
    if (at > 0)
      await context.addCookies([{ name: view.cookie.slice(0, at), value: view.cookie.slice(at + 1), url }]);
    const opened: [Opened, ...Opened[]] = [await open(context, url, view, slowly)];
    while (opened.length < times) opened.push(await open(context, url, view, slowly));
    return opened;
  } finally {
    await context.close();
  }
}

async function open(context: BrowserContext, url: string, view: View, slowly: boolean): Promise<Opened> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    const seen = await watchNetwork(session, url);
    if (slowly) {
      const line = { offline: false, latency: SLOW.latency, downloadThroughput: -1, uploadThroughput: -1 };
      await session.send('Network.emulateNetworkConditions', line);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW.processor });
    }
    await page.addInitScript(NOTE.replace('SHOWS', JSON.stringify(view.shows)));
    await page.goto(url + view.path, { waitUntil: 'commit' });
    for (const lost = Date.now() + LOST_MS; ; ) {
      const visibleMs = await page.evaluate<number | undefined>('globalThis.visibleAt');
      // Its own requests are those that began before it was visible.
      if (visibleMs !== undefined) return { visibleMs, ...seen(visibleMs) };
      if (Date.now() > lost) throw new Error(`${view.name} was not visible within ${LOST_MS / 1000} seconds`);
      await page.waitForTimeout(ASK_MS);
    }
  } finally {
    await page.close();
  }
}

/** Runs in the page, before its own scripts. */
const NOTE = `
  requestAnimationFrame(function look() {
    if (document.querySelector(SHOWS)) globalThis.visibleAt = performance.now();
    else requestAnimationFrame(look);
  });
`;

/** @returns a function that says what was asked for until a time after the first request, and its size */
async function watchNetwork(
  session: CDPSession,
  url: string,
): Promise<(untilMs: number) => Pick<Opened, 'paths' | 'kib'>> {
  const asked = new Map<string, { path: string; at: number; bytes: number }>();
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (request.url.startsWith(url))
      asked.set(requestId, { path: request.url.slice(url.length), at: timestamp * 1000, bytes: 0 });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = asked.get(requestId);
    if (one) one.bytes = encodedDataLength;
  });
  await session.send('Network.enable');
  return (untilMs) => {
    const [first] = asked.values();
    const until = [...asked.values()].filter(({ at }) => at - (first?.at ?? 0) <= untilMs);
    return {
      // The stream of events does not end.
      paths: [...new Set(until.map(({ path }) => path))].filter((path) => path !== '/v1/events'),
      kib: until.reduce((sum, { bytes }) => sum + bytes, 0) / KIB,
    };
  };
}
