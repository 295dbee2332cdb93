import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Conflict, defineRoute, NotFound, Shared, Text, Uuid } from '#api';
import type { ReplayService } from './replay.service.ts';
import {
  NewKey,
  NewSubscription,
  Subscription,
  SubscriptionChange,
  SubscriptionWithKey,
} from './subscription.schema.ts';
import type { SubscriptionService } from './subscription.service.ts';

const Params = Type.Object({ application: Type.String() });
const OfSubscription = Type.Object({ application: Type.String(), subscription: Type.String() });
const tag = 'Subscriptions';
export const KEY_OVERLAP_S = 24 * 3600;
const MAX_OVERLAP_S = 30 * 24 * 3600;

export function subscriptionRoutes(
  app: FastifyInstance,
  { subscriptions, replays }: { subscriptions: SubscriptionService; replays: ReplayService },
): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/subscriptions',
    access: 'developer',
    recent: { when: 'where it has a webhook' },
    tag,
    summary: 'Subscribe to events of the teams that have the application installed',
    description:
      'Whether the application may hear an event is decided when it is sent: the team has it installed, and has ' +
      'granted the scope of the kind. It hears nothing that happened before.',
    params: Params,
    body: NewSubscription,
    item: Shared(SubscriptionWithKey),
    errors: [NotFound, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await subscriptions.create(tx, principal, params.application, body)]),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/subscriptions',
    access: 'developer',
    tag,
    summary: 'The subscriptions of an application',
    params: Params,
    item: Shared(Subscription),
    errors: [NotFound],
    handle: ({ params, principal }) => subscriptions.list(principal, params.application),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/subscriptions/:subscription',
    access: 'developer',
    tag,
    summary: 'One subscription, and how its webhook fares',
    params: OfSubscription,
    item: Shared(Subscription),
    errors: [NotFound],
    handle: async ({ params, principal }) => [await subscriptions.get(principal, params)],
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/applications/:application/subscriptions/:subscription',
    access: 'developer',
    recent: { when: 'where the webhook gets an address' },
    tag,
    summary: 'Change a subscription; what is unread is read by the new filters',
    params: OfSubscription,
    body: SubscriptionChange,
    item: Shared(SubscriptionWithKey),
    errors: [NotFound, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await subscriptions.change(tx, principal, params, body)]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/applications/:application/subscriptions/:subscription',
    access: 'developer',
    tag,
    summary: 'Delete a subscription with its cursors',
    params: OfSubscription,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await subscriptions.remove(tx, principal, params);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/subscriptions/:subscription/replays',
    access: 'developer',
    tag,
    summary: 'Send a range of events to the webhook once more, with the same ids',
    params: OfSubscription,
    body: Type.Object({
      since: Text(40, {
        description: 'Everything since a time in seconds, or after the event with this id',
      }),
      until: Type.Optional(
        Text(40, {
          description: 'Up to a time in seconds, or to the event with this id; default: now',
        }),
      ),
    }),
    item: Type.Object({ id: Uuid }),
    errors: [NotFound, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await replays.replay(tx, principal, params, body)]),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/subscriptions/:subscription/key',
    access: 'developer',
    tag,
    recent: true,
    summary: 'Make a new key for the webhook; calls are signed with the one before, too, for the overlap',
    params: OfSubscription,
    body: Type.Object({
      overlap_seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_S, description: `Default: ${KEY_OVERLAP_S}` }),
      ),
    }),
    item: NewKey,
    errors: [NotFound, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => {
        const overlap = body.overlap_seconds ?? KEY_OVERLAP_S;
        return [await subscriptions.newKeyFor(tx, principal, params, overlap)];
      }),
  });
}
