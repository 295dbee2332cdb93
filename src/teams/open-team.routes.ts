import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  defineRoute,
  NotAllowed,
  NotFound,
  nextCursor,
  OneOf,
  pageQuery,
  readPage,
  Shared,
} from '#api';
import type { OpenTeamService } from './open-team.service.ts';
import { Membership, OpenTeam } from './team.schema.ts';

const tag = 'Teams';

export function openTeamRoutes(app: FastifyInstance, open: OpenTeamService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams',
    access: 'session',
    tag,
    summary: 'The teams that everybody on the server may join, the newest first',
    description: 'Where the server sends mails, for accounts with a confirmed address.',
    query: Type.Object({ ...pageQuery, open: OneOf(['1', 'true'], 'There is no list of other teams') }),
    item: OpenTeam,
    meta: Type.Object(nextCursor),
    errors: [NotAllowed],
    handle: async ({ query, principal }) => {
      const { teams, next } = await open.list(principal.userId, readPage(query, 'id'));
      return new Answer(teams, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/teams/:team/users/me',
    access: 'session',
    tag,
    summary: 'Join an open team',
    description: 'A team that is not open is not found. Whom an admin has removed needs an invitation.',
    params: Type.Object({ team: Type.String() }),
    item: Shared(Membership),
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => [await open.join(tx, principal.userId, params.team)]),
  });
}
