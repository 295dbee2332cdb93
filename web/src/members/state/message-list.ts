import type { Message, SessionUser } from '../../api/types.ts';

/** A stretch of messages without a gap, the oldest first, and where it goes on. */
export interface MessageList {
  readonly items: readonly Message[];
  /** The cursor of what is before; null at the very beginning. */
  readonly older: string | null;
  /** The cursor of what comes after; null where it is the newest there is. */
  readonly newer: string | null;
}

/** What the server sends of a message to everybody alike: nothing that depends on who looks. */
export type CommonMessage = Partial<Message> & { readonly id: string };

/** Ids begin with their time (RFC 9562 §5.7), and lists stand in their order. */
const isBefore = (one: Message, other: Message) => one.id < other.id;

/** Puts a message where it belongs; one that is there already is replaced. */
export function putIn(list: MessageList, message: Message): MessageList {
  const { items } = list;
  let at = items.length;
  while (at > 0 && isBefore(message, items[at - 1] as Message)) at -= 1;
  const there = at > 0 && items[at - 1]?.id === message.id;
  return { ...list, items: items.toSpliced(there ? at - 1 : at, there ? 1 : 0, message) };
}

/** The same list when nothing changes in it, so that nothing is drawn anew. */
export function changeIn(list: MessageList, id: string, change: (message: Message) => Message): MessageList {
  const at = list.items.findLastIndex((message) => message.id === id);
  if (at === -1) return list;
  return { ...list, items: list.items.with(at, change(list.items[at] as Message)) };
}

/** The same for all that fit. */
export function changeAll(
  list: MessageList,
  fits: (message: Message) => boolean,
  change: (message: Message) => Message,
): MessageList {
  if (!list.items.some(fits)) return list;
  return { ...list, items: list.items.map((message) => (fits(message) ? change(message) : message)) };
}

/** Joins two stretches of which one goes on where the other ends; what both have is as in the second. */
export function join(first: readonly Message[], second: readonly Message[]): Message[] {
  const all = new Map([...first, ...second].map((message) => [message.id, message]));
  return [...all.values()].sort((one, other) => (isBefore(one, other) ? -1 : 1));
}

/**
 * @param last the last of the list when the newest were asked for: what was heard since does not close a gap
 * @returns the list up to now; only its newest part when too much has come since
 */
export function follow(list: MessageList, newest: MessageList, last: string | undefined): MessageList {
  // Meanwhile somebody went back to another part of it.
  if (list.newer !== null) return list;
  const [first] = newest.items;
  if (!first || last === undefined || first.id > last) return newest;
  return { ...list, items: join(list.items, newest.items), newer: null };
}

/** What changed for everybody; what depends on the reader stays. */
export function merge(message: Message, common: CommonMessage): Message {
  const tags = message.tags;
  return { ...message, ...common, tags };
}

/** A message that was just written, as the reader sees it: unread, unless it is their own. */
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
export const isEdited = (message: Message) => message.events.at(-1)?.type === 'edited';
/** Something in its conversation is new to the reader. */
export const isUnread = (message: Message) => !message.read || message.unread_reply || message.unread_sidebar;

/** How many messages somebody writes in a row under one name. */
const GROUP_S = 5 * 60;

/** Whether a message goes on with what its author was just saying. */
export function goesOn(message: Message, before: Message | undefined): boolean {
  return (
    before !== undefined &&
    before.author.id === message.author.id &&
    before.via_app?.id === message.via_app?.id &&
    !isDeleted(before) &&
    message.created_at - before.created_at < GROUP_S
  );
}
