import { type RawBuilder, sql } from 'kysely';
import { type Dialect, eachOnce, inIdList, locked, preparing, rawSelect } from '#platform/db/index.ts';
import { deletion, type InboxEntryRow, insertion, statement } from '#schema';
import type { PageOfUser } from '../../stewardship/exports/index.ts';
import { unreadOfTeams } from '../../teams/index.ts';
import {
  fromUnreadInSidebar,
  fromUnreadReplies,
  isReadBy,
  isReadInStream,
  joinStreamRead,
  joinViewer,
  leftJoinOne,
  visibleTo,
} from '../messages/index.ts';
import { isMutedPlace } from '../mutes/index.ts';

const COLUMNS = [
  'user_id',
  'conversation_id',
  'root_id',
  'sidebar_id',
  'team_id',
  'place',
  'activity_id',
  'reasons',
  'mention_id',
  'root_concerns',
  'reacted_id',
  'is_open',
  'done_json',
] as const satisfies (keyof InboxEntryRow)[];

const ON_CONFLICT = 'ON CONFLICT (user_id, conversation_id) DO UPDATE SET';
const later = (column: string) => `${column} = CASE
  WHEN inbox_entries.${column} IS NULL OR excluded.${column} > inbox_entries.${column}
  THEN excluded.${column} ELSE inbox_entries.${column} END`;

/**
 * The later call. One in the message that opened the conversation replaces any other: an edit may call there after answers
 * did, and reading that message reads its answers.
 */
const MENTION = `mention_id = CASE
  WHEN inbox_entries.mention_id IS NULL OR excluded.mention_id > inbox_entries.mention_id
    OR excluded.mention_id = inbox_entries.root_id
  THEN excluded.mention_id ELSE inbox_entries.mention_id END`;

/** The reasons of an entry in which nothing but a reaction is new. */
const REACTION = 'reaction';
/** A reaction says nothing new in a conversation. */
const SAYS_MORE = `excluded.reasons <> '${REACTION}'`;

/** Jobs may be carried out in another order than that of their messages. */
const insertEntries = insertion('inbox_entries')(
  COLUMNS,
  () => `${ON_CONFLICT} ${later('place')}, ${MENTION}, is_open = 1,
    activity_id = CASE WHEN ${SAYS_MORE} AND excluded.activity_id > inbox_entries.activity_id
      THEN excluded.activity_id ELSE inbox_entries.activity_id END,
    reasons = CASE WHEN ${SAYS_MORE} AND (excluded.activity_id > inbox_entries.activity_id
      OR excluded.activity_id = inbox_entries.activity_id AND excluded.reasons <> 'unread')
      THEN excluded.reasons ELSE inbox_entries.reasons END,
    root_concerns = CASE WHEN excluded.root_concerns = 1 THEN 1 ELSE inbox_entries.root_concerns END,
    reacted_id = coalesce(excluded.reacted_id, inbox_entries.reacted_id)`,
);

export const putEntries = preparing(insertEntries, (rows: readonly InboxEntryRow[]) =>
  eachOnce(rows, (row) => `${row.conversation_id} ${row.user_id}`, joined),
);

function joined(one: InboxEntryRow, other: InboxEntryRow): InboxEntryRow {
  const [older, newer] = one.place < other.place ? [one, other] : [other, one];
  const isSaidBefore =
    newer.reasons === REACTION || (newer.reasons === 'unread' && older.place === newer.place);
  const shown = isSaidBefore ? older : newer;
  return {
    ...shown,
    place: newer.place,
    mention_id: newer.mention_id ?? older.mention_id,
    root_concerns: Math.max(older.root_concerns, newer.root_concerns),
    reacted_id: newer.reacted_id ?? older.reacted_id,
  };
}

/** An entry as its user sees it now. */
export interface SeenEntry extends InboxEntryRow {
  author_id: string;
  addressed_users_json: string;
  /** The conversation of direct messages with the same people; of others the entry's own. */
  counted_id: string;
  /** In a sidebar, its messages up to the last that concerns the user. */
  num_replies: number;
  root_read: number | boolean;
  num_unread: number;
  mentioned: number | boolean;
  muted: number | boolean;
  /** Of the message with reactions that were not seen: their counts. */
  reacted_json: string | null;
}

