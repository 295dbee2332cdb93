import { type Kysely, sql } from 'kysely';
import { inIdList, locked, type Tx } from '#platform/db/index.ts';
import { insertion, type MessageStateRow, statement, type Tables } from '#schema';
import type { PageOfUser } from '../../../stewardship/exports/index.ts';
import { type TeamCursor, unreadOfTeams } from '../../../teams/index.ts';
import { isReadInStream } from '../view/read-state.ts';

/** Makes an exception to the cursor: read although it is beyond, or unread although it is passed. */
export const insertReadMarks = insertion('read_marks')(
  ['user_id', 'team_id', 'message_id', 'seq', 'is_read'],
  () => 'ON CONFLICT (user_id, team_id, seq) DO NOTHING',
);

export const deleteReadMark = statement<TeamCursor & { seq: number }>()((q, p) =>
  q
    .deleteFrom('read_marks')
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('seq', '=', p.seq),
);

export const deleteReadMarksUpTo = statement<TeamCursor & { seq: number }>()((q, p) =>
  q
    .deleteFrom('read_marks')
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('seq', '<=', p.seq)
    .returning(['message_id', 'is_read', 'seq']),
);

/** Gives a row where there is an exception up to a place. */
export const findReadMarkUpTo = statement<TeamCursor & { seq: number }>()((q, p) =>
  q
    .selectFrom('read_marks')
    .select('seq')
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('seq', '<=', p.seq)
    .limit(1),
);

/** Messages in the stream of a team, those not deleted. They stay as they are until the transaction ends. */
export const lockInStream = statement<{ teamId: string; ids: readonly string[] }>()((q, p, dialect) => {
  const found = q
    .selectFrom('messages')
    .select(['id', 'seq', 'subject_id'])
    .where(inIdList(dialect, 'id', p.ids))
    .where('team_id', '=', p.teamId)
    .where('seq', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('id');
  return locked(dialect, found, 'no key update');
});

/** The places beyond the cursor that are read already, in order. */
export const listReadAhead = statement<TeamCursor & { after: number; limit: number }>()((q, p) =>
  q
    .selectFrom('read_marks')
    .select('seq')
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('is_read', '=', 1)
    .where('seq', '>', p.after)
    .orderBy('seq')
    .limit(p.limit),
);

/** The seq of a message in the stream of a member's team; null for any other message, and no row for anybody else. */
export const findSeq = statement<TeamCursor & { messageId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .leftJoin('messages', (join) =>
      join.onRef('messages.team_id', '=', 'teams.id').on('messages.id', '=', p.messageId),
    )
    .select('messages.seq')
    .where('memberships.team_id', '=', p.teamId)
    .where('memberships.user_id', '=', p.userId)
    .where('teams.active', '=', 1),
);

/** Absorbs the exceptions over which the cursor has passed; those that say "unread" stay. */
export const deleteReadAhead = statement<TeamCursor & { seq: number }>()((q, p) =>
  q
    .deleteFrom('read_marks')
    .where('user_id', '=', p.userId)
    .where('team_id', '=', p.teamId)
    .where('is_read', '=', 1)
    .where('seq', '<=', p.seq)
    .returning('message_id'),
);

const deleteUnreadMarks = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('read_marks').where('message_id', '=', p.messageId).where('is_read', '=', 0),
);

/** All rows are written, read or not, so that this waits for a transaction that marks one of them as unread. */
const readForAll = statement<{ messageId: string; now: number }>()((q, p) =>
  q
    .updateTable('message_recipients')
    .set({ read_at: sql<number>`coalesce(read_at, ${p.now})` })
    .where('message_id', '=', p.messageId),
);

/** A deleted message counts as read. The counts leave out messages beyond a team's cursor. */
export async function settleDeleted(tx: Tx, about: { messageId: string; now: number }): Promise<void> {
  await deleteUnreadMarks.run(tx, about);
  await readForAll.run(tx, about);
}

/** Gives no row to a user who is not an addressee. */
export const setRecipientRead = statement<{ messageId: string; userId: string; readAt: number | null }>()(
  (q, p) =>
    q
      .updateTable('message_recipients')
      .set({ read_at: p.readAt })
      .where('message_id', '=', p.messageId)
      .where('user_id', '=', p.userId)
      .returning('user_id'),
);

/** One user and one message. */
interface State {
  readonly userId: string;
  readonly messageId: string;
}

/** The row of a user and a message, made where it is missing; each change touches its own columns alone. */
const stateOf = (q: Kysely<Tables>, p: State, changed: Partial<MessageStateRow>) =>
  q
    .insertInto('message_states')
    .values({
      user_id: p.userId,
      message_id: p.messageId,
      is_muted: 0,
      is_unread: 0,
      replies_read: 0,
      read_up_to: null,
      ...changed,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'message_id']).doUpdateSet({ message_id: p.messageId, ...changed }),
    );

