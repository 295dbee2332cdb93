import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  viewerOf,
} from '#api';
import { defineChange } from '../view/change.route.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import { SavedMessage } from './saved.schema.ts';
import { MOST_SAVED, type SavedService } from './saved.service.ts';

/** Of the person alone: no scope opens them. */
export function savedRoutes(
  app: FastifyInstance,
  { saved, finder }: { saved: SavedService; finder: MessageFinder },
): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/saved',
    access: 'session',
    tag: 'Messages',
    summary: 'The messages that the caller has saved, the newest saved first',
    description:
      'As the caller sees them now: deleted ones, and those of teams and sidebars that the caller is not in, are left ' +
      'out. A page may hold few, or none, while there is a next one.',
    compressed: true,
    query: Type.Object(pageQuery),
    item: Shared(SavedMessage),
    meta: Type.Object(nextCursor),
    handle: async ({ query, principal }) => {
      const page = readPage(query, 'number', 'id');
      const { messages, next } = await saved.list(viewerOf(principal, 'read'), page);
      return new Answer(messages, { next_cursor: next });
    },
  });

  defineChange(app, finder, {
    method: 'PUT',
    path: '/v1/users/me/saved/:message',
    access: 'session',
    summary: 'Save a message for later',
    description: `Any message that the caller sees, at most ${MOST_SAVED}. Nobody else is told.`,
    errors: [NotFound, Conflict],
    work: (tx, viewer, id) => saved.save(tx, viewer, id),
  });

  defineChange(app, finder, {
    method: 'DELETE',
    path: '/v1/users/me/saved/:message',
    access: 'session',
    summary: 'Remove a message from those that the caller has saved',
    errors: [NotFound],
    work: (tx, viewer, id) => saved.remove(tx, viewer, id),
  });
}