const unread = (viewerId: string) => sql`CASE
  WHEN inbox_entries.sidebar_id IS NOT NULL THEN (SELECT count(*) ${fromUnreadInSidebar(viewerId)})
  ELSE (SELECT count(*) ${fromUnreadReplies(viewerId)} AND reply.id <= inbox_entries.activity_id)
    + CASE WHEN inbox_entries.root_concerns = 1 AND NOT (${isReadBy(viewerId)}) THEN 1 ELSE 0 END END`;

const mentioned = (viewerId: string) => sql`CASE
  WHEN inbox_entries.mention_id IS NULL THEN 1 = 0
  WHEN inbox_entries.sidebar_id IS NOT NULL THEN
    EXISTS (SELECT 1 ${fromUnreadInSidebar(viewerId)} AND said.id = inbox_entries.mention_id)
  WHEN inbox_entries.mention_id = messages.id THEN NOT (${isReadBy(viewerId)})
  ELSE EXISTS (SELECT 1 ${fromUnreadReplies(viewerId)} AND reply.id = inbox_entries.mention_id) END`;

/** Direct messages between the same people are one, a sidebar beside them is another. */
const countedId = sql`CASE WHEN inbox_entries.sidebar_id IS NULL
  THEN coalesce(messages.conversation_id, inbox_entries.conversation_id) ELSE inbox_entries.conversation_id END`;

/** The viewer's row of the sidebar that an entry is of. */
const joinSidebar = (viewerId: string, dialect: Dialect) =>
  leftJoinOne(
    dialect,
    'sidebar_users',
    sql`sidebar_users.sidebar_id = inbox_entries.sidebar_id AND sidebar_users.user_id = ${viewerId}`,
  );

/** The entries of a user that they may see; for whom a conversation is new follows from the one rule of what is read. */
const seenEntries = (viewerId: string, dialect: Dialect, condition: RawBuilder<unknown>) => sql`
  SELECT inbox_entries.*, ${countedId} AS counted_id,
    messages.author_id, messages.addressed_users_json,
    CASE WHEN inbox_entries.sidebar_id IS NULL THEN messages.num_replies
      ELSE (SELECT said.sidebar_seq FROM messages AS said WHERE said.id = inbox_entries.activity_id) END AS num_replies,
    ${isReadBy(viewerId)} AS root_read, ${unread(viewerId)} AS num_unread, ${mentioned(viewerId)} AS mentioned,
    coalesce(message_states.is_muted, 0) = 1 OR coalesce(memberships.is_muted, 0) = 1
      OR ${isMutedPlace(sql`inbox_entries.user_id`, sql`coalesce(messages.conversation_id, messages.subject_id)`)} AS muted,
    (SELECT reacted.reactions_json FROM messages AS reacted WHERE reacted.id = inbox_entries.reacted_id
      AND reacted.deleted_at IS NULL) AS reacted_json
  FROM inbox_entries INNER JOIN messages ON messages.id = inbox_entries.root_id ${joinViewer(viewerId, dialect)}
  ${joinSidebar(viewerId, dialect)}
  WHERE inbox_entries.user_id = ${viewerId} AND ${visibleTo(viewerId)}
    AND (inbox_entries.sidebar_id IS NULL OR sidebar_users.user_id IS NOT NULL) AND ${condition}`;

/** All that a user sees, or what is said to a whole team. */
const within = (teamId: string | null) =>
  sql`(CAST(${teamId} AS text) IS NULL OR inbox_entries.team_id = ${teamId} AND inbox_entries.sidebar_id IS NULL)`;

interface PageOfEntries {
  readonly userId: string;
  /** Null for all. */
  readonly teamId: string | null;
  readonly from: string;
  readonly limit: number;
}

const pageOf = (condition: RawBuilder<unknown>, isShown: RawBuilder<unknown>) =>
  statement<PageOfEntries>()((q, p, dialect) =>
    rawSelect(
      q,
      sql<SeenEntry>`SELECT * FROM (${seenEntries(p.userId, dialect, sql`${condition} AND inbox_entries.place < ${p.from} AND ${within(p.teamId)}`)})
        AS entry WHERE ${isShown} ORDER BY place DESC LIMIT ${p.limit}`,
    ),
  );

