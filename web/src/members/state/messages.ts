import { replaceEqualDeep } from '@tanstack/react-query';
import { callOne } from '../../api/client.ts';
import { signal } from '../../api/signal.ts';
import type { Message, SessionUser, Sidebar } from '../../api/types.ts';
import { isDeleted, isEditableBy, type MessageList, putIn } from './message-list.ts';

type Change = (message: Message) => Message;

/** Every loaded message, once, by id; lists hold ids. One map, changed in place: a long stream has thousands. */
const messages = signal(new Map<string, Message>());

export const findMessage = (id: string | undefined) => messages.get().get(id ?? '');

/** A message of a loaded list. The component renders again when it changes, not when another message does. */
export const useMessage = (id: string) => messages.useSelected((all) => all.get(id) as Message);

/** Something that follows from messages, as whether one is unread. The component renders again when the result changes. */
export const useFromMessages = <S>(select: () => S) => messages.useSelected(select);

/** The first message that the reader has not read. */
export const firstUnread = ({ ids }: MessageList, reader: SessionUser) =>
  ids.find((id) => {
    const message = findMessage(id);
    return message?.read === false && message.author.id !== reader.id;
  });

/** The last message that the reader may edit. */
export const lastOwn = (list: MessageList | undefined, reader: SessionUser) =>
  list?.ids.findLast((id) => {
    const message = findMessage(id);
    return message !== undefined && isEditableBy(message, reader.id);
  });

/** Whether something can be added to a message's conversation: not after the message that opened it was deleted. */
export function isAnswerable({ id, reply_to = id, sidebar }: Message): boolean {
  const root = findMessage(reply_to);
  return sidebar === undefined && !(root && isDeleted(root));
}

/** The changes and new messages that arrived after a request was sent. */
interface Heard {
  readonly changes: Map<string, Change[]>;
  /** Of every message. */
  readonly everywhere: Change[];
  readonly added: Message[];
}

const underWay = new Set<Heard>();

/**
 * Applies a live event, or a change of one's own, to the messages with these ids.
 * @param change is idempotent: it is repeated on answers under way, which may be older or newer than it
 */
export function changeMessages(ids: readonly string[], change: Change): void {
  for (const { changes } of underWay) {
    for (const id of ids) changes.set(id, [...(changes.get(id) ?? []), change]);
  }
  changeLoaded(ids, change);
}

export const changeMessage = (id: string, change: Change) => changeMessages([id], change);

export const findWhere = (fits: (message: Message) => boolean) => [...messages.get().values()].filter(fits);

export function changeWhere(fits: (message: Message) => boolean, change: Change): void {
  changeMessages(
    findWhere(fits).map(({ id }) => id),
    change,
  );
}

/**
 * The same for what all messages show, as the name of their author: to those in answers under way, too, whose ids are not
 * known yet.
 */
export function changeEvery(fits: (message: Message) => boolean, change: Change): void {
  const fitting: Change = (message) => (fits(message) ? change(message) : message);
  for (const { everywhere } of underWay) everywhere.push(fitting);
  changeLoaded(
    findWhere(fits).map(({ id }) => id),
    change,
  );
}

function changeLoaded(ids: readonly string[], change: Change): void {
  const all = messages.get();
  for (const id of ids) {
    const message = all.get(id);
    // An equal message stays the same object, so nothing renders again.
    if (message) all.set(id, replaceEqualDeep(message, change(message)));
  }
  messages.set(all);
}

/** The server's answer, for this reader. */
export const replaceMessage = (message: Message) =>
  changeMessage(message.id, (known) => latest(known, message));

/**
 * Asks the server for a message as the reader sees it now, where it is loaded or may be in an answer under way; one that
 * cannot be had stays as it is.
 */
export async function readAgain(id: string): Promise<void> {
  if (!messages.get().has(id) && underWay.size === 0) return;
  await callOne<Message>(`/v1/messages/${id}`).then(replaceMessage, () => undefined);
}

/** An older version does not overwrite a newer one. */
const latest = (known: Message | undefined, given: Message): Message =>
  known && known.updated_at > given.updated_at ? known : replaceEqualDeep(known, given);

/** The sidebars beside a message. */
export const withSidebars =
  (change: (sidebars: Sidebar[]) => Sidebar[]): Change =>
  (message) => {
    const sidebars = change(message.sidebars);
    return { ...message, sidebars, unread_sidebar: sidebars.some(({ unread }) => unread > 0) };
  };

/** Messages as the server answers them, oldest first. */
export interface Page extends Omit<MessageList, 'ids'> {
  readonly messages: readonly Message[];
}

/**
 * Stores the messages of an answer. Changes since its request are applied to it, and new messages are added to it.
 * @param takes whether a new message belongs to the list
 */
export async function receive(
  read: Promise<Page>,
  takes: (message: Message) => boolean,
): Promise<MessageList> {
  const heard: Heard = { changes: new Map(), everywhere: [], added: [] };
  underWay.add(heard);
  try {
    const { messages: answered, older, newer } = await read;
    const ids = answered.map(({ id }) => id);
    // A list that does not reach the end gets them when it does.
    const added = newer === null ? heard.added.filter((it) => takes(it) && !ids.includes(it.id)) : [];
    const changed = [...answered, ...added].map((message) =>
      [...(heard.changes.get(message.id) ?? []), ...heard.everywhere].reduce(
        (now, change) => change(now),
        message,
      ),
    );
    keep(changed);
    return added.reduce((list, { id }) => putIn(list, id), { ids, older, newer } as MessageList);
  } finally {
    underWay.delete(heard);
  }
}

/** Stores messages of loaded lists. */
export function keep(given: readonly Message[]): void {
  const all = messages.get();
  for (const message of given) all.set(message.id, latest(all.get(message.id), message));
  messages.set(all);
}

/** Answers under way may lack a new message. */
export function noteAdded(message: Message): void {
  for (const { added } of underWay) added.push(message);
}

/** Drops the messages that no list holds any more. */
export function dropExcept(ids: ReadonlySet<string>): void {
  const all = messages.get();
  for (const id of all.keys()) if (!ids.has(id)) all.delete(id);
}
