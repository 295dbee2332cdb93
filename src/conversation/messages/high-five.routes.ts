import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  cutPage,
  defineRoute,
  MAY_READ,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  viewerOf,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import { type UserPresenter, UserSummary } from '../../people/users/index.ts';
import { listHighFives } from './high-five.store.ts';
import { accessMessage } from './message.access.ts';

const DEFAULT_PAGE = 50;

export function highFiveRoutes(app: FastifyInstance, deps: { db: Database; present: UserPresenter }): void {
  const { db, present } = deps;

  defineRoute(app, {
    method: 'GET',
    path: '/v1/messages/:message/high_fives',
    access: MAY_READ,
    tag: 'Messages',
    summary: 'Who gave a message high fives, the newest first',
    params: Type.Object({ message: Type.String() }),
    query: Type.Object(pageQuery),
    item: Shared(UserSummary),
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const { id } = await accessMessage(db, viewerOf(principal, 'read'), params.message);
      const { after, limit = DEFAULT_PAGE } = readPage(query, 2);
      const from = { at: Number(after?.[0]), id: parseId(after?.[1]) };
      const rows = await listHighFives(db, id, from, limit + 1);
      const cut = cutPage(rows, { after, limit }, (row) => [String(row.given_at), row.id]);
      return new Answer(cut.rows.map(present.summary), { next_cursor: cut.next });
    },
  });
}
