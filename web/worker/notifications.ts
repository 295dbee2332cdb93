import type { Content, MessageContent } from '../../src/conversation/pushes/content.ts';
import { badgeNews, eraOfReader } from './reader.ts';

declare const self: ServiceWorkerGlobalScope;

/** Shows what was pushed, or takes away what was read elsewhere. */
export async function show(data: PushMessageData | null): Promise<void> {
  const content = read(data);
  if (content?.kind === 'read') await close(content.tag);
  // A push must show something, also one that cannot be read.
  else await notify(content ?? nothing());
  await badgeNews();
}

async function notify({ title, body, tag, url, at }: Omit<MessageContent, 'kind'>): Promise<void> {
  await self.registration.showNotification(title, {
    body,
    tag,
    data: url,
    icon: '/icons/app-192.png',
    badge: '/icons/badge-96.png',
    // Further messages of a conversation are heard, too.
    ...{ renotify: true, timestamp: at },
  });
}

async function close(tag: string): Promise<void> {
  for (const shown of await self.registration.getNotifications({ tag })) shown.close();
}

/** The newest message that each reader was told of in each conversation: several windows pass on the same news. */
const told = new Map<string, string>();
/** The conversations that are asked about, and whether there was more news of them meanwhile. */
const asking = new Map<string, { isMore: boolean }>();
/** Pushes have other tags. */
const CONVERSATION = /^[\da-f-]{36}$/;

/**
 * Shows, or takes away, what is new in a conversation, for a browser without a push service: a window has heard of it.
 * While a window is in view, its own numbers tell it.
 */
export async function tellOf(conversation: string): Promise<void> {
  const asked = asking.get(conversation);
  if (asked) {
    // The answer that is under way may lack it.
    asked.isMore = true;
    return;
  }
  const one = { isMore: true };
  asking.set(conversation, one);
  try {
    while (one.isMore) {
      one.isMore = false;
      await ask(conversation);
    }
  } catch {
    // Without a network there is nothing new to tell.
  } finally {
    asking.delete(conversation);
  }
}

async function ask(conversation: string): Promise<void> {
  const era = eraOfReader();
  const answer = await fetch(`/v1/users/me/inbox/${encodeURIComponent(conversation)}/notification`);
  // The server is busy or being started: what is shown stays.
  if (answer.status === 429 || answer.status >= 500) return;
  const answered = (await answer.json()) as { data?: readonly MessageContent[] };
  const content = answered.data?.[0];
  if (!content) return close(conversation);
  if (content.tag !== conversation) {
    // Direct messages with the same people share a notification; what is asked of it is asked one after the other.
    await close(conversation);
    return tellOf(content.tag);
  }
  const windows = await self.clients.matchAll({ type: 'window' });
  const shown = await self.registration.getNotifications();
  const own = shown.filter(({ tag }) => tag === conversation);
  const key = `${era} ${conversation}`;
  // Ids are in the order of time. The browser ends a worker between two events, and its memory with it; what it shows stays.
  const isNew = content.url > (told.get(key) ?? '') && !own.some(({ data }) => data === content.url);
  if (!isNew) {
    // A newer message was deleted.
    for (const one of own) if (one.data !== content.url) one.close();
    return;
  }
  told.set(key, content.url);
  if (windows.some(({ visibilityState }) => visibilityState === 'visible')) return;
  if (era !== eraOfReader()) return;
  // It was shown as a team's news until it was known to concern the reader.
  for (const one of shown) if (one.tag !== conversation && one.data === content.url) one.close();
  await notify(content);
  // The reader has signed out meanwhile.
  if (era !== eraOfReader()) await close(conversation);
}

/** Takes away what was read or deleted, of all that `tellOf` shows. */
export async function tellAgain(): Promise<void> {
  const shown = (await self.registration.getNotifications()).map(({ tag }) => tag);
  await Promise.all(shown.filter((tag) => CONVERSATION.test(tag)).map(tellOf));
}

const nothing = () => ({ title: 'Parley', body: '', tag: 'unreadable', url: '/', at: Date.now() });

function read(data: PushMessageData | null): Content | undefined {
  try {
    const content = data?.json() as Content | null | undefined;
    // The browser shows no notification without a tag, as it is asked to tell of it again.
    return typeof content?.tag === 'string' && content.tag !== '' ? { ...nothing(), ...content } : undefined;
  } catch {
    return undefined;
  }
}

/** Leads to the message: in a window that is open already, without loading it again. */
export async function open(notification: Notification): Promise<void> {
  notification.close();
  const { origin } = self.location;
  const address = String(notification.data ?? '/');
  const url = new URL(URL.canParse(address, origin) ? address : '/', origin);
  if (url.origin !== origin) return;
  const windows = await self.clients.matchAll({ type: 'window' });
  const window = windows.find(({ focused }) => focused) ?? windows[0];
  if (!window) return void (await self.clients.openWindow(url.href));
  window.postMessage({ kind: 'open', url: url.pathname + url.search });
  await window.focus();
}

/** A browser has replaced the subscription: the server is told of the new one. */
export async function onSubscriptionChange(event: {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}): Promise<void> {
  const options = event.oldSubscription?.options;
  const fresh =
    event.newSubscription ?? (options && (await self.registration.pushManager.subscribe(options)));
  if (!fresh) return;
  await fetch('/v1/users/me/push_subscriptions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fresh),
  });
}
