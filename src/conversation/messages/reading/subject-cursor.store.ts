import { sql } from 'kysely';
import { inIdList, locked, rawSelect } from '#platform/db/index.ts';
import { statement } from '#schema';
import type { TeamCursor } from '../../../teams/index.ts';

/** A member's cursor in one subject of a team. */
export interface SubjectCursor extends TeamCursor {
  readonly subjectId: string;
}

export const findSubjectCursor = statement<SubjectCursor>()((q, p) =>
  q
    .selectFrom('subject_cursors')
    .select('read_seq')
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('subject_id', '=', p.subjectId),
);

/** A cursor only moves forward. */
export const putSubjectCursor = statement<SubjectCursor & { to: number }>()((q, p) =>
  q
    .insertInto('subject_cursors')
    .values({ user_id: p.userId, team_id: p.teamId, subject_id: p.subjectId, read_seq: p.to })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'team_id', 'subject_id']).doUpdateSet({ read_seq: p.to }),
    ),
);

/** How many messages of a subject are between two places, the second one included. */
export const countOfSubject = statement<{ subjectId: string; after: number; upTo: number }>()((q, p) =>
  q
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('subject_id', '=', p.subjectId)
    .where('seq', '>', p.after)
    .where('seq', '<=', p.upTo),
);

/** All exceptions among the messages of a subject: its cursor has passed them. */
export const deleteMarksOfSubject = statement<SubjectCursor & { upTo: number }>()((q, p) =>
  q
    .deleteFrom('read_marks')
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('seq', '<=', p.upTo)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('messages')
          .select('messages.id')
          .whereRef('messages.id', '=', 'read_marks.message_id')
          .where('messages.subject_id', '=', p.subjectId),
      ),
    ),
);

/** The first place beyond another that no cursor of a subject covers and no exception says to be read. */
export const findUncovered = statement<TeamCursor & { after: number }>()((q, p) =>
  rawSelect(
    q,
    sql<{ seq: number }>`SELECT messages.seq FROM messages WHERE messages.team_id = ${p.teamId}
      AND messages.seq > ${p.after}
      AND NOT EXISTS (SELECT 1 FROM read_marks WHERE read_marks.user_id = ${p.userId}
        AND read_marks.team_id = messages.team_id AND read_marks.seq = messages.seq AND read_marks.is_read = 1)
      AND (messages.subject_id IS NULL OR NOT EXISTS (SELECT 1 FROM subject_cursors
        WHERE subject_cursors.user_id = ${p.userId} AND subject_cursors.team_id = messages.team_id
        AND subject_cursors.subject_id = messages.subject_id AND subject_cursors.read_seq >= messages.seq))
      ORDER BY messages.seq LIMIT 1`,
  ),
);

/** The place of the newest message of a team. */
export const lastSeq = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('messages')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('team_id', '=', p.teamId)
    .where('seq', 'is not', null),
);

/**
 * The members for whom one of some subjects is read beyond a place, and the team is not, with those subjects. They are
 * locked in the order of ids.
 */
export const lockReadersBeyond = statement<{ teamId: string; subjectIds: readonly string[]; seq: number }>()(
  (q, p, dialect) => {
    const found = q
      .selectFrom('memberships')
      .select('memberships.user_id')
      .where('memberships.team_id', '=', p.teamId)
      .where('memberships.read_seq', '<', p.seq)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('subject_cursors')
            .select('subject_cursors.user_id')
            .whereRef('subject_cursors.user_id', '=', 'memberships.user_id')
            .where('subject_cursors.team_id', '=', p.teamId)
            .where(inIdList(dialect, 'subject_cursors.subject_id', p.subjectIds))
            .where('subject_cursors.read_seq', '>=', p.seq),
        ),
      )
      .orderBy('memberships.user_id');
    return locked(dialect, found, 'no key update');
  },
);

/** Which of some members have read a subject beyond a place. */
export const listReadersOf = statement<{ subjectId: string; userIds: readonly string[]; seq: number }>()(
  (q, p, dialect) =>
    q
      .selectFrom('subject_cursors')
      .select('user_id')
      .where('subject_id', '=', p.subjectId)
      .where('read_seq', '>=', p.seq)
      .where(inIdList(dialect, 'user_id', p.userIds)),
);

interface MarksOfOne {
  readonly teamId: string;
  readonly seq: number;
  readonly userIds: readonly string[];
}

/** Gives the members who had an exception for a message. */
export const takeMarks = statement<MarksOfOne>()((q, p, dialect) =>
  q
    .deleteFrom('read_marks')
    .where('team_id', '=', p.teamId)
    .where('seq', '=', p.seq)
    .where(inIdList(dialect, 'user_id', p.userIds))
    .returning('user_id'),
);

export const deleteSubjectCursors = statement<{ teamId: string; userIds: readonly string[] }>()(
  (q, p, dialect) =>
    q
      .deleteFrom('subject_cursors')
      .where(inIdList(dialect, 'user_id', p.userIds))
      .where('team_id', '=', p.teamId),
);
