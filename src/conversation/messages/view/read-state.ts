import type { MessageRow } from '#schema';

/** The facts that decide whether one viewer has read a message. */
export interface ReadState
  extends Pick<
    MessageRow,
    | 'id'
    | 'team_id'
    | 'author_id'
    | 'seq'
    | 'root_id'
    | 'reply_seq'
    | 'sidebar_id'
    | 'sidebar_seq'
    | 'deleted_at'
  > {
  /** The cursor in the team's stream, and an exception to it. */
  readonly read_seq: number | null;
  readonly marked_read: number | null;
  /** The viewer as an addressee of the conversation. */
  readonly recipient_id: string | null;
  readonly recipient_read_at: number | null;
  /** The viewer's settings for the conversation. */
  readonly is_unread: number | null;
  readonly replies_read: number | null;
  readonly read_up_to: string | null;
  /** Replies up to this id are read, unless `replies_read` was set with account of it. */
  readonly all_read_up_to: string | null;
  readonly sidebar_read_seq: number | null;
}

/** Each kind of message has a cursor of its own; those of teams and direct ones have exceptions. */
export function isRead(row: ReadState, viewerId: string): boolean {
  if (row.deleted_at !== null) return true;
  const own = row.author_id === viewerId;
  if (row.sidebar_id !== null) return own || (row.sidebar_seq ?? 0) <= (row.sidebar_read_seq ?? 0);
  if (row.root_id !== null) {
    return own || isReadWithAll(row) || (row.reply_seq ?? 0) <= (row.replies_read ?? 0);
  }
  if (row.team_id === null)
    return row.recipient_id === null ? row.is_unread !== 1 : row.recipient_read_at !== null;
  if (row.marked_read !== null) return row.marked_read === 1;
  return (row.seq ?? 0) <= (row.read_seq ?? 0);
}

const isReadWithAll = ({ id, ...row }: ReadState) =>
  row.all_read_up_to !== null && id <= row.all_read_up_to && countsBesides(row);

/** Whether everything was marked as read since the replies of this conversation were. */
export const countsBesides = (row: Pick<ReadState, 'all_read_up_to' | 'read_up_to'>) =>
  row.all_read_up_to !== null && (row.read_up_to === null || row.read_up_to < row.all_read_up_to);
