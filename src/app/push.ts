import type { FastifyInstance } from 'fastify';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import type { OnAttempt, Rounds } from '#platform/jobs/index.ts';
import {
  type FindNews,
  type FindReaction,
  hostSlots,
  PushSettings,
  purgeShown,
  pushNoticed,
  pushRoutes,
  pushSender,
  pushService,
  pushSettings,
  startPushWorker,
  subscriptionService,
  teamReaders,
  vapidKeys,
  windowNotice,
} from '../conversation/pushes/index.ts';
import type { AppParts, Background } from './parts.ts';

/** Notifications on browsers and phones: a row in the transaction of their cause, pushed afterwards. */
export function joinPush(
  parts: Pick<AppParts, 'config' | 'db' | 'clock' | 'outbound' | 'baseUrl'>,
  deps: {
    cipher: Cipher;
    onAttempt: OnAttempt;
    /** Messages were pushed to a person who wants no mail about them. */
    onTold: (tx: Tx, told: { userId: string; messageIds: readonly string[] }) => Promise<unknown>;
    /** Tells of the news in a conversation of an inbox. */
    findNews: FindNews;
    findReaction: FindReaction;
    background: Background;
  },
) {
  const { config, db, clock, outbound, baseUrl } = parts;
  const { cipher, onAttempt, onTold, findNews, findReaction, background } = deps;
  const enabled = config.PUSH === 'on';
  const vapid = vapidKeys(db, cipher);
  const contact = () => config.PUSH_CONTACT ?? config.SECURITY_CONTACT ?? secureOnly(baseUrl());
  const hosts = hostSlots();
  const send = pushSender({
    db,
    clock,
    cipher,
    outbound,
    vapid,
    contact,
    onAttempt,
    onTold,
    findReaction,
    keepLease: background.keepLease,
    hosts,
  });
  const { intervalMs, onError } = background;
  let worker: Rounds | undefined;
  const wake = () => worker?.wake();
  const pushes = pushService({ clock, enabled, wake });
  const readers = teamReaders(db);
  const onChange = () => {
    readers.forget();
    wake();
  };
  return {
    pushes,
    noticed: pushNoticed({ clock, enabled, readers, wake }),
    schemas: [PushSettings],
    routes: (server: FastifyInstance) =>
      pushRoutes(server, {
        db,
        enabled,
        vapid,
        pushes,
        subscriptions: subscriptionService({ clock, cipher, enabled, allowLoopback: config.loopbackApps }),
        settings: pushSettings({ db, clock, onChange }),
        windowNotice: windowNotice({ db, clock, findNews, findReaction }),
      }),
    housekeeping: [purgeShown(db, clock)],
    async start() {
      if (!enabled) return;
      await vapid();
      worker = startPushWorker({ db, clock, send, hosts, before: readers.lookUp, intervalMs, onError });
      worker.wake();
    },
    stop: () => worker?.stop(),
  };
}

/** RFC 8292 §2.1: a push service cannot write to this machine's own address. */
const secureOnly = (url: string) => (url.startsWith('https:') ? url : undefined);
