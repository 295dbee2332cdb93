import { sql } from 'kysely';
import { inIdList, locked } from '#platform/db/index.ts';
import { statement } from '#schema';

/**
 * Takes the next sequences in the team's stream, and gives the last of them. The team's row stays locked until the commit,
 * so there are no gaps.
 */
export const takeSequences = statement<{ teamId: string; count: number }>()((q, p) =>
  q
    .updateTable('teams')
    .set((eb) => ({ message_seq: eb('message_seq', '+', p.count) }))
    .where('id', '=', p.teamId)
    .where('active', '=', 1)
    .returning('message_seq'),
);

/** Gives the last sequences back, in the transaction that took them. */
export const returnSequences = statement<{ teamId: string; count: number }>()((q, p) =>
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
    .select(['read_seq', 'subjects_read'])
    .where('team_id', '=', p.teamId)
    .where('user_id', '=', p.userId);
  return locked(dialect, found);
});

/** For where no cursor of a subject is passed. */
export const setCursor = statement<TeamCursor & { to: number }>()((q, p) =>
  q
    .updateTable('memberships')
    .set({ read_seq: p.to })
    .where('team_id', '=', p.teamId)
    .where('user_id', '=', p.userId),
);

/** Also counts again what cursors of subjects cover beyond it. */
export const setCursorAmongSubjects = statement<TeamCursor & { to: number }>()((q, p) =>
  q
    .updateTable('memberships')
    .set((eb) => ({
      read_seq: p.to,
      subjects_read: eb
        .selectFrom('subject_cursors')
        .innerJoin('messages', 'messages.subject_id', 'subject_cursors.subject_id')
        .select((one) => one.fn.countAll<number>().as('covered'))
        .where('subject_cursors.user_id', '=', p.userId)
        .where('subject_cursors.team_id', '=', p.teamId)
        .where('subject_cursors.read_seq', '>', p.to)
        .where('messages.seq', '>', p.to)
        .whereRef('messages.seq', '<=', 'subject_cursors.read_seq'),
    }))
    .where('team_id', '=', p.teamId)
    .where('user_id', '=', p.userId),
);

/** Notes that so many more messages beyond the cursors of some members are covered by those of subjects. */
export const addSubjectsRead = statement<{ teamId: string; userIds: readonly string[]; by: number }>()(
  (q, p, dialect) =>
    q
      .updateTable('memberships')
      .set({ subjects_read: sql<number>`subjects_read + ${p.by}` })
      .where('team_id', '=', p.teamId)
      .where(inIdList(dialect, 'user_id', p.userIds)),
);

/** Moves the cursors of every team that the user is in to the end. A message of a later commit stays unread. */
export const readTeams = statement<{ userId: string; upTo: string }>()((q, p) =>
  q
    .updateTable('memberships')
    .from('teams')
    .set((eb) => ({ read_seq: eb.ref('teams.message_seq'), all_read_up_to: p.upTo, subjects_read: 0 }))
    .whereRef('teams.id', '=', 'memberships.team_id')
    .where('teams.active', '=', 1)
    .where('memberships.user_id', '=', p.userId),
);
