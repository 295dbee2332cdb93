import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  MAY_MARK,
  NotFound,
  Nullable,
  refuseOtherTeam,
  Shared,
  Text,
} from '#api';
import { UnreadCounts } from '../../../people/users/index.ts';
import { Team } from '../../../teams/index.ts';
import { defineChange } from '../view/change.route.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import { ReadUpTo } from '../view/message.schema.ts';
import { type ReadingService, unreadCounts } from './reading.service.ts';
import { MOST_UNDO_CHARACTERS } from './team-undo.ts';

const tag = 'Messages';

/** Routes that mark messages as read, and mute conversations. */
export function readingRoutes(
  app: FastifyInstance,
  deps: { reading: ReadingService; finder: MessageFinder },
): void {
  const { reading, finder } = deps;

  defineChange(app, finder, {
    method: 'PUT',
    path: '/v1/messages/:message/read',
    access: MAY_MARK,
    part: 'inbox:write',
    summary: 'Mark as read, with its replies',
    errors: [NotFound],
    work: (tx, viewer, id) => reading.markRead(tx, viewer, id),
  });

  defineChange(app, finder, {
    method: 'DELETE',
    path: '/v1/messages/:message/read',
    access: MAY_MARK,
    part: 'inbox:write',
    summary: 'Mark as unread',
    errors: [NotFound],
    work: (tx, viewer, id) => reading.markUnread(tx, viewer, id),
  });

  defineChange(app, finder, {
    method: 'PUT',
    path: '/v1/messages/:message/mute',
    access: 'session',
    summary: 'Mute the conversation: no mail, no notification',
    errors: [NotFound],
    work: async (tx, viewer, id) => void (await reading.mute(tx, viewer, id, true)),
  });

  defineChange(app, finder, {
    method: 'DELETE',
    path: '/v1/messages/:message/mute',
    access: 'session',
    summary: 'Unmute the conversation',
    errors: [NotFound],
    work: async (tx, viewer, id) => void (await reading.mute(tx, viewer, id, false)),
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
        const { userId } = principal;
        await reading.readAll(tx, userId);
        const counts = await unreadCounts(tx, [userId]);
        return [counts.get(userId) as UnreadCounts];
      }),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/teams/:team/read',
    access: MAY_MARK,
    tag,
    summary: 'Mark a team’s messages as read up to one of them',
    params: Type.Object({ team: Type.String() }),
    body: ReadUpTo,
    item: Shared(Team),
    meta: Type.Object({
      undo: Nullable(
        Type.String({
          description:
            'For `POST /v1/teams/{team}/read/undo`; null where nothing changed, or where too many messages had been marked one by one',
        }),
      ),
    }),
    errors: [NotFound],
    handle: async ({ params, body, principal, write }) => {
      refuseOtherTeam(principal, params.team);
      const read = await write(async (tx) => [
        await reading.readTeamUpTo(tx, principal.userId, params.team, body.up_to),
      ]);
      return new Answer(
        read.map(({ team }) => team),
        { undo: read[0]?.undo ?? null },
      );
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams/:team/read/undo',
    access: MAY_MARK,
    tag,
    summary: 'Make a team’s messages as unread as before they were marked as read',
    description:
      'As long as nothing else was marked up to there: else it answers 4090 `read_since` and changes nothing. Messages that came since stay unread.',
    params: Type.Object({ team: Type.String() }),
    body: Type.Object({
      undo: Text(MOST_UNDO_CHARACTERS, { description: '`meta.undo` of the answer that is undone' }),
    }),
    item: Shared(Team),
    errors: [NotFound, Conflict],
    handle: ({ params, body, principal, write }) => {
      refuseOtherTeam(principal, params.team);
      return write(async (tx) => [await reading.undoTeamRead(tx, principal.userId, params.team, body.undo)]);
    },
  });
}
