import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  listPage,
  MAY_GIVE_HIGH_FIVES,
  MAY_SEE_HIGH_FIVES,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  seesAddresses,
  timeKeyOf,
  viewerOf,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import { type UserPresenter, UserSummary, withoutAddresses } from '../../../people/users/index.ts';
import { defineChange } from '../view/change.route.ts';
import { accessMessage } from '../view/message.access.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import type { HighFiveService } from './high-five.service.ts';
import { listHighFives } from './high-five.store.ts';

export interface HighFiveDeps {
  readonly db: Database;
  readonly present: UserPresenter;
  readonly finder: MessageFinder;
  readonly highFives: HighFiveService;
}

export function highFiveRoutes(app: FastifyInstance, deps: HighFiveDeps): void {
  const { db, present, finder, highFives } = deps;

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages/:message/high_fives',
    access: MAY_SEE_HIGH_FIVES,
    tag: 'Messages',
    summary: 'The people who gave a message high fives, the newest first',
    params: Type.Object({ message: Type.String() }),
    query: Type.Object(pageQuery),
    item: Shared(UserSummary),
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const { id } = await accessMessage(db, viewerOf(principal, 'read', 'high_fives:read'), params.message);
      const page = readPage(query, 'number', 'id');
      const after = timeKeyOf(page);
      const { rows, next } = await listPage(
        page,
        (limit) => listHighFives(db, id, after, limit),
        (row) => [String(row.given_at), row.id],
      );
      const shown = seesAddresses(principal) ? present : withoutAddresses(present);
      return new Answer(rows.map(shown.summary), { next_cursor: next });
    },
  });

  defineChange(app, finder, {
    method: 'PUT',
    path: '/v1/messages/:message/high_five',
    access: MAY_GIVE_HIGH_FIVES,
    part: 'high_fives:write',
    summary: 'Give a high five',
    errors: [NotFound, Conflict],
    work: highFives.give,
  });

  defineChange(app, finder, {
    method: 'DELETE',
    path: '/v1/messages/:message/high_five',
    access: MAY_GIVE_HIGH_FIVES,
    part: 'high_fives:write',
    summary: 'Take a high five back',
    errors: [NotFound, Conflict],
    work: highFives.withdraw,
  });
}