/** By what is asked for, the newest first. */
export const listEntries = {
  new: pageOf(sql`inbox_entries.is_open = 1`, sql`(num_unread > 0 OR reacted_json IS NOT NULL)`),
  all: pageOf(sql`1 = 1`, sql`1 = 1`),
  mentions: pageOf(sql`inbox_entries.mention_id IS NOT NULL`, sql`1 = 1`),
  threads: pageOf(
    sql`inbox_entries.sidebar_id IS NULL AND inbox_entries.activity_id > inbox_entries.root_id`,
    sql`1 = 1`,
  ),
};

export const findEntry = statement<{ userId: string; conversationId: string }>()((q, p, dialect) =>
  rawSelect(
    q,
    sql<SeenEntry>`${seenEntries(p.userId, dialect, sql`inbox_entries.conversation_id = ${p.conversationId}`)}`,
  ),
);

/** The newest reaction of another person to a message, and how many others reacted, while it is new in its entry. */
export const findNewReaction = statement<{ userId: string; conversationId: string; messageId: string }>()(
  (q, p) =>
    q
      .selectFrom('inbox_entries')
      .innerJoin('reactions', 'reactions.message_id', 'inbox_entries.reacted_id')
      .innerJoin('users', 'users.id', 'reactions.user_id')
      .select(['reactions.given', 'users.first_name', 'users.last_name'])
      .select((eb) =>
        eb
          .selectFrom('reactions as all')
          .select((all) => all.fn.count<number>('all.user_id').distinct().as('num'))
          .where('all.message_id', '=', p.messageId)
          .where('all.user_id', '<>', p.userId)
          .as('num_people'),
      )
      .where('inbox_entries.user_id', '=', p.userId)
      .where('inbox_entries.conversation_id', '=', p.conversationId)
      .where('inbox_entries.reacted_id', '=', p.messageId)
      .where('reactions.user_id', '<>', p.userId)
      .orderBy('reactions.created_at', 'desc')
      .orderBy('reactions.user_id')
      .limit(1),
);

/** The open entries that count as one, the newest activity first. */
export const listCountedAsOne = statement<{ userId: string; countedId: string }>()((q, p, dialect) =>
  rawSelect(
    q,
    sql<SeenEntry>`${seenEntries(p.userId, dialect, sql`inbox_entries.is_open = 1 AND ${countedId} = ${p.countedId}`)}
      ORDER BY inbox_entries.activity_id DESC`,
  ),
);

/** The first reply, or message in the sidebar, that is new in an entry, if it has one of the first `most` places. */
export const findFirstNew = statement<{ userId: string; conversationId: string; most: number }>()(
  (q, p, dialect) =>
    rawSelect(
      q,
      sql<{ reply_id: string | null; said_id: string | null }>`SELECT
      (SELECT reply.id ${fromUnreadReplies(p.userId)} AND reply.reply_seq <= ${p.most}
        ORDER BY reply.reply_seq LIMIT 1) AS reply_id,
      (SELECT said.id ${fromUnreadInSidebar(p.userId)} AND said.sidebar_seq <= ${p.most}
        ORDER BY said.sidebar_seq LIMIT 1) AS said_id
      FROM inbox_entries INNER JOIN messages ON messages.id = inbox_entries.root_id ${joinViewer(p.userId, dialect)}
      ${joinSidebar(p.userId, dialect)}
      WHERE inbox_entries.user_id = ${p.userId} AND inbox_entries.conversation_id = ${p.conversationId}`,
    ),
);

export interface EntryCounts {
  team_id: string | null;
  total: number;
  mentions: number;
  direct: number;
}

/**
 * How many conversations are new in each team, and in none; of muted ones those with a mention. Direct messages between the
 * same people are one.
 */
export const countEntries = statement<{ userId: string; teamId: string | null }>()((q, p, dialect) =>
  rawSelect(
    q,
    sql<EntryCounts>`SELECT team_id, count(DISTINCT counted_id) AS total,
      count(DISTINCT CASE WHEN mentioned THEN counted_id END) AS mentions,
      count(DISTINCT CASE WHEN team_id IS NULL OR sidebar_id IS NOT NULL THEN counted_id END) AS direct
      FROM (${seenEntries(p.userId, dialect, sql`inbox_entries.is_open = 1 AND ${within(p.teamId)}`)}) AS entry
      WHERE num_unread > 0 AND (mentioned OR NOT muted) GROUP BY team_id`,
  ),
);

