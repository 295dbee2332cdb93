declare const self: ServiceWorkerGlobalScope;

/** One person reads at a time. The name of the cache with what they have read ends with their id. */
const READ = 'parley-read';
const readBy = (user: string) => `${READ}-${user}`;
/** Tells who reads, like the two requests that begin a session. */
export const ME = '/v1/users/me';

let era = 0;
/** The era with which the session began, as far as the worker has seen it. */
let begun = 0;

/** Changes when the reader does: an answer that was asked for in another era is not kept. */
export const eraOfReader = () => era;

const readCaches = async () => (await caches.keys()).filter((name) => name.startsWith(READ));

/** @returns the name of the cache for the present reader; undefined while nobody is known to read */
export const readCache = async () => (await readCaches()).find((name) => name.startsWith(readBy('')));

/** Removes all that the reader has read here, and their notifications. */
export async function forgetReader(): Promise<void> {
  era++;
  for (const name of await readCaches()) await caches.delete(name);
  const shown = await self.registration.getNotifications();
  for (const notification of shown) notification.close();
  if (shown.length > 0) await badge(0);
}

/** A session begins or ends. */
export function changeReader(): Promise<void> {
  const done = forgetReader();
  begun = era;
  return done;
}

/** What was asked for in an earlier session tells nothing about the reader. */
export const isStale = (asked: number) => asked < begun;

let noted: Promise<unknown> = Promise.resolve();

/**
 * From here on this person reads: what another one has read is removed, in whichever way they came.
 * @param body of an answer about the caller @param asked the era in which that was asked for
 */
export function noteReader(body: ArrayBuffer, asked: number): Promise<unknown> {
  // One after the other. Without storage there is nothing to remove.
  noted = noted.then(() => note(idIn(body), asked)).catch(() => undefined);
  return noted;
}

async function note(user: string | undefined, asked: number): Promise<void> {
  if (isStale(asked)) return;
  const names = await readCaches();
  if (user !== undefined && names.length === 1 && names[0] === readBy(user)) return;
  const isLate = asked !== era;
  await forgetReader();
  // In doubt nothing is kept until the next answer.
  if (user !== undefined && !isLate) await caches.open(readBy(user));
}

function idIn(body: ArrayBuffer): string | undefined {
  try {
    const { data } = JSON.parse(new TextDecoder().decode(body)) as { data?: readonly { id?: unknown }[] };
    const id = data?.[0]?.id;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Shows on the icon of the installed application how much is new to the reader, as the inbox counts it. */
export async function badgeNews(): Promise<void> {
  const asked = era;
  try {
    const answer = await fetch('/v1/users/me/inbox/counts');
    const { data } = (await answer.json()) as { data?: readonly { readonly total: number }[] };
    if (data?.[0] && asked === era) await badge(data[0].total);
  } catch {
    // Without a network the number stays as it is.
  }
}

async function badge(count: number): Promise<void> {
  const { navigator } = self as unknown as {
    navigator: Navigator & { setAppBadge?(n: number): Promise<void> };
  };
  await navigator.setAppBadge?.(count).catch(() => undefined);
}
