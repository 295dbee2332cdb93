import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  Text,
} from '#api';
import type { CallbackService } from './callback.service.ts';
import { Delivery } from './delivery.schema.ts';

const Params = Type.Object({ application: Type.String() });
const DeliveryParams = Type.Object({ application: Type.String(), delivery: Type.String() });
const tag = 'Deliveries';

/** @param sampleBody makes the body of the test callback for the user who asks for it */
export function deliveryRoutes(
  app: FastifyInstance,
  deps: { callbacks: CallbackService; sampleBody: (userId: string) => Promise<object> },
): void {
  const { callbacks, sampleBody } = deps;

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/test_callback',
    access: 'session',
    tag,
    summary: 'Send a signed sample of the install callback',
    params: Params,
    item: Shared(Delivery),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, principal, once }) =>
      once(async () => {
        const body = await sampleBody(principal.userId);
        return [await callbacks.sendSample(principal.userId, params.application, body)];
      }),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/deliveries',
    access: 'session',
    tag,
    summary: 'Every call to the application, the newest first',
    description: 'The owner sees all of them, a team’s admin those of that team.',
    params: Params,
    query: Type.Object({
      ...pageQuery,
      team: Type.Optional(Text(100, { description: 'Those of one team' })),
      subscription: Type.Optional(Text(36, { description: 'Those that sent its events' })),
    }),
    item: Shared(Delivery),
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const { deliveries, next } = await callbacks.list(
        principal.userId,
        params.application,
        query,
        readPage(query, 'id'),
      );
      return new Answer(deliveries, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/deliveries/:delivery',
    access: 'session',
    tag,
    summary: 'One call with each attempt’s request and response',
    description:
      'A team’s admin who does not own the application sees hosts, statuses and reasons alone; so does its owner where it was made before they took it over.',
    params: DeliveryParams,
    item: Shared(Delivery),
    errors: [NotFound],
    handle: async ({ params, principal }) => [
      await callbacks.get(principal.userId, params.application, params.delivery),
    ],
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/deliveries/:delivery/redeliver',
    access: 'session',
    tag,
    summary: 'Send it again',
    params: DeliveryParams,
    item: Shared(Delivery),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, principal, once }) =>
      once(async () => [await callbacks.redeliver(principal.userId, params.application, params.delivery)]),
  });
}
