import { changeReader, eraOfReader, forgetReader, isStale, ME, noteReader, readCache } from './reader.ts';

/** Names the build: its files are kept together, and removed together. */
declare const __BUILD__: string;
/** The files of the views that work without a network. */
declare const __FILES__: readonly string[];
const FILES_OF_ALL = 'parley-files-';
const FILES = FILES_OF_ALL + __BUILD__;
/** Answers that are kept to be read offline; the oldest go first. */
const MOST_ANSWERS = 120;

/** Addresses at which a browser gets something else than the page of the application. */
const NO_PAGE = /^\/(v1|docs|assets|icons|\.well-known)(\/|$)|\.\w+$|^\/(healthz|readyz|metrics)$/;
export const isPage = (path: string) => !NO_PAGE.test(path);

/** What is read of people, teams and messages. Not settings, secrets, archives and files. */
const READABLE =
  /^\/v1\/(server|users\/me(\/(teams|inbox(\/counts)?|connections|conversations))?|messages(\/[^/]+(\/replies|\/sidebars)?)?|sidebars\/[^/]+(\/messages)?|teams\/[^/]+(\/(users|subjects))?)$/;
export const isRead = (path: string) => READABLE.test(path);

/** The requests that begin a session, or end it. */
export const isSession = (method: string, path: string) =>
  method === 'POST'
    ? path === '/v1/sessions' || path === '/v1/users'
    : method === 'DELETE' && path === '/v1/sessions/current';

/** Whether a proxy answers in the place of a server that is away: the refusals of the server itself are JSON. */
const isOfProxy = ({ status, headers }: Response) =>
  status >= 502 && status <= 504 && headers.get('Content-Type')?.startsWith('application/json') !== true;

/** The page of the server; where it is away, the one that was kept. */
export async function answerWithPage({ request }: FetchEvent): Promise<Response> {
  try {
    const page = await fetch(request);
    return isOfProxy(page) ? ((await findPage()) ?? page) : withoutLinks(page);
  } catch (error) {
    return (await findPage()) ?? Promise.reject(error);
  }
}

const findPage = () => caches.match('/', { cacheName: FILES });

/**
 * The head of a page names what its first view needs, so that it is fetched ahead. What comes through a worker browsers
 * do not take from there, and would ask for a second time.
 */
function withoutLinks(page: Response): Response {
  // A redirect is the browser's to follow.
  if (!page.ok || !page.headers.has('Link')) return page;
  const headers = new Headers(page.headers);
  headers.delete('Link');
  return new Response(page.body, { status: page.status, headers });
}

/** Files change their name with their content, so a kept one is as good. */
export async function answerWithFile(event: FetchEvent): Promise<Response> {
  const kept = await caches.match(event.request, { cacheName: FILES });
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(keep(FILES, event.request, answer.clone()));
  return answer;
}

/** The answer of the server; where it is away, its last one. */
export async function answerRead(event: FetchEvent): Promise<Response> {
  const asked = eraOfReader();
  try {
    const answer = await fetch(event.request);
    if (isOfProxy(answer)) return (await findRead(event)) ?? answer;
    if (answer.status === 401 && !isStale(asked)) await forgetReader();
    if (!answer.ok) return answer;
    if (new URL(event.request.url).pathname === ME) return await passOn(event, answer, asked);
    event.waitUntil(keepRead(event.request, answer.clone(), asked));
    return answer;
  } catch (error) {
    return (await findRead(event)) ?? Promise.reject(error);
  }
}

async function findRead({ request }: FetchEvent): Promise<Response | undefined> {
  // A window that catches up with what it missed wants the server's answer or none.
  const isRefused = request.signal.aborted || request.cache === 'reload';
  const cacheName = isRefused ? undefined : await readCache();
  return cacheName === undefined ? undefined : caches.match(request, { cacheName });
}

/** A session begins or ends: what was kept belongs to the earlier reader. */
export async function answerSession(event: FetchEvent): Promise<Response> {
  const answer = await fetch(event.request).finally(changeReader);
  return answer.ok ? passOn(event, answer, eraOfReader()) : answer;
}

/** An answer about the reader: the window gets it, and asks for more, once what another one has read is removed. */
async function passOn(event: FetchEvent, answer: Response, asked: number): Promise<Response> {
  const body = await answer.arrayBuffer();
  await noteReader(body, asked);
  const { status, headers } = answer;
  event.waitUntil(keepRead(ME, new Response(body, { status, headers }), eraOfReader()));
  return new Response(body, { status, headers });
}

/** For a window that this worker does not serve, as after reloading it without the cache. */
export async function askWhoReads(): Promise<void> {
  const asked = eraOfReader();
  const answer = await fetch(ME).catch(() => undefined);
  if (answer?.ok) await noteReader(await answer.arrayBuffer(), asked);
  else await forgetReader();
}

async function keepRead(request: Request | string, answer: Response, asked: number): Promise<void> {
  // Read to its end first: until then the reader may have changed.
  const body = await answer.arrayBuffer();
  const name = await readCache();
  if (name === undefined || asked !== eraOfReader()) return;
  await keep(name, request, new Response(body, { status: answer.status, headers: answer.headers }));
  if (asked !== eraOfReader()) await caches.delete(name);
  else await removeOldest(name);
}

async function removeOldest(name: string): Promise<void> {
  const cache = await caches.open(name);
  const keys = await cache.keys();
  for (const old of keys.slice(0, Math.max(0, keys.length - MOST_ANSWERS))) await cache.delete(old);
}

/** Last of all, so that the oldest can be told. A full storage keeps nothing more. */
async function keep(name: string, request: Request | string, answer: Response): Promise<void> {
  try {
    const cache = await caches.open(name);
    await cache.delete(request);
    await cache.put(request, answer);
  } catch {
    // Without storage it is read from the network alone.
  }
}

/** Keeps the page and these files, with those that the page names. */
export async function keepFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    if (path !== '/' && !path.startsWith('/assets/')) continue;
    if (await caches.match(path, { cacheName: FILES })) continue;
    const answer = await fetch(path, { headers: { Accept: path === '/' ? 'text/html' : '*/*' } }).catch(
      () => undefined,
    );
    if (!answer?.ok) continue;
    if (path === '/')
      await keepFiles([...(await answer.clone().text()).matchAll(/\/assets\/[\w.-]+/g)].map(String));
    await keep(FILES, path, answer);
  }
}

/** Keeps the files of the views that were not opened yet. */
export const keepViews = () => keepFiles(__FILES__);

export async function removeOldFiles(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(FILES_OF_ALL) && name !== FILES) await caches.delete(name);
  }
}
