import { locked } from '#platform/db/index.ts';
import { statement } from '#schema';

/**
 * Takes the next places in the team's stream, and gives the last of them. The team's row stays locked until the commit,
 * so there are no gaps.
 */
export const takePlaces = statement<{ teamId: string; count: number }>()((q, p) =>
  q
    .updateTable('teams')
    .set((eb) => ({ message_seq: eb('message_seq', '+', p.count) }))
    .where('id', '=', p.teamId)
    .where('active', '=', 1)
    .returning('message_seq'),
);

/** Gives the last places back, in the transaction that took them. */
export const returnPlaces = statement<{ teamId: string; count: number }>()((q, p) =>
  q
    .updateTable('teams')
    .set((eb) => ({ message_seq: eb('message_seq', '-', p.count) }))
    .where('id', '=', p.teamId),
);

/** A member's cursor in the stream of a team: they have read up to its place. */
export interface TeamCursor {
  readonly userId: string;
  readonly teamId: string;
}

/** The cursor, locked until the transaction ends. */
export const lockCursor = statement<TeamCursor>()((q, p, dialect) => {
  const found = q
    .selectFrom('memberships')
    .select('read_seq')
    .where('team_id', '=', p.teamId)
    .where('user_id', '=', p.userId);
  return locked(dialect, found);
});

export const setCursor = statement<TeamCursor & { to: number }>()((q, p) =>
  q
    .updateTable('memberships')
    .set({ read_seq: p.to })
    .where('team_id', '=', p.teamId)
    .where('user_id', '=', p.userId),
);

/** Moves the cursors of every team that the user is in to the end. A message of a later commit stays unread. */
export const readTeams = statement<{ userId: string; upTo: string }>()((q, p) =>
  q
    .updateTable('memberships')
    .from('teams')
    .set((eb) => ({ read_seq: eb.ref('teams.message_seq'), all_read_up_to: p.upTo }))
    .whereRef('teams.id', '=', 'memberships.team_id')
    .where('teams.active', '=', 1)
    .where('memberships.user_id', '=', p.userId),
);
