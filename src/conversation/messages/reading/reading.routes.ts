import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { defineRoute, NotFound, Shared, viewerOf } from '#api';
import { UnreadCounts } from '../../../people/users/index.ts';
import { Team } from '../../../teams/index.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import { Message, ReadUpTo } from '../view/message.schema.ts';
import { type ReadingService, unreadCounts } from './reading.service.ts';

const tag = 'Messages';
const Params = Type.Object({ message: Type.String() });
const item = Shared(Message);

/** Routes that mark messages as read, and mute conversations. */
export function readingRoutes(
  app: FastifyInstance,
  deps: { reading: ReadingService; finder: MessageFinder },
): void {
  const { reading, finder } = deps;

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/messages/:message/read',
    access: 'session',
    tag,
    summary: 'Mark as read, with its replies',
    params: Params,
    item,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await reading.markRead(tx, viewerOf(principal, 'write'), params.message);
        return finder.find(tx, viewerOf(principal, 'read'), params.message);
      }),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/messages/:message/read',
    access: 'session',
    tag,
    summary: 'Mark as unread',
    params: Params,
    item,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await reading.markUnread(tx, viewerOf(principal, 'write'), params.message);
        return finder.find(tx, viewerOf(principal, 'read'), params.message);
      }),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/messages/:message/mute',
    access: 'session',
    tag,
    summary: 'Mute the conversation: no mail, no notification',
    params: Params,
    item,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await reading.mute(tx, viewerOf(principal, 'write'), params.message, true);
        return finder.find(tx, viewerOf(principal, 'read'), params.message);
      }),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/messages/:message/mute',
    access: 'session',
    tag,
    summary: 'Unmute the conversation',
    params: Params,
    item,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await reading.mute(tx, viewerOf(principal, 'write'), params.message, false);
        return finder.find(tx, viewerOf(principal, 'read'), params.message);
      }),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/users/me/read',
    access: 'session',
    tag,
    summary: 'Mark everything as read that the caller can see',
    description: 'Messages of teams and direct ones, replies and sidebars.',
    item: UnreadCounts,
    handle: ({ principal, write }) =>
      write(async (tx) => {
        await reading.readAll(tx, principal.userId);
        return [await unreadCounts(tx, principal.userId)];
      }),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/teams/:team/read',
    access: 'session',
    tag,
    summary: 'Mark a team’s messages as read up to one of them',
    params: Type.Object({ team: Type.String() }),
    body: ReadUpTo,
    item: Shared(Team),
    errors: [NotFound],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await reading.readTeamUpTo(tx, principal.userId, params.team, body.up_to)]),
  });
}
