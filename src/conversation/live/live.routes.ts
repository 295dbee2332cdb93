import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Text } from '#api';
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
          'does so by itself) gets what it missed in the last 24 hours, without a gap and without a repeat; for an ' +
          'older one it begins with `reset`: read everything anew. Then come, each with JSON as its data:\n\n' +
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
      reply.hijack();
      request.raw.socket.setNoDelay(true);
      // RFC 9112 §6.3: what has no end needs no chunks; each event is one write instead of three.
      reply.raw.useChunkedEncodingByDefault = false;
      reply.raw.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        // A connection kept for another request would delay the server's stop.
        Connection: 'close',
        'X-Accel-Buffering': 'no',
      });
      // Spread, so that clients of a lost server do not come back at the same moment.
      reply.raw.write(`retry: ${Math.round(RETRY_MS * (1 + Math.random()))}\n\n`);
      await live.open({ userId, sessionId }, reply.raw, given === undefined ? undefined : lastPlace(given));
    },
  );
}

/** An id that the server did not give is answered with `reset`, as one that is too old. */
function lastPlace(given: unknown): number {
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : -1;
}
