import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import {
  Answer,
  type ApplicationPrincipal,
  beginServerEvents,
  Conflict,
  defineRoute,
  NotFound,
  Shared,
  Text,
  Written,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import type { EventSubscriptionRow } from '#schema';
import type { Feeds } from './feed.ts';
import type { GroupService } from './group.service.ts';
import { GROUP_NAME, Group, HeardEvent } from './subscription.schema.ts';
import type { SubscriptionService } from './subscription.service.ts';

const OfSubscription = Type.Object({ application: Type.String(), subscription: Type.String() });
const OfApplication = Type.Object({ application: Type.String() });
const GroupName = Type.String({ pattern: GROUP_NAME });
const OfGroup = Type.Object({
  application: Type.String(),
  subscription: Type.String(),
  name: Type.String(),
});
const tag = 'Subscriptions';
const LONGEST_WAIT_S = 30;
const MOST_ACKNOWLEDGED = 500;
const RETRY_MS = 2000;

const Since = Text(40, {
  description: 'Everything since a time, as seconds since 1970, or after the event with this id',
});

export function eventRoutes(
  app: FastifyInstance,
  deps: { db: Database; subscriptions: SubscriptionService; groups: GroupService; feeds: Feeds },
): void {
  const { db, subscriptions, groups, feeds } = deps;

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/subscriptions/:subscription/events',
    access: 'application',
    tag,
    summary: 'Events after a cursor, the oldest first',
    description:
      'Without `after`, `since` and `consumer` it begins where the subscription was made. `meta.next_cursor` goes on ' +
      'after the page, also after an empty one.',
    params: OfSubscription,
    query: Type.Object({
      after: Type.Optional(Text(100, { description: '`meta.next_cursor` of the page before' })),
      since: Type.Optional(Since),
      consumer: Type.Optional(GroupName),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: 'Events at most; default 50' }),
      ),
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_WAIT_S,
          description: 'Seconds to wait for an event when there is none; default 0',
        }),
      ),
    }),
    item: Shared(HeardEvent),
    meta: Type.Object({
      next_cursor: Type.Optional(Type.String()),
      more: Type.Optional(Type.Boolean({ description: 'Whether to ask for more at once' })),
      missed: Type.Optional(
        Type.Boolean({ description: 'Whether events after the cursor are not kept any more' }),
      ),
    }),
    errors: [NotFound],
    handle: async ({ params, query, principal, request }) => {
      const { after, since, consumer, limit = 50, wait = 0 } = query;
      const client = {
        isGone: () => request.raw.socket.destroyed,
        authenticate: () => app.authenticators.application(request),
      };
      const wanted = { after, since, group: consumer, limit, waitMs: wait * 1000, client };
      const { events, cursor, more, missed } = await groups.pull(principal, params, wanted);
      const items = new Written<Static<typeof HeardEvent>>(events.map(({ json }) => [json]));
      return new Answer(items, { next_cursor: cursor, more, missed });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/subscriptions/:subscription/consumers',
    access: 'developer',
    tag,
    summary: 'The groups whose cursors the server keeps',
    params: OfSubscription,
    item: Group,
    errors: [NotFound],
    handle: ({ params, principal }) => groups.list(principal, params),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/applications/:application/subscriptions/:subscription/consumers/:name/cursor',
    access: 'application',
    tag,
    summary: 'Set where a group goes on, in all teams; makes the group',
    params: OfGroup,
    body: Type.Object({
      cursor: Type.Optional(Text(100, { description: '`meta.next_cursor` of a page: it is done' })),
      since: Type.Optional(Since),
    }),
    errors: [NotFound, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => {
        await groups.move(tx, principal, params, params.name, { after: body.cursor, since: body.since });
        return [];
      }),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/subscriptions/:subscription/consumers/:name/acknowledgements',
    access: 'application',
    tag,
    summary: 'Acknowledge events of a stream: each, and what came before it in its team, is done',
    params: OfGroup,
    body: Type.Object({
      events: Type.Array(Text(36), { minItems: 1, maxItems: MOST_ACKNOWLEDGED, description: 'Their ids' }),
    }),
    item: Type.Object({
      acknowledged: Type.Integer({ description: 'How many of them are known' }),
    }),
    errors: [NotFound],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => {
        const { name } = params;
        return [{ acknowledged: await groups.acknowledgeEvents(tx, principal, params, name, body.events) }];
      }),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/applications/:application/subscriptions/:subscription/consumers/:name',
    access: 'developer',
    tag,
    summary: 'Delete a group; its streams end',
    params: OfGroup,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await groups.remove(tx, principal, params, params.name);
        return [];
      }),
  });

  const streamOf = (about: { summary: string; description: string; params: TSchema }) => ({
    // HEAD would open a stream without a reader.
    exposeHeadRoute: false,
    config: { access: 'application' as const, enveloped: true, errors: [NotFound, Conflict] },
    schema: {
      tags: [tag],
      ...about,
      querystring: Type.Object({ consumer: Type.Optional(GroupName) }),
      headers: Type.Object({
        'last-event-id': Type.Optional(Text(36, { description: 'The id of the last event that is done' })),
      }),
      response: {
        200: {
          description: 'The stream',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
      },
    },
  });

  async function stream(request: FastifyRequest, reply: FastifyReply, subscription: EventSubscriptionRow) {
    const { consumer = 'default' } = request.query as { consumer?: string };
    const principal = request.principal as ApplicationPrincipal;
    const last = request.headers['last-event-id'];
    const ownerId = await subscriptions.ownerOf(principal.applicationId);
    const of = { application: principal.applicationId, subscription: subscription.id };
    const joined = await feeds.join(subscription, consumer, async (tx) => {
      if (typeof last === 'string') await groups.acknowledgeEvents(tx, principal, of, consumer, [last]);
    });
    const isAuthorized = () =>
      app.authenticators.application(request).then(
        () => true,
        () => false,
      );
    const response = beginServerEvents(request, reply, RETRY_MS);
    await feeds.open(subscription, joined, { response, ownerId, isAuthorized });
  }

  app.get(
    '/v1/applications/:application/subscriptions/:subscription/stream',
    streamOf({
      summary: 'Events as a stream of server-sent events, shared among the streams of a group',
      description:
        'It begins with `ready`; with `reset` when the group was away for longer than events are kept. Each event has ' +
        'its `id`, its kind as `event`, and as `data` the JSON that a webhook gets. Each team’s events come in order, ' +
        'to one stream of the group at a time. Acknowledge what is done: the rest is sent again, to the next stream ' +
        'that has the team. `Last-Event-ID` acknowledges that event.',
      params: OfSubscription,
    }),
    async (request, reply) => {
      const params = request.params as Static<typeof OfSubscription>;
      const principal = request.principal as ApplicationPrincipal;
      await stream(request, reply, await subscriptions.access(db, principal, params));
    },
  );

  app.get(
    '/v1/applications/:application/stream',
    streamOf({
      summary: 'Clicks in the application’s messages as a stream, without a subscription',
      description:
        'The stream of the application’s own subscription, which is made when it is first read. Where there is `own` in place of the id of a subscription, the other routes mean the same one: `…/subscriptions/own/consumers/default/acknowledgements`.',
      params: OfApplication,
    }),
    async (request, reply) => {
      const { application } = request.params as Static<typeof OfApplication>;
      const principal = request.principal as ApplicationPrincipal;
      await stream(request, reply, await subscriptions.accessOwn(principal, application));
    },
  );
}
