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

export const blankTeam = statement<{ teamId: string; now: number }>()((q, p) =>
  q
    .updateTable('teams')
    .set({ name: 'Deleted team', icon: '', num_members: 0, erased_at: p.now })
    .where('id', '=', p.teamId),
);
