import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Conflict, defineRoute, NotFound, Uuid } from '#api';
import { MOST_TOLD, type TypingService } from './typing.service.ts';

const tag = 'Live updates';
const body = Type.Object({
  message: Type.Optional(
    Type.Unsafe<string>({ ...Uuid, description: 'The message that opened the thread in which one writes' }),
  ),
  sidebar: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'Only its members are told' })),
});
const bodyInTeam = Type.Object({
  ...body.properties,
  subject: Type.Optional(
    Type.Unsafe<string>({
      ...Uuid,
      description: 'The subject of the message that is being written; not with `message` or `sidebar`',
    }),
  ),
});
const SEND = 'Again every few seconds while the person writes; nothing is stored.';

export function typingRoutes(app: FastifyInstance, typing: TypingService): void {
  defineRoute(app, {
    method: 'PUT',
    path: '/v1/teams/:team/typing',
    access: 'session',
    tag,
    summary: 'Let the others in a team know that one writes there',
    description: `${SEND} In teams of more than ${MOST_TOLD} members nobody is told in the stream, and in a thread those who wrote there.`,
    params: Type.Object({ team: Type.String() }),
    body: bodyInTeam,
    errors: [NotFound, Conflict],
    handle: async ({ params, body: where, principal: { userId } }) => {
      await typing.inTeam(userId, params.team, where);
      return [];
    },
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/users/me/conversations/:conversation/typing',
    access: 'session',
    tag,
    summary: 'Let the others in a direct conversation know that one writes there',
    description: SEND,
    params: Type.Object({ conversation: Type.String() }),
    body,
    errors: [NotFound, Conflict],
    handle: async ({ params, body: where, principal: { userId } }) => {
      await typing.inConversation(userId, params.conversation, where);
      return [];
    },
  });
}
