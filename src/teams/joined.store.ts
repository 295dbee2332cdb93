import type { Kysely } from 'kysely';
import { statement, type Tables } from '#schema';

interface Time {
  readonly teamId: string;
  /** In milliseconds. */
  readonly after: number;
  readonly before: number;
}

/** Not who made the team: they were there from its first moment on. */
const joinedIn = (q: Kysely<Tables>, p: Time) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .where('memberships.team_id', '=', p.teamId)
    .where('memberships.created_at', '>=', p.after)
    .where('memberships.created_at', '<', p.before)
    .whereRef('memberships.created_at', '>', 'teams.created_at');

export const listJoined = statement<Time & { most: number }>()((q, p) =>
  joinedIn(q, p)
    .select(['memberships.user_id', 'memberships.created_at'])
    .orderBy('memberships.created_at', 'desc')
    .orderBy('memberships.user_id')
    .limit(p.most),
);

export const countJoined = statement<Time>()((q, p) =>
  joinedIn(q, p).select((eb) => eb.fn.countAll<number>().as('people')),
);
