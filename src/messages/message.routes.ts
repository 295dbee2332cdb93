import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '#platform/db/index.ts';
import {
  Answer,
  defineRoute,
  EmptyMessage,
  InvalidFields,
  NobodyAddressed,
  NotFound,
  nextCursor,
  readPage,
  SeveralTeamsAddressed,
  Shared,
  TeamAndUsersAddressed,
  UnreachableAddressee,
  WrongMention,
} from '../api/index.ts';
import { Message, MessagesQuery, NewMessage } from './message.schema.ts';
import type { MessageService } from './message.service.ts';

const tag = 'Messages';
const access = { scope: 'messages:read' } as const;

export function messageRoutes(app: FastifyInstance, deps: { db: Database; messages: MessageService }): void {
  const { db, messages } = deps;

  defineRoute(app, {
    method: 'POST',
    path: '/v1/messages',
    access: 'user',
    tag,
    summary: 'Post a message to a team or to users',
    body: NewMessage,
    item: Shared(Message),
    errors: [
      InvalidFields,
      EmptyMessage,
      NobodyAddressed,
      SeveralTeamsAddressed,
      TeamAndUsersAddressed,
      WrongMention,
      UnreachableAddressee,
    ],
    handle: ({ body, principal, write }) => {
      const input = messages.read(body);
      return write(async (tx) => [await messages.post(tx, principal, input)]);
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages',
    access,
    tag,
    summary: 'Messages that the caller may see, the newest first',
    query: MessagesQuery,
    item: Shared(Message),
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ query, principal }) => {
      const { messages: found, next } = await messages.list(principal.userId, query, readPage(query, 1));
      return new Answer(found, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages/:message',
    access,
    tag,
    summary: 'One message',
    params: Type.Object({ message: Type.String() }),
    item: Shared(Message),
    errors: [NotFound],
    handle: async ({ params, principal }) => [await messages.get(db, principal.userId, params.message)],
  });
}