export const putMuted = statement<State & { isMuted: number }>()((q, p) =>
  stateOf(q, p, { is_muted: p.isMuted }),
);

/** Gives a row where it was muted. */
export const clearMuted = statement<State>()((q, p) =>
  q
    .updateTable('message_states')
    .set({ is_muted: 0 })
    .where('user_id', '=', p.userId)
    .where('message_id', '=', p.messageId)
    .where('is_muted', '=', 1)
    .returning('message_id'),
);

export const putUnread = statement<State & { isUnread: number }>()((q, p) =>
  stateOf(q, p, { is_unread: p.isUnread }),
);

/** The state as it is now; it stays so until the transaction ends. */
export const lockState = statement<State>()((q, p) =>
  stateOf(q, p, {}).returning(['replies_read', 'read_up_to']),
);

export const setReplies = statement<State & { repliesRead: number; readUpTo: string | null }>()((q, p) =>
  q
    .updateTable('message_states')
    .set({ replies_read: p.repliesRead, read_up_to: p.readUpTo })
    .where('user_id', '=', p.userId)
    .where('message_id', '=', p.messageId),
);

/** Any constant: it names the lock that says whether a reply is being written. */
const REPLIES_LOCK = 7_241_995;

/**
 * Replies share this lock. It is taken before all others but that of an account: marking everything as read has that alone
 * while it waits.
 */
export async function letRepliesIn(tx: Tx): Promise<void> {
  if (tx.dialect === 'postgres') await tx.all(`SELECT pg_advisory_xact_lock_shared(${REPLIES_LOCK})`, []);
}

/** From here to the end of the transaction no reply is being written. SQLite has one writer anyway. */
export async function stopReplies(tx: Tx): Promise<void> {
  if (tx.dialect === 'postgres') await tx.all(`SELECT pg_advisory_xact_lock(${REPLIES_LOCK})`, []);
}

/** The highest id of all messages. */
export const newestId = statement<object>()((q) =>
  q.selectFrom('messages').select('id').orderBy('id', 'desc').limit(1),
);

/** The id up to which everything was marked as read: of the membership in a team, else of the user. */
export const findAllRead = statement<{ userId: string; teamId: string | null }>()((q, p) =>
  q
    .selectFrom('users')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'users.id').on('memberships.team_id', '=', p.teamId),
    )
    .select(
      sql<string | null>`CASE WHEN CAST(${p.teamId} AS text) IS NULL THEN users.all_read_up_to
        ELSE memberships.all_read_up_to END`.as('all_read_up_to'),
    )
    .where('users.id', '=', p.userId),
);

/** The place of the last reply whose id is not above another. */
export const lastReplyUpTo = statement<{ rootId: string; upTo: string }>()((q, p) =>
  q
    .selectFrom('messages')
    .select('reply_seq')
    .where('root_id', '=', p.rootId)
    .where('id', '<=', p.upTo)
    .orderBy('reply_seq', 'desc')
    .limit(1),
);

/** The exceptions over which the cursors have passed. */
export const deletePassedMarks = statement<{ userId: string }>()((q, p) =>
  q
    .deleteFrom('read_marks')
    .where('user_id', '=', p.userId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('memberships')
          .innerJoin('teams', 'teams.id', 'memberships.team_id')
          .select('memberships.team_id')
          .whereRef('memberships.team_id', '=', 'read_marks.team_id')
          .whereRef('memberships.read_seq', '>=', 'read_marks.seq')
          .where('memberships.user_id', '=', p.userId)
          .where('teams.active', '=', 1),
      ),
    ),
);

export const readDirects = statement<{ userId: string; now: number }>()((q, p) =>
  q
    .updateTable('message_recipients')
    .set({ read_at: p.now })
    .where('user_id', '=', p.userId)
    .where('read_at', 'is', null),
);

/** Own messages that were marked unread; not those of a deleted team, which may come back. */
export const readOwn = statement<{ userId: string }>()((q, p) =>
  q
    .updateTable('message_states')
    .set({ is_unread: 0 })
    .where('user_id', '=', p.userId)
    .where('is_unread', '=', 1)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('messages')
          .leftJoin('teams', 'teams.id', 'messages.team_id')
          .select('messages.id')
          .whereRef('messages.id', '=', 'message_states.message_id')
          .where((or) => or.or([or('messages.team_id', 'is', null), or('teams.active', '=', 1)])),
      ),
    ),
);

/** Found one by one: PostgreSQL without statistics of many sidebars would join all of them. */
const NEWEST_OF_SIDEBAR = sql<number>`(SELECT message_seq FROM sidebars WHERE sidebars.id = sidebar_users.sidebar_id)`;

