import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Answer, defineRoute, NotFound, Shared, Timestamp } from '#api';
import { UserSummary } from '../people/users/index.ts';
import { type JoinedService, MOST_JOINED } from './joined.service.ts';

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;
const Time = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: LATEST, description }));

export function joinedRoutes(app: FastifyInstance, joined: JoinedService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/joined',
    access: 'session',
    tag: 'Teams',
    summary: 'Who became a member of a team, and when, the latest first',
    description: `Of those who are members still, without who made the team. At most ${MOST_JOINED}; \`meta.total\` counts all of them.`,
    params: Type.Object({ team: Type.String() }),
    query: Type.Object({
      after: Time('At this time or later, in Unix seconds'),
      before: Time('Before this time, in Unix seconds'),
    }),
    item: Type.Object({ user: Shared(UserSummary), joined_at: Timestamp }),
    meta: Type.Object({ total: Type.Integer() }),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const { people, total } = await joined.list(principal.userId, params.team, query);
      return new Answer(people, { total });
    },
  });
}
