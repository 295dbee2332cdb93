import { sql } from 'kysely';
import { inIdList, inTextList, locked, rawSelect } from '#platform/db/index.ts';
import { deletion, insertion, type SubjectRow, statement } from '#schema';
import type { PageOfUser } from '../../../stewardship/exports/index.ts';
import { ADMIN } from '../../../teams/index.ts';

/** Those of a team with some folded names. Whoever makes, renames, closes or opens one has locked the team. */
export const findNamed = statement<{ teamId: string; keys: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('subjects')
    .selectAll()
    .where('team_id', '=', p.teamId)
    .where(inTextList(dialect, 'name_key', p.keys)),
);

/** How many are open, for each person who named some of them. */
export const countOpen = statement<{ teamId: string }>()((q, p) =>
  q
    .selectFrom('subjects')
    .select('created_by')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('team_id', '=', p.teamId)
    .where('closed_at', 'is', null)
    .groupBy('created_by'),
);

export const listAdminsAmong = statement<{ teamId: string; ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('memberships')
    .select('user_id as id')
    .where('team_id', '=', p.teamId)
    .where('membership_type', '=', ADMIN)
    .where(inIdList(dialect, 'user_id', p.ids)),
);

export const insertSubjects = insertion('subjects')([
  'id',
  'team_id',
  'name',
  'name_key',
  'created_by',
  'created_at',
  'closed_at',
]);

/** In a team of the caller alone. */
export const findSubject = statement<{ id: string; userId: string }>()((q, p) =>
  q
    .selectFrom('subjects')
    .innerJoin('memberships', 'memberships.team_id', 'subjects.team_id')
    .innerJoin('teams', 'teams.id', 'subjects.team_id')
    .selectAll('subjects')
    .select('memberships.membership_type')
    .where('subjects.id', '=', p.id)
    .where('memberships.user_id', '=', p.userId)
    .where('teams.active', '=', 1),
);

/**
 * Some subjects, locked in the order of ids. Moving a conversation and reading one of them alone wait for each other, so
 * that what is counted of it stays right.
 */
export const lockSubjects = {
  toMove: statement<{ ids: readonly string[] }>()((q, p, dialect) =>
    locked(
      dialect,
      q
        .selectFrom('subjects')
        .selectAll()
        .where(inIdList(dialect, 'id', p.ids))
        .orderBy('id'),
      'no key update',
    ),
  ),
  toRead: statement<{ ids: readonly string[] }>()((q, p, dialect) =>
    locked(
      dialect,
      q
        .selectFrom('subjects')
        .selectAll()
        .where(inIdList(dialect, 'id', p.ids))
        .orderBy('id'),
      'share',
    ),
  ),
};

export const updateSubject = statement<Pick<SubjectRow, 'id' | 'name' | 'name_key' | 'closed_at'>>()((q, p) =>
  q
    .updateTable('subjects')
    .set({ name: p.name, name_key: p.name_key, closed_at: p.closed_at })
    .where('id', '=', p.id),
);

export const reopenSubjects = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .updateTable('subjects')
    .set({ closed_at: null })
    .where(inIdList(dialect, 'id', p.ids)),
);

/** A subject as a member sees it. */
export interface ListedSubject extends SubjectRow {
  last_seq: number | null;
  last_message_at: number | null;
  /** Beyond the member's cursors, and not read one by one. */
  num_unread: number;
}

interface Listing {
  readonly teamId: string;
  readonly userId: string;
  /** Of one subject no more are counted. */
  readonly most: number;
  /** Of the closed ones: those with ids below it. */
  readonly before: string;
  readonly limit: number;
}

const LISTED = (p: Listing) => sql`subjects.*,
  (SELECT max(messages.seq) FROM messages WHERE messages.subject_id = subjects.id) AS last_seq,
  (SELECT messages.created_at FROM messages WHERE messages.subject_id = subjects.id
    ORDER BY messages.seq DESC LIMIT 1) AS last_message_at,
  (SELECT count(*) FROM (SELECT 1 AS one FROM messages WHERE messages.subject_id = subjects.id
      AND messages.seq > memberships.read_seq AND messages.seq > coalesce(subject_cursors.read_seq, 0)
      AND messages.deleted_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM read_marks WHERE read_marks.user_id = memberships.user_id
        AND read_marks.team_id = messages.team_id AND read_marks.seq = messages.seq)
    LIMIT ${p.most}) AS unread) AS num_unread
  FROM subjects INNER JOIN memberships ON memberships.team_id = subjects.team_id AND memberships.user_id = ${p.userId}
  LEFT JOIN subject_cursors ON subject_cursors.user_id = memberships.user_id
    AND subject_cursors.team_id = subjects.team_id AND subject_cursors.subject_id = subjects.id`;

/** All that are open: they are few. */
export const listOpen = statement<Listing>()((q, p) =>
  rawSelect(
    q,
    sql<ListedSubject>`SELECT ${LISTED(p)} WHERE subjects.team_id = ${p.teamId} AND subjects.closed_at IS NULL`,
  ),
);

/** The newest first. */
export const pageOfClosed = statement<Listing>()((q, p) =>
  rawSelect(
    q,
    sql<ListedSubject>`SELECT ${LISTED(p)} WHERE subjects.team_id = ${p.teamId} AND subjects.closed_at IS NOT NULL
      AND subjects.id < ${p.before} ORDER BY subjects.id DESC LIMIT ${p.limit}`,
  ),
);

export const listOne = statement<Listing & { id: string }>()((q, p) =>
  rawSelect(
    q,
    sql<ListedSubject>`SELECT ${LISTED(p)} WHERE subjects.team_id = ${p.teamId} AND subjects.id = ${p.id}`,
  ),
);

/** How many messages of each subject a member has marked as unread again. */
export const countMarkedUnread = statement<{ teamId: string; userId: string }>()((q, p) =>
  q
    .selectFrom('read_marks')
    .innerJoin('messages', 'messages.id', 'read_marks.message_id')
    .select('messages.subject_id')
    .select((eb) => eb.fn.countAll<number>().as('marked'))
    .where('read_marks.user_id', '=', p.userId)
    .where('read_marks.team_id', '=', p.teamId)
    .where('read_marks.is_read', '=', 0)
    .where('messages.subject_id', 'is not', null)
    .groupBy('messages.subject_id'),
);

export const setSubjectOf = statement<{ messageId: string; subjectId: string | null }>()((q, p) =>
  q.updateTable('messages').set({ subject_id: p.subjectId }).where('id', '=', p.messageId),
);

/** Nothing refers to them any more. */
export const deleteSubjects = deletion('subjects')<{ teamId: string }>((rows, p) =>
  rows.where('team_id', '=', p.teamId),
);

/** Everything that a person named. */
export const pageOfNamed = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('subjects')
    .selectAll()
    .where('created_by', '=', p.userId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);
