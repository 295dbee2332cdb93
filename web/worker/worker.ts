import { onSubscriptionChange, open, show, tellAgain, tellOf } from './notifications.ts';
import {
  answerRead,
  answerSession,
  answerWithFile,
  answerWithPage,
  askWhoReads,
  isPage,
  isRead,
  isSession,
  keepFiles,
  keepViews,
  removeOldFiles,
} from './offline.ts';

declare const self: ServiceWorkerGlobalScope;

/*
 * Service Workers, W3C. A new version waits until all windows of the old one are closed: no window is reloaded, so nothing
 * that is being written is lost. Pages come from the network wherever there is one.
 */

self.addEventListener('install', (event) =>
  // A window waits for the first version. A later one is complete before it takes over: there may be no network then.
  event.waitUntil(keepFiles(['/']).then(() => (self.registration.active ? keepViews() : undefined))),
);

self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([removeOldFiles(), self.clients.claim()])),
);

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === 'GET') {
    if (request.mode === 'navigate') {
      if (isPage(pathname)) event.respondWith(answerWithPage(event));
    } else if (pathname.startsWith('/assets/')) event.respondWith(answerWithFile(event));
    else if (isRead(pathname)) event.respondWith(answerRead(event));
  } else if (isSession(request.method, pathname)) event.respondWith(answerSession(event));
});

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclick', (event) => event.waitUntil(open(event.notification)));
self.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(onSubscriptionChange(event as PushSubscriptionChangeEvent)),
);
self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const { data } = event;
  if (data?.kind === 'session') event.waitUntil(askWhoReads());
  // The files that the window loaded before it was served from here.
  if (data?.kind === 'loaded') event.waitUntil(keepFiles(data.files as string[]).then(keepViews));
  if (data?.kind === 'news') event.waitUntil(tellOf(String(data.conversation)));
  if (data?.kind === 'read') event.waitUntil(tellAgain());
});

interface PushSubscriptionChangeEvent extends ExtendableEvent {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}
