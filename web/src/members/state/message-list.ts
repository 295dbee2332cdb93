import type { Message, SessionUser } from '../../api/types.ts';

/** A range of messages without a gap, oldest first, and the cursors to continue at. */
export interface MessageList {
  /** Ids begin with a time stamp (RFC 9562 §5.7), so their order is that of the messages. */
  readonly ids: readonly string[];
  /** The cursor for older messages; null at the beginning. */
  readonly older: string | null;
  /** The cursor for newer messages; null at the end. */
  readonly newer: string | null;
}

/** Inserts a message in order. Returns the same list if it has the message, so that nothing renders again. */
export function putIn(list: MessageList, id: string): MessageList {
  const at = list.ids.findLastIndex((other) => other <= id);
  return list.ids[at] === id ? list : { ...list, ids: list.ids.toSpliced(at + 1, 0, id) };
}

/** Joins two ranges that are adjacent or overlap. */
export const join = (first: readonly string[], second: readonly string[]): string[] =>
  [...new Set([...first, ...second])].sort();

/**
 * @param last the list's last message at the time of the request: later events do not close a gap
 * @returns the list up to now; only its newest part when the gap is too large
 */
export function follow(list: MessageList, newest: MessageList, last: string | undefined): MessageList {
  // Meanwhile the list shows another part.
  if (list.newer !== null) return list;
  const [first] = newest.ids;
  if (first === undefined || last === undefined || first > last) return newest;
  return { ...list, ids: join(list.ids, newest.ids), newer: null };
}

/** The part of a message that is the same for all readers, as events carry it. */
export type CommonMessage = Partial<Message> & { readonly id: string };

/** Merges the common part of a message; what depends on the reader stays. */
export function merge(message: Message, common: CommonMessage): Message {
  // Without previews, reactions, a pin and a subject it has no such fields.
  const { tags, unfurls, reactions: known, pinned, subject_id, ...rest } = message;
  const reactions = withOwn(common.reactions, known);
  return { ...rest, ...common, tags, ...(reactions && { reactions }) };
}

/** The counts as all readers see them, with what the reader gave as far as it is known. */
const withOwn = (counts: Message['reactions'], known: Message['reactions'] = []) =>
  counts?.map((one) => ({
    ...one,
    mine: one.mine ?? known.some(({ emoji, mine }) => emoji === one.emoji && mine === true),
  }));

/** A new message as the reader sees it: unread, unless it is their own. */
export function asNew(
  common: CommonMessage & Partial<Message>,
  me: SessionUser,
  teamMuted: boolean,
): Message {
  const message = common as Message;
  const own = message.author.id === me.id;
  const noteToSelf = own && message.addressed_users.includes(me.id) && message.reply_to === undefined;
  const direct = message.addressed_teams.length === 0;
  const received = !own || noteToSelf;
  return {
    ...message,
    tags: [
      ...(own ? ['_sent'] : []),
      ...(received ? ['_inbox', direct ? '_direct' : '_other'] : []),
      ...(own ? [] : ['_unread']),
    ],
    sidebars: [],
    read: own,
    muted: false,
    is_muted: teamMuted,
    subscribed_to: !teamMuted && (own || direct),
    unread_sidebar: false,
    unread_reply: false,
    user_high_fived: false,
    user_replied: false,
    user_replied_to_sidebar: false,
    unread_since: own ? null : message.created_at,
  };
}

export const isDeleted = (message: { events?: Message['events'] | undefined }) =>
  message.events?.at(-1)?.type === 'deleted';
/** An application changes its blocks itself. */
export const isEditableBy = (message: Message, user: string) =>
  message.author.id === user && !isDeleted(message) && message.blocks === undefined;
export const isEdited = (message: Message) => message.events.at(-1)?.type === 'edited';
/** Whether its conversation has unread messages. */
export const isUnread = (message: Message) => !message.read || message.unread_reply || message.unread_sidebar;

/** The time after which a message of the same author gets a header of its own. */
const GROUP_S = 5 * 60;

/** The part of a message that decides how it stands below another one. */
export type Neighbour = Pick<Message, 'created_at' | 'subject_id'> & {
  readonly author: Pick<Message['author'], 'id'>;
  readonly via_app: { readonly id: string } | null;
  readonly events?: Message['events'];
};

/** Whether a message continues the previous one of its author. */
export function goesOn(message: Neighbour, before: Neighbour | undefined): boolean {
  return (
    before !== undefined &&
    before.author.id === message.author.id &&
    before.via_app?.id === message.via_app?.id &&
    !isDeleted(before) &&
    message.created_at - before.created_at < GROUP_S
  );
}
