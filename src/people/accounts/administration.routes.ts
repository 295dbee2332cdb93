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
  Text,
  Timestamp,
  timestamp,
  Uuid,
} from '#api';
import type { UserRow } from '#schema';
import type { AccountStatusService } from './account-status.service.ts';
import type { DeletionService } from './deletion.service.ts';

const UserParams = Type.Object({ user: Type.String() });
const tag = 'Administration';

/** The server administrator's view of an account. */
const Account = Type.Object({
  id: Uuid,
  email: Type.String(),
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  title: Type.String(),
  active: Type.Boolean(),
  superuser: Type.Boolean(),
  created_at: Timestamp,
});

export function accountAdministrationRoutes(
  app: FastifyInstance,
  { standing, deletion }: { standing: AccountStatusService; deletion: DeletionService },
): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/users',
    access: 'superuser',
    tag,
    summary: 'Every account, by name',
    query: Type.Object({
      ...pageQuery,
      query: Type.Optional(Text(300, { description: 'Part of a name or an address' })),
    }),
    item: Account,
    meta: Type.Object(nextCursor),
    handle: async ({ query }) => {
      const { rows, next } = await standing.list(query.query, readPage(query, 'text', 'id'));
      return new Answer(rows.map(presentAccount), { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/admin/users/:user',
    access: 'superuser',
    tag,
    summary: 'Close or open an account, or say whether it administers the server',
    params: UserParams,
    body: Type.Object({ active: Type.Optional(Type.Boolean()), superuser: Type.Optional(Type.Boolean()) }),
    item: Account,
    errors: [NotFound, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [presentAccount(await standing.change(tx, params.user, body, principal.userId))]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/admin/users/:user',
    access: 'superuser',
    tag,
    summary: 'Delete an account for good; refused as when its user does it',
    params: UserParams,
    errors: [NotFound, Conflict],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await deletion.erase(tx, params.user, principal.userId);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/admin/users/:user/sessions',
    access: 'superuser',
    tag,
    summary: 'End every session of an account, which stays open',
    params: UserParams,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await standing.endSessions(tx, params.user, principal.userId);
        return [];
      }),
  });
}

function presentAccount(row: UserRow) {
  const { id, email, username, first_name, last_name, title } = row;
  return {
    id,
    email,
    username,
    first_name,
    last_name,
    title,
    active: row.active === 1,
    superuser: row.superuser === 1,
    created_at: timestamp(row.created_at),
  };
}
