import { sql } from 'kysely';

/** In a team the membership says it, in a direct message the user. */
const allReadBy = (viewerId: string) => sql<string | null>`CASE WHEN messages.team_id IS NULL
  THEN (SELECT all_read_up_to FROM users AS viewer WHERE viewer.id = ${viewerId})
  ELSE memberships.all_read_up_to END`;

/** Whether a reply was read when everything was, and its conversation not set since. */
const readWithAll = (reply: 'reply' | 'messages', viewerId: string) => sql<boolean>`
  coalesce(${sql.ref(`${reply}.id`)} <= ${allReadBy(viewerId)}
    AND (message_states.read_up_to IS NULL OR message_states.read_up_to < ${allReadBy(viewerId)}), 1 = 0)`;

/** Of a message in a team's stream: an exception says it, else the cursor of the team or of its subject. */
export const isReadInStream = sql<boolean>`coalesce(read_marks.is_read = 1,
  messages.seq <= coalesce(memberships.read_seq, 0) OR messages.seq <= coalesce(subject_cursors.read_seq, 0))`;

/**
 * Whether a viewer has read a message. Each kind has a cursor of its own; those of teams and direct ones have
 * exceptions.
 */
export const isReadBy = (viewerId: string) => sql<number | boolean>`CASE
  WHEN messages.deleted_at IS NOT NULL THEN 1 = 1
  WHEN messages.sidebar_id IS NOT NULL THEN
    messages.author_id = ${viewerId} OR messages.sidebar_seq <= coalesce(sidebar_users.read_seq, 0)
  WHEN messages.root_id IS NOT NULL THEN messages.author_id = ${viewerId}
    OR messages.reply_seq <= coalesce(message_states.replies_read, 0) OR ${readWithAll('messages', viewerId)}
  WHEN messages.team_id IS NOT NULL THEN ${isReadInStream}
  WHEN message_recipients.user_id IS NOT NULL THEN message_recipients.read_at IS NOT NULL
  ELSE coalesce(message_states.is_unread, 0) <> 1 END`;

/** The replies of others, to a message, that its viewer has not read; a select begins before it. */
export const fromUnreadReplies = (viewerId: string) => sql`FROM messages AS reply
  WHERE reply.root_id = messages.id AND reply.author_id <> ${viewerId} AND reply.deleted_at IS NULL
  AND reply.reply_seq > coalesce(message_states.replies_read, 0) AND NOT ${readWithAll('reply', viewerId)}`;

/**
 * Whether a message has a reply of somebody else that its viewer has not read. Ordered, PostgreSQL goes by the index: where
 * few messages have most of the replies, it expects to meet one soon in the whole table.
 */
export const hasUnreadReply = (viewerId: string) => sql<number | boolean>`messages.num_replies > 0
  AND (SELECT 1 ${fromUnreadReplies(viewerId)} ORDER BY reply.reply_seq LIMIT 1) IS NOT NULL`;

/** Whether the viewer has replied: the first of the authors from the viewer on is the viewer. Ordered, as above. */
export const hasReplied = (viewerId: string) => sql<number | boolean>`messages.num_replies > 0
  AND coalesce((SELECT reply.author_id FROM messages AS reply
    WHERE reply.root_id = messages.id AND reply.author_id >= ${viewerId}
    ORDER BY reply.author_id LIMIT 1) = ${viewerId}, 1 = 0)`;

/** The messages of others in a sidebar of which `sidebar_users` holds the viewer's row, that they have not read. */
export const fromUnreadInSidebar = (viewerId: string) => sql`FROM messages AS said
  WHERE said.sidebar_id = sidebar_users.sidebar_id AND said.author_id <> ${viewerId} AND said.deleted_at IS NULL
  AND said.sidebar_seq > coalesce(sidebar_users.read_seq, 0)`;

interface RepliesRead {
  /** Replies up to this id are read, unless the conversation was set with account of it. */
  readonly all_read_up_to: string | null;
  readonly read_up_to: string | null;
}

/** Whether everything was marked as read since the replies of this conversation were. */
export const countsBesides = (row: RepliesRead) =>
  row.all_read_up_to !== null && (row.read_up_to === null || row.read_up_to < row.all_read_up_to);
