import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  MAY_READ_TEAM_ITSELF,
  MAY_WRITE_TEAM_ITSELF,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  viewerOf,
} from '#api';
import { defineChange } from '../view/change.route.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import { PinnedMessage } from './pin.schema.ts';
import { MOST_PINS, type PinService } from './pin.service.ts';

export function pinRoutes(
  app: FastifyInstance,
  { pins, finder }: { pins: PinService; finder: MessageFinder },
): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/pins',
    access: MAY_READ_TEAM_ITSELF,
    tag: 'Messages',
    summary: 'The messages that a team has pinned, the newest pin first',
    compressed: true,
    params: Type.Object({ team: Type.String() }),
    query: Type.Object(pageQuery),
    item: Shared(PinnedMessage),
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const page = readPage(query, 'number', 'id');
      const { pins: listed, next } = await pins.list(viewerOf(principal, 'read'), params.team, page);
      return new Answer(listed, { next_cursor: next });
    },
  });

  defineChange(app, finder, {
    method: 'PUT',
    path: '/v1/teams/:team/pins/:message',
    access: MAY_WRITE_TEAM_ITSELF,
    more: { team: Type.String() },
    summary: 'Pin a message of a team',
    description: `What all members read, replies too; at most ${MOST_PINS}.`,
    errors: [NotFound, Conflict],
    work: (tx, viewer, id, { team }) => pins.pin(tx, viewer, team, id),
  });

  defineChange(app, finder, {
    method: 'DELETE',
    path: '/v1/teams/:team/pins/:message',
    access: MAY_WRITE_TEAM_ITSELF,
    more: { team: Type.String() },
    summary: 'Unpin a message of a team',
    errors: [NotFound, Conflict],
    work: (tx, viewer, id, { team }) => pins.unpin(tx, viewer, team, id),
  });
}
