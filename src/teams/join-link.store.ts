import type { ExpressionBuilder, Kysely } from 'kysely';
import { type JoinLinkRow, statement, type Tables } from '#schema';

/**
 * What a link must be to let anybody in: within its limits, of a team that exists, and made by somebody who may still
 * invite. Looking a link up and using it ask for the same.
 */
const letsIn = (eb: ExpressionBuilder<Tables, 'join_links'>, now: number) =>
  eb.and([
    eb.or([eb('join_links.expires_at', 'is', null), eb('join_links.expires_at', '>', now)]),
    eb.or([eb('join_links.max_uses', 'is', null), eb('join_links.uses', '<', eb.ref('join_links.max_uses'))]),
    isStanding(eb),
  ]);

const isStanding = (eb: ExpressionBuilder<Tables, 'join_links'>) =>
  eb.exists(
    eb
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .innerJoin('teams', 'teams.id', 'memberships.team_id')
      .select('memberships.user_id')
      .whereRef('memberships.team_id', '=', 'join_links.team_id')
      .whereRef('memberships.user_id', '=', 'join_links.created_by')
      .where('memberships.membership_type', '=', 1)
      .where('users.active', '=', 1)
      .where('teams.active', '=', 1),
  );

export const insertJoinLink = statement<JoinLinkRow>()((q, p) =>
  q.insertInto('join_links').values({
    id: p.id,
    team_id: p.team_id,
    created_by: p.created_by,
    token_hash: p.token_hash,
    membership_type: p.membership_type,
    domains_json: p.domains_json,
    max_uses: p.max_uses,
    uses: p.uses,
    created_at: p.created_at,
    expires_at: p.expires_at,
  }),
);

export const countJoinLinks = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('join_links')
    .select((eb) => eb.fn.countAll<number>().as('links'))
    .where('team_id', '=', p.teamId),
);

/** The newest first. */
export const pageOfJoinLinks = statement<{ teamId: string; before: string; limit: number }>()((q, p) =>
  q
    .selectFrom('join_links')
    .selectAll()
    .where('team_id', '=', p.teamId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const withTeam = (q: Kysely<Tables>) =>
  q
    .selectFrom('join_links')
    .innerJoin('teams', 'teams.id', 'join_links.team_id')
    .selectAll('join_links')
    .select([
      'teams.name as team_name',
      'teams.description as team_description',
      'teams.color as team_color',
      'teams.icon as team_icon',
      'teams.num_members as team_num_members',
    ]);

/** A link that lets people in, with its team. */
export const findJoinLink = statement<{ tokenHash: string; now: number }>()((q, p) =>
  withTeam(q)
    .where('join_links.token_hash', '=', p.tokenHash)
    .where((eb) => letsIn(eb as unknown as ExpressionBuilder<Tables, 'join_links'>, p.now)),
);

/** Counts one use, if the link still lets somebody in. Of more callers than it has uses, the others get no row. */
export const useJoinLink = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('join_links')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('id', '=', p.id)
    .where((eb) => letsIn(eb, p.now))
    .returning('id'),
);

/** Gives no row when the team has no such link. */
export const deleteJoinLink = statement<{ id: string; teamId: string }>()((q, p) =>
  q.deleteFrom('join_links').where('id', '=', p.id).where('team_id', '=', p.teamId).returning('id'),
);

/** Links that let nobody in any more because of their age. */
export const deleteExpiredJoinLinks = statement<{ teamId: string; now: number }>()((q, p) =>
  q.deleteFrom('join_links').where('team_id', '=', p.teamId).where('expires_at', '<=', p.now),
);

/** A user's links to one team. */
export const deleteJoinLinksBy = statement<{ teamId: string; userId: string }>()((q, p) =>
  q.deleteFrom('join_links').where('team_id', '=', p.teamId).where('created_by', '=', p.userId),
);

/** A user's links to all teams. */
export const deleteEveryJoinLinkBy = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('join_links').where('created_by', '=', p.userId),
);

export const insertWaitingJoin = statement<{ teamId: string; userId: string; linkId: string }>()((q, p) =>
  q.insertInto('waiting_joins').values({ team_id: p.teamId, user_id: p.userId, link_id: p.linkId }),
);

/** Takes what waited for the address of a user to be proved. */
export const takeWaitingJoins = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('waiting_joins').where('user_id', '=', p.userId).returning(['team_id', 'link_id']),
);

/** A link whose use was counted before. It may be used up by now, but neither expired nor of somebody without the right. */
export const findUsedJoinLink = statement<{ id: string; now: number }>()((q, p) =>
  q
    .selectFrom('join_links')
    .select(['membership_type', 'created_by'])
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', p.now)]))
    .where(isStanding),
);

export const noteRemoval = statement<{ teamId: string; userId: string; now: number }>()((q, p) =>
  q
    .insertInto('removed_members')
    .values({ team_id: p.teamId, user_id: p.userId, removed_at: p.now })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doNothing()),
);

export const findRemoval = statement<{ teamId: string; userId: string }>()((q, p) =>
  q
    .selectFrom('removed_members')
    .select('user_id')
    .where('team_id', '=', p.teamId)
    .where('user_id', '=', p.userId),
);

export const forgetRemoval = statement<{ teamId: string; userId: string }>()((q, p) =>
  q.deleteFrom('removed_members').where('team_id', '=', p.teamId).where('user_id', '=', p.userId),
);
