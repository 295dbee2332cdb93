import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { beginServerEvents, Text } from '#api';
import { catalogue } from './catalogue.ts';
import { type LiveService, RETRY_MS } from './live.service.ts';

const kinds = Object.entries(catalogue)
  .map(([kind, { data, when }]) => `- \`${kind}\` ${data}: ${when}`)
  .join('\n');

/** HTML Standard §9.2, "Server-sent events". */
export function liveRoutes(app: FastifyInstance, live: LiveService): void {
  app.get(
    '/v1/events',
    {
      // HEAD would open a stream without a reader.
      exposeHeadRoute: false,
      config: { access: 'session', enveloped: true, errors: [] },
      schema: {
        tags: ['Live updates'],
        summary: 'A stream of server-sent events: what happens where the user can see it',
        description:
          'It begins with `ready`. A client that sends the `id` of the last event it got as `Last-Event-ID` (a browser ' +
          'does so by itself) gets what it missed, without a gap and without a repeat, as far back as `EVENTS_KEPT` says; for an ' +
          'older one it begins with `reset`: read everything again. Then come, each with JSON as its data:\n\n' +
          kinds,
        headers: Type.Object({
          'last-event-id': Type.Optional(Text(32, { description: 'The id of the last event that came' })),
        }),
        response: {
          200: {
            description: 'The stream',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      },
    },
    async (request, reply) => {
      const { userId, sessionId } = request.principal as { userId: string; sessionId: string };
      const given = request.headers['last-event-id'];
      const response = beginServerEvents(request, reply, RETRY_MS);
      await live.open({ userId, sessionId }, response, given === undefined ? undefined : lastPlace(given));
    },
  );
}

/** An id that the server did not give is answered with `reset`, as one that is too old. */
function lastPlace(given: unknown): number {
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : -1;
}
