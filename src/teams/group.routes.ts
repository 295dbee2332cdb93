import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  callerOf,
  defineRoute,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  Text,
} from '#api';
import { CalledPeople } from './calling.schema.ts';
import type { CallingService } from './calling.service.ts';
import { NewPeopleGroup, PeopleGroup, PeopleGroupChange } from './group.schema.ts';
import type { GroupService } from './group.service.ts';

const GroupParams = Type.Object({ team: Type.String(), group: Type.String() });
const tag = 'Teams';

export function groupRoutes(app: FastifyInstance, groups: GroupService, calling: CallingService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/called',
    access: 'session',
    tag,
    summary:
      'How many people a message with some names behind an @ would call, and who of them is not in the team',
    params: Type.Object({ team: Type.String() }),
    query: Type.Object({
      names: Type.Array(Text(64), {
        maxItems: 100,
        description: 'User names, names of groups of the team, or `team`',
      }),
    }),
    item: Shared(CalledPeople),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => [
      await calling.called(
        callerOf(principal),
        params.team,
        query.names.map((name) => name.toLowerCase()),
      ),
    ],
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/groups',
    access: 'session',
    tag,
    summary: 'The groups of a team by name, with who is in them',
    params: Type.Object({ team: Type.String() }),
    query: Type.Object(pageQuery),
    item: Shared(PeopleGroup),
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const { groups: items, next } = await groups.list(
        principal.userId,
        params.team,
        readPage(query, 'text'),
      );
      return new Answer(items, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams/:team/groups',
    access: 'session',
    strict: true,
    tag,
    summary: 'Make a group of members, whom `@` and its name call together',
    params: Type.Object({ team: Type.String() }),
    body: NewPeopleGroup,
    item: Shared(PeopleGroup),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await groups.make(tx, principal.userId, params.team, body)]),
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/teams/:team/groups/:group',
    access: 'session',
    strict: true,
    tag,
    summary: 'Rename a group, or say who is in it; `users` replaces those who were',
    params: GroupParams,
    body: PeopleGroupChange,
    item: Shared(PeopleGroup),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await groups.change(tx, principal.userId, params, body)]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/teams/:team/groups/:group',
    access: 'session',
    tag,
    summary: 'Delete a group; its people stay in the team',
    params: GroupParams,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await groups.remove(tx, principal.userId, params);
        return [];
      }),
  });
}
