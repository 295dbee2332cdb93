import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  demandPassword,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
} from '#api';
import { JoinLink, NewJoinLink, ShownJoinLink } from './join-link.schema.ts';
import type { JoinLinkService } from './join-link.service.ts';
import { ADMIN, Membership } from './team.schema.ts';

const TokenParams = Type.Object({ token: Type.String() });
const tag = 'Teams';

export function joinLinkRoutes(app: FastifyInstance, links: JoinLinkService): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams/:team/join_links',
    access: 'session',
    strict: true,
    recent: { when: 'for a link that makes an admin' },
    tag,
    summary: 'Make a link by which many can join the team',
    description:
      'Whoever has it joins, within its limits. It ends when its maker stops being an admin. A link that makes an admin ' +
      'works once; without `expires_at`, for as long as an invitation.',
    params: Type.Object({ team: Type.String() }),
    body: NewJoinLink,
    item: JoinLink,
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) => {
      if (body.membership_type === ADMIN) demandPassword(principal);
      return write(async (tx) => [await links.make(tx, principal.userId, params.team, body)]);
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/join_links',
    access: 'session',
    tag,
    summary: 'The join links of a team, the newest first',
    params: Type.Object({ team: Type.String() }),
    query: Type.Object(pageQuery),
    item: JoinLink,
    meta: Type.Object(nextCursor),
    errors: [NotFound, NotAllowed],
    handle: async ({ params, query, principal, reply }) => {
      reply.header('Cache-Control', 'no-store');
      const { links: items, next } = await links.list(principal.userId, params.team, readPage(query, 'id'));
      return new Answer(items, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/teams/:team/join_links/:link',
    access: 'session',
    tag,
    summary: 'Withdraw a join link; nobody joins by it any more',
    params: Type.Object({ team: Type.String(), link: Type.String() }),
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await links.withdraw(tx, principal.userId, params);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/join_links/:token',
    access: 'anyone',
    strict: true,
    tag,
    summary: 'Show which team a join link leads to; joins nobody',
    params: TokenParams,
    item: ShownJoinLink,
    errors: [NotFound],
    handle: async ({ params, reply }) => {
      reply.header('Cache-Control', 'no-store');
      return [await links.show(params.token)];
    },
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/join_links/:token',
    access: 'session',
    strict: true,
    tag,
    summary: 'Join a team by its link',
    params: TokenParams,
    item: Shared(Membership),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, principal, write }) =>
      write(async (tx) => [await links.join(tx, params.token, principal.userId)]),
  });
}
