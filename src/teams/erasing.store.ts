import { inIdList, locked } from '#platform/db/index.ts';
import { deletion, statement } from '#schema';

/** Teams whose time to be restored is over. Gives each to one caller. */
export const claimTeams = statement<{ before: number; limit: number }>()((q, p, dialect) => {
  const due = q
    .selectFrom('teams')
    .select('id')
    .where('active', '=', 0)
    .where('erasing', '=', 0)
    .where('deleted_at', '<=', p.before)
    .orderBy('deleted_at')
    .limit(p.limit);
  return q
    .updateTable('teams')
    .set({ erasing: 1 })
    .where('id', 'in', locked(dialect, due, 'skip locked'))
    .returning('id');
});

export const deleteMemberships = statement<{ teamId: string; userIds: readonly string[] }>()(
  (q, p, dialect) =>
    q
      .deleteFrom('memberships')
      .where('team_id', '=', p.teamId)
      .where(inIdList(dialect, 'user_id', p.userIds)),
);

export const deleteInvitations = deletion('invitations')<{ teamId: string }>((rows, p) =>
  rows.where('team_id', '=', p.teamId),
);

/** Also accepted ones, which hold the address too. */
export const deleteInvitationsTo = statement<{ emailKey: string }>()((q, p) =>
  q.deleteFrom('invitations').where('email_key', '=', p.emailKey),
);

/** Those who wait to join by a link go with it. */
export const deleteJoinLinks = deletion('join_links')<{ teamId: string }>((rows, p) =>
  rows.where('team_id', '=', p.teamId),
);

/** Their members are gone by then. */
export const deleteGroups = deletion('people_groups')<{ teamId: string }>((rows, p) =>
  rows.where('team_id', '=', p.teamId),
);

export const deleteRemovals = deletion('removed_members')<{ teamId: string }>((rows, p) =>
  rows.where('team_id', '=', p.teamId),
);

/** What teams remember of somebody who is no member: rows for each team they were removed from, or wait to join. */
export const forgetRemovals = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('removed_members').where('user_id', '=', p.userId),
);

export const forgetWaitingJoins = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('waiting_joins').where('user_id', '=', p.userId),
);

export const blankTeam = statement<{ teamId: string; now: number }>()((q, p) =>
  q
    .updateTable('teams')
    .set({ name: 'Deleted team', icon: '', description: '', is_open: 0, num_members: 0, erased_at: p.now })
    .where('id', '=', p.teamId),
);
