import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  defineRoute,
  InvalidFields,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  Text,
  Uuid,
  viewerOf,
} from '#api';
import { Application, With } from '../view/message.schema.ts';
import { DirectConversation } from './conversation.schema.ts';
import type { ConversationService } from './conversation.service.ts';

const tag = 'Messages';
const Named = {
  with: Type.Optional(With),
  application: Type.Optional(Application),
  team: Type.Optional(Uuid),
};
const item = Shared(DirectConversation);

/** Routes of direct messages by people. What is said in a conversation is a list of messages: `GET /v1/messages`. */
export function conversationRoutes(app: FastifyInstance, conversations: ConversationService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/conversations',
    access: { scope: ['direct:read'] },
    tag,
    summary: 'Conversations of direct messages, one for each set of people',
    description:
      'The one with the newest message or reply first. With `with`, only that of the caller with these people; an empty ' +
      'list before anything is said. Its messages: `GET /v1/messages?with=`. With `application` and `team`, that with an application.',
    compressed: true,
    query: Type.Object({ ...Named, ...pageQuery }),
    item,
    meta: Type.Object(nextCursor),
    errors: [InvalidFields],
    handle: async ({ query, principal }) => {
      const viewer = viewerOf(principal, 'read');
      const { conversations: listed, next } = await conversations.list(viewer, query, readPage(query, 'id'));
      return new Answer(listed, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/users/me/conversations/read',
    access: 'session',
    tag,
    summary: 'Mark the messages of a conversation as read up to one of them',
    description: 'Replies have cursors of their own: `PUT /v1/messages/:message/read`.',
    body: Type.Object({
      ...Named,
      up_to: Text(100, { description: 'The id of a message of the conversation' }),
    }),
    item,
    errors: [InvalidFields],
    handle: ({ body, principal, write }) =>
      write((tx) => conversations.markRead(tx, viewerOf(principal, 'write'), body, body.up_to)),
  });
}
