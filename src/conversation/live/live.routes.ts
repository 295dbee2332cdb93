import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Text } from '#api';
import { type LiveService, RETRY_MS } from './live.service.ts';

/** HTML Standard §9.2, "Server-sent events". */
export function liveRoutes(app: FastifyInstance, live: LiveService): void {
  app.get(
    '/v1/events',
    {
      // HEAD would open a stream that nobody reads.
      exposeHeadRoute: false,
      config: { access: 'session', enveloped: true, errors: [] },
      schema: {
        tags: ['Live updates'],
        summary: 'A stream of server-sent events: what happens where the user can see it',
        description:
          'It begins with `ready`. A client that sends the `id` of the last event it got as `Last-Event-ID` (a browser ' +
          'does so by itself) gets what it missed in the last 24 hours, without a gap and without a repeat; for an ' +
          'older one it begins with `reset`: read everything anew. Then come, each with JSON as its data: ' +
          '`message.created` `{message}`, `message.updated` `{message}`, `message.state` `{message}`, `read` `{team}`, ' +
          '`sidebar.created` `{sidebar}`, `team.updated` `{team, change}`, `team.members` `{team, user, change}`, ' +
          '`user.updated` `{user}`, `installation.updated` `{installation}` and `presence` `{user, online}` (of people with whom ' +
          'the user shares a team of at most 200 members). What is said in a sidebar comes with `beside` ' +
          'besides, the id of the message that it stands at.',
        headers: Type.Object({
          'last-event-id': Type.Optional(Text(32, { description: 'The id of the last event that came' })),
        }),
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
        // Kept for another request, it would keep a server that stops from stopping.
        Connection: 'close',
        'X-Accel-Buffering': 'no',
      });
      // Each its own, so that all who lose a server do not come back at the same moment.
      reply.raw.write(`retry: ${Math.round(RETRY_MS * (1 + Math.random()))}\n\n`);
      await live.open({ userId, sessionId }, reply.raw, given === undefined ? undefined : lastPlace(given));
    },
  );
}

/** What is no id of ours is answered with `reset`, as one that is too old. */
function lastPlace(given: unknown): number {
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : -1;
}