export const readSidebars = statement<{ userId: string }>()((q, p) =>
  q
    .updateTable('sidebar_users')
    .set({ read_seq: NEWEST_OF_SIDEBAR })
    .where('user_id', '=', p.userId)
    .where('read_seq', '<', NEWEST_OF_SIDEBAR),
);

interface SidebarPlace {
  readonly sidebarId: string;
  readonly userId: string;
  readonly place: number;
}

/** A cursor only moves forward here. */
export const sidebarRead = statement<SidebarPlace>()((q, p) =>
  q
    .updateTable('sidebar_users')
    .set({ read_seq: p.place })
    .where('sidebar_id', '=', p.sidebarId)
    .where('user_id', '=', p.userId)
    .where('read_seq', '<', p.place),
);

export const sidebarUnread = statement<SidebarPlace>()((q, p) =>
  q
    .updateTable('sidebar_users')
    .set({ read_seq: sql<number>`${p.place} - 1` })
    .where('sidebar_id', '=', p.sidebarId)
    .where('user_id', '=', p.userId)
    .where('read_seq', '>=', p.place),
);

/**
 * Counts of some users' unread messages: a row for each team, one for direct messages, one for those among them that are
 * notes to oneself, and one for own messages that were ever marked unread, which says whether `listUnreadSent` has
 * anything to tell. Where there are none, there is no row, but for teams.
 */
export const listUnreadCounts = statement<{ userIds: readonly string[] }>()((q, p, dialect) => {
  const unreadDirect = q
    .selectFrom('message_recipients')
    .where(inIdList(dialect, 'user_id', p.userIds))
    .where('read_at', 'is', null)
    .groupBy('user_id')
    .select('user_id');
  const direct = unreadDirect
    .select([sql<string>`'direct'`.as('kind'), sql<string>`''`.as('team_id')])
    .select((eb) => eb.fn.countAll<number>().as('unread_count'));
  // A join might begin with all that the user ever wrote.
  const notesToSelf = unreadDirect
    .select([sql<string>`'note'`.as('kind'), sql<string>`''`.as('team_id')])
    .select((eb) => eb.fn.countAll<number>().as('unread_count'))
    .where(
      sql<boolean>`(SELECT author_id FROM messages WHERE messages.id = message_recipients.message_id) = user_id`,
    );
  const marked = q
    .selectFrom('message_states')
    .select('user_id')
    .select([sql<string>`'marked'`.as('kind'), sql<string>`''`.as('team_id')])
    .select((eb) => eb.fn.countAll<number>().as('unread_count'))
    .where(inIdList(dialect, 'user_id', p.userIds))
    .where('is_unread', '=', 1)
    .groupBy('user_id');
  return unreadOfTeams(q, p.userIds, dialect).unionAll(direct).unionAll(notesToSelf).unionAll(marked);
});

/**
 * Own messages that are unread. Marking one leaves a state, so that those few are found; whether one of a team still is
 * unread depends on the cursor and its exceptions.
 */
export const listUnreadSent = statement<{ userIds: readonly string[] }>()((q, p, dialect) => {
  const kind = sql<string>`CASE WHEN messages.team_id IS NULL THEN 'sent_direct' ELSE 'sent' END`;
  return q
    .selectFrom('message_states')
    .innerJoin('messages', 'messages.id', 'message_states.message_id')
    .leftJoin('teams', 'teams.id', 'messages.team_id')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.team_id', '=', 'messages.team_id')
        .onRef('memberships.user_id', '=', 'message_states.user_id'),
    )
    .leftJoin('read_marks', (join) =>
      join
        .onRef('read_marks.user_id', '=', 'message_states.user_id')
        .onRef('read_marks.team_id', '=', 'messages.team_id')
        .onRef('read_marks.seq', '=', 'messages.seq'),
    )
    .leftJoin('subject_cursors', (join) =>
      join
        .onRef('subject_cursors.user_id', '=', 'message_states.user_id')
        .onRef('subject_cursors.team_id', '=', 'messages.team_id')
        .onRef('subject_cursors.subject_id', '=', 'messages.subject_id'),
    )
    .select(['message_states.user_id', kind.as('kind')])
    .select((eb) => eb.fn.countAll<number>().as('unread_count'))
    .where(inIdList(dialect, 'message_states.user_id', p.userIds))
    .where('message_states.is_unread', '=', 1)
    .where('messages.deleted_at', 'is', null)
    .where(
      sql<boolean>`(messages.team_id IS NULL OR teams.active = 1 AND memberships.user_id IS NOT NULL
        AND NOT ${isReadInStream})`,
    )
    .groupBy(['message_states.user_id', kind]);
});

export const pageOfStates = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('message_states')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('message_id', '>', p.after)
    .orderBy('message_id')
    .limit(p.limit),
);
