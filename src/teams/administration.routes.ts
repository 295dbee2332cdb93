import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  NotFound,
  Nullable,
  nextCursor,
  pageQuery,
  readPage,
  Text,
  Timestamp,
  Uuid,
} from '#api';
import type { TeamAdministration } from './administration.service.ts';

const TeamParams = Type.Object({ team: Type.String() });
const tag = 'Administration';

const AnyTeam = Type.Object({
  id: Uuid,
  name: Type.String(),
  num_members: Type.Integer(),
  has_admin: Type.Boolean({ description: 'Whether it has an admin with an active account' }),
  active: Type.Boolean(),
  created_at: Timestamp,
  deleted_at: Nullable(Timestamp),
  erased_after: Nullable(Type.Number({ description: 'Until then it can be restored' })),
  erased: Type.Boolean({ description: 'Its contents are being erased, or were' }),
});

export function teamAdministrationRoutes(app: FastifyInstance, administration: TeamAdministration): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/teams',
    access: 'superuser',
    tag,
    summary: 'Every team, also deleted ones, the newest first',
    query: Type.Object({ ...pageQuery, active: Type.Optional(Type.Boolean()) }),
    item: AnyTeam,
    meta: Type.Object(nextCursor),
    handle: async ({ query }) => {
      const { teams, next } = await administration.list(query.active, readPage(query, 'id'));
      return new Answer(teams, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/admin/teams/:team/restore',
    access: 'superuser',
    tag,
    summary: 'Bring a deleted team back, while its contents are there',
    params: TeamParams,
    body: Type.Object({
      admin: Type.Optional(Text(100, { description: 'A member who becomes an admin' })),
    }),
    item: AnyTeam,
    errors: [NotFound, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await administration.restore(tx, principal.userId, params.team, body.admin)]),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/admin/teams/:team/admins/:user',
    access: 'superuser',
    tag,
    summary: 'Make a member of a team an admin of it',
    params: Type.Object({ team: Type.String(), user: Type.String() }),
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await administration.appoint(tx, principal.userId, params.team, params.user);
        return [];
      }),
  });
}
