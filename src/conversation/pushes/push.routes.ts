import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Conflict,
  defineRoute,
  InvalidFields,
  lookUp,
  NotAllowed,
  NotFound,
  Nullable,
  Shared,
  Text,
  Timestamp,
  timestamp,
  Uuid,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import type { PushSubscriptionRow } from '#schema';
import type { PushService } from './push.service.ts';
import { PushSettings, PushSettingsChange } from './push.settings.ts';
import type { PushSettingsService } from './settings.service.ts';
import { MOST_DEVICES, type SubscriptionService } from './subscription.service.ts';
import { listSubscriptions } from './subscription.store.ts';
import type { VapidKeys } from './vapid.service.ts';
import type { WindowNotice } from './window-notice.ts';

const PushSubscription = Type.Object({
  id: Uuid,
  current: Type.Boolean({ description: 'Of the session that asks' }),
  user_agent: Type.String(),
  created_at: Timestamp,
  told_at: Nullable(Timestamp),
  failing: Type.Boolean({ description: 'Its push service does not take messages at present' }),
});

const NewSubscription = Type.Object(
  {
    endpoint: Text(2000, { description: 'The address of the push service' }),
    keys: Type.Object({
      p256dh: Text(100, { description: 'A point of P-256, uncompressed, in URL-safe base64' }),
      auth: Text(40, { description: '16 bytes, in URL-safe base64' }),
    }),
  },
  { description: 'As `PushSubscription.toJSON()` gives it in a browser, or a UnifiedPush distributor' },
);

const WindowNotification = Type.Object({
  kind: Type.Literal('message'),
  tag: Type.String({ description: 'The conversation: a newer notification takes the place of an older one' }),
  title: Type.String(),
  body: Type.String(),
  url: Type.String({ description: 'The path of the page that shows the message' }),
  at: Type.Integer({ description: 'In milliseconds since 1970' }),
});

const tag = 'Notifications';
const DeviceParams = Type.Object({ subscription: Type.String() });

export interface PushDeps {
  readonly db: Database;
  readonly enabled: boolean;
  readonly vapid: VapidKeys;
  readonly subscriptions: SubscriptionService;
  readonly pushes: PushService;
  readonly settings: PushSettingsService;
  readonly windowNotice: WindowNotice;
}

export function pushRoutes(app: FastifyInstance, deps: PushDeps): void {
  const { db, enabled, vapid, subscriptions, pushes, settings, windowNotice } = deps;

  defineRoute(app, {
    method: 'GET',
    path: '/v1/push',
    access: 'session',
    tag,
    summary: 'The key with which a browser subscribes to pushes',
    item: Type.Object({
      enabled: Type.Boolean({ description: 'Whether the operator lets the server push' }),
      public_key: Nullable(Type.String({ description: 'RFC 8292: the `applicationServerKey`' })),
    }),
    handle: async () => [{ enabled, public_key: enabled ? (await vapid()).publicKey : null }],
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/push_subscriptions',
    access: 'session',
    tag,
    summary: 'The devices that get notifications',
    item: PushSubscription,
    handle: async ({ principal }) =>
      (await listSubscriptions.all(db, { userId: principal.userId })).map((row) =>
        present(row, principal.sessionId),
      ),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/users/me/push_subscriptions',
    access: 'session',
    notRepeatable: true,
    tag,
    summary: 'Have notifications pushed to this device, as long as the session lasts',
    description:
      'Web Push: RFC 8030, 8291 and 8292. UnifiedPush speaks the same. The same endpoint again renews its subscription; ' +
      `beyond ${MOST_DEVICES} devices the oldest is forgotten.`,
    body: NewSubscription,
    item: PushSubscription,
    errors: [InvalidFields, NotAllowed, Conflict],
    handle: async ({ body, principal, request }) => {
      const { endpoint, keys } = body;
      const { userId, sessionId = '' } = principal;
      const userAgent = (request.headers['user-agent'] ?? '').slice(0, 300);
      const row = await db.write((tx) =>
        subscriptions.add(
          tx,
          { userId, sessionId, userAgent },
          { endpoint, p256dh: keys.p256dh, auth: keys.auth },
        ),
      );
      return [present(row, sessionId)];
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/push_subscriptions/:subscription',
    access: 'session',
    tag,
    summary: 'Push nothing more to a device',
    params: DeviceParams,
    errors: [NotFound],
    handle: async ({ params, principal }) => {
      await db.write((tx) => subscriptions.remove(tx, principal.userId, params.subscription));
      return [];
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/users/me/push_subscriptions/:subscription/test',
    access: 'session',
    strict: true,
    tag,
    summary: 'Push a notification that says that it works',
    params: DeviceParams,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        const rows = await listSubscriptions.all(tx, { userId: principal.userId });
        const device = await lookUp(params.subscription, async (id) => rows.find((row) => row.id === id));
        await pushes.test(tx, device);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/inbox/:conversation/notification',
    access: 'session',
    tag,
    summary: 'The notification that an open window shows of a conversation in the inbox',
    description:
      'For clients without a push service, when the live event `inbox` names a conversation, or a message comes to the stream ' +
      'of a team: then by the id of the team. Direct messages with the same people share one, whose `tag` is the id of their ' +
      'conversation and leads to it, too. None where nothing is unread in it, where it is muted, or where the settings of ' +
      'pushes are against it.',
    params: Type.Object({ conversation: Type.String() }),
    item: WindowNotification,
    errors: [NotFound],
    handle: async ({ params, principal }) => {
      const content = await windowNotice(principal.userId, params.conversation);
      return content ? [{ ...content, kind: 'message' as const }] : [];
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/push_settings',
    access: 'session',
    tag,
    summary: 'What is pushed to oneself, and when',
    item: Shared(PushSettings),
    handle: async ({ principal }) => [await settings.get(principal.userId)],
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/users/me/push_settings',
    access: 'session',
    tag,
    summary: 'Change what is pushed to oneself, and when',
    body: PushSettingsChange,
    item: Shared(PushSettings),
    errors: [InvalidFields, NotFound],
    handle: ({ body, principal, write }) =>
      write(async (tx) => [await settings.change(tx, principal.userId, body)]),
  });
}

const present = (row: PushSubscriptionRow, sessionId: string | undefined) => ({
  id: row.id,
  current: row.session_id === sessionId,
  user_agent: row.user_agent,
  created_at: timestamp(row.created_at),
  told_at: row.told_at === null ? null : timestamp(row.told_at),
  failing: row.num_failures > 0,
});