/** The conversations of direct messages in which a reply is new to a user. */
export const listAnswered = statement<{ userId: string }>()((q, p, dialect) =>
  rawSelect(
    q,
    sql<{ counted_id: string }>`SELECT DISTINCT counted_id FROM (${seenEntries(
      p.userId,
      dialect,
      sql`inbox_entries.is_open = 1 AND inbox_entries.team_id IS NULL AND inbox_entries.sidebar_id IS NULL
        AND inbox_entries.activity_id > inbox_entries.root_id`,
    )}) AS entry WHERE num_unread > 0`,
  ),
);

/**
 * How many unread messages of each team have entries already, of some users. Found for all teams at once: a search for
 * each team would go through all entries of its user.
 */
const addressed = (userIds: readonly string[], dialect: Dialect) => sql<{
  user_id: string;
  team_id: string;
  num: number;
}>`(SELECT inbox_entries.user_id, inbox_entries.team_id, count(*) AS num
  FROM inbox_entries INNER JOIN messages ON messages.id = inbox_entries.conversation_id
  INNER JOIN memberships ON memberships.team_id = inbox_entries.team_id AND memberships.user_id = inbox_entries.user_id
  ${joinStreamRead(sql`memberships.user_id`)}
  WHERE ${inIdList(dialect, 'inbox_entries.user_id', userIds)}
    AND inbox_entries.is_open = 1 AND inbox_entries.root_concerns = 1 AND messages.deleted_at IS NULL
    AND NOT ${isReadInStream}
  GROUP BY inbox_entries.user_id, inbox_entries.team_id)`;

const newestInStream = sql<string | null>`coalesce((SELECT messages.id FROM messages
    ${joinStreamRead(sql`memberships.user_id`)}
    WHERE messages.team_id = memberships.team_id AND messages.seq > memberships.read_seq
      AND messages.deleted_at IS NULL AND NOT ${isReadInStream}
      AND NOT EXISTS (SELECT 1 FROM inbox_entries WHERE inbox_entries.user_id = memberships.user_id
        AND inbox_entries.conversation_id = messages.id AND inbox_entries.root_concerns = 1)
    ORDER BY messages.seq DESC LIMIT 1),
  (SELECT read_marks.message_id FROM read_marks WHERE read_marks.user_id = memberships.user_id
    AND read_marks.team_id = memberships.team_id AND read_marks.is_read = 0 ORDER BY read_marks.seq DESC LIMIT 1))`;

/** The teams of a user with unread messages, how many, and how many of those are entries. */
export const listTeamTraffic = statement<{ userIds: readonly string[] }>()((q, p, dialect) =>
  unreadOfTeams(q, p.userIds, dialect)
    .leftJoin(addressed(p.userIds, dialect).as('addressed'), (join) =>
      join
        .onRef('addressed.user_id', '=', 'memberships.user_id')
        .onRef('addressed.team_id', '=', 'memberships.team_id'),
    )
    .select(['memberships.is_muted', 'addressed.num as num_addressed'])
    .select(newestInStream.as('newest_id'))
    .where(
      // Ordered, so that PostgreSQL looks by the person's key, and not among the unread marks of all people.
      sql<boolean>`(teams.message_seq > memberships.read_seq OR (SELECT read_marks.seq FROM read_marks
        WHERE read_marks.user_id = memberships.user_id AND read_marks.team_id = memberships.team_id
        AND read_marks.is_read = 0 ORDER BY read_marks.seq DESC LIMIT 1) IS NOT NULL)`,
    ),
);

/** The users of some sidebars. */
export const listUsersOf = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('sidebar_users')
    .select(['sidebar_id', 'user_id'])
    .where(inIdList(dialect, 'sidebar_id', p.ids))
    .orderBy('user_id'),
);

export const findSidebarRoot = statement<{ id: string }>()((q, p) =>
  q.selectFrom('sidebars').select('message_id').where('id', '=', p.id),
);

/**
 * The open entries that some users have of some conversations, locked in the order in which entries are written: what comes
 * in meanwhile is seen afterwards.
 */
export const lockOpenOf = statement<{ userIds: readonly string[]; ids: readonly string[] }>()(
  (q, p, dialect) =>
    locked(
      dialect,
      q
        .selectFrom('inbox_entries')
        .select(['user_id', 'conversation_id'])
        .where(inIdList(dialect, 'user_id', p.userIds))
        .where(inIdList(dialect, 'conversation_id', p.ids))
        .where('is_open', '=', 1)
        .orderBy('conversation_id')
        .orderBy('user_id'),
    ),
);

/** The open entries of one team; of all, where it is null. */
export const lockOpen = statement<{ userId: string; teamId: string | null }>()((q, p, dialect) =>
  locked(
    dialect,
    q
      .selectFrom('inbox_entries')
      .select('conversation_id')
      .where('user_id', '=', p.userId)
      .where('is_open', '=', 1)
      .where(sql<boolean>`(CAST(${p.teamId} AS text) IS NULL OR team_id = ${p.teamId})`)
      .orderBy('conversation_id'),
  ),
);

/** Filters entries: the ones without anything unread, and perhaps without a reaction that was not seen. */
export const listRead = statement<{ userId: string; ids: readonly string[]; isReactionKept: number }>()(
  (q, p, dialect) =>
    rawSelect(
      q,
      sql<{ conversation_id: string }>`SELECT conversation_id FROM (${seenEntries(
        p.userId,
        dialect,
        sql`${inIdList(dialect, 'inbox_entries.conversation_id', p.ids)}`,
      )}) AS entry WHERE num_unread = 0 AND NOT (reacted_json IS NOT NULL AND CAST(${p.isReactionKept} AS integer) = 1)`,
    ),
);

export const closeEntries = statement<{ userId: string; ids: readonly string[] }>()((q, p, dialect) =>
  q
    .updateTable('inbox_entries')
    .set({ is_open: 0, reacted_id: null })
    .where('user_id', '=', p.userId)
    .where(inIdList(dialect, 'conversation_id', p.ids)),
);

/** The conversations of a team that concern a user and begin with a message that they have not read. */
export const listUnreadInStream = statement<{ userId: string; teamId: string }>()((q, p, dialect) =>
  rawSelect(
    q,
    sql<{ conversation_id: string }>`SELECT inbox_entries.conversation_id FROM inbox_entries
      INNER JOIN messages ON messages.id = inbox_entries.conversation_id ${joinViewer(p.userId, dialect)}
      WHERE inbox_entries.user_id = ${p.userId} AND inbox_entries.team_id = ${p.teamId}
        AND inbox_entries.root_concerns = 1 AND messages.deleted_at IS NULL AND NOT ${isReadInStream}`,
  ),
);

export const openEntry = statement<{ userId: string; conversationId: string }>()((q, p) =>
  q
    .updateTable('inbox_entries')
    .set({ is_open: 1 })
    .where('user_id', '=', p.userId)
    .where('conversation_id', '=', p.conversationId),
);

/** Keeps what was new in an entry; the reaction in it is seen, but not one that came meanwhile. */
export const keepDone = statement<{
  userId: string;
  conversationId: string;
  done: string;
  reacted: string | null;
}>()((q, p) =>
  q
    .updateTable('inbox_entries')
    .set({ done_json: p.done, reacted_id: sql`nullif(reacted_id, ${p.reacted})` })
    .where('user_id', '=', p.userId)
    .where('conversation_id', '=', p.conversationId),
);

export const dropDone = statement<{ userId: string; conversationId: string }>()((q, p) =>
  q
    .updateTable('inbox_entries')
    .set({ done_json: null })
    .where('user_id', '=', p.userId)
    .where('conversation_id', '=', p.conversationId),
);

export const restoreReaction = statement<{ userId: string; conversationId: string; messageId: string }>()(
  (q, p) =>
    q
      .updateTable('inbox_entries')
      .set({ reacted_id: p.messageId, is_open: 1 })
      .where('user_id', '=', p.userId)
      .where('conversation_id', '=', p.conversationId),
);

export const deleteEntriesOf = deletion('inbox_entries')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

/** Deletes the entries of all users for some conversations. */
export const deleteEntriesAbout = deletion('inbox_entries')<{ ids: readonly string[] }>((rows, p, dialect) =>
  rows.where(inIdList(dialect, 'root_id', p.ids)),
);

export const pageOfOwnEntries = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('inbox_entries')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('conversation_id', '>', p.after)
    .orderBy('conversation_id')
    .limit(p.limit),
);
