import { InvalidFields, listPage, type Page, type Viewer } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, HIGHEST_ID, parseId } from '#platform/ids.ts';
import { findSummaries, type UserPresenter } from '../../../people/users/index.ts';
import type { MessageListener } from '../view/message.listener.ts';
import type { MessagePresenter } from '../view/message.present.ts';
import { readWith } from '../view/people.ts';
import { findMessages } from '../view/view.store.ts';
import type { DirectConversation } from './conversation.schema.ts';
import {
  countUnread,
  findConversation,
  findSaid,
  listConversations,
  listPeopleOf,
  listReachable,
  readOwnUpTo,
  readUpTo,
} from './conversation.store.ts';

interface Found {
  readonly id: string;
  readonly newest_id: string;
}

export type ConversationService = ReturnType<typeof conversationService>;

/** Direct messages by the people who write them to each other. */
export function conversationService(deps: {
  db: Database;
  present: MessagePresenter;
  users: UserPresenter;
  clock: Clock;
  publish: MessageListener;
  /** The conversations in which a user has an unread reply. */
  listAnswered: (reader: Reader, asked: { userId: string }) => Promise<readonly { counted_id: string }[]>;
}) {
  const { db, present, users, clock, publish, listAnswered } = deps;

  /** The newest first. @param people only the conversation with these */
  async function list(viewer: Viewer, people: string | undefined, page: Page) {
    const reader = await db.forLists();
    if (people !== undefined) return { conversations: await find(reader, viewer, people), next: null };
    const before = parseId(page.after?.[0]) ?? HIGHEST_ID;
    const { rows, next } = await listPage(
      page,
      (limit) => listConversations.all(reader, { userId: viewer.userId, before, limit }),
      (row) => [row.newest_id],
    );
    return { conversations: await describe(reader, viewer, rows), next };
  }

  /** @returns a list of one, or an empty list */
  async function find(reader: Reader, viewer: Viewer, people: string): Promise<DirectConversation[]> {
    const { id } = readWith(people, viewer.userId);
    return describe(reader, viewer, await findConversation.all(reader, { userId: viewer.userId, id }));
  }

  /** Marks its messages as read up to one of them. */
  async function markRead(
    tx: Tx,
    viewer: Viewer,
    people: string,
    upTo: string,
  ): Promise<DirectConversation[]> {
    const { userId } = viewer;
    const { id } = readWith(people, userId);
    const known = parseId(upTo);
    const last = known && (await findSaid.first(tx, { id, messageId: known }))?.id;
    if (!last) {
      throw new InvalidFields({ field: 'up_to', message: 'must be the id of a message of the conversation' });
    }
    const upToLast = { userId, id, upTo: last };
    const read = [
      ...(await readUpTo.all(tx, { ...upToLast, now: clock() })),
      ...(await readOwnUpTo.all(tx, upToLast)),
    ];
    for (const { message_id } of read) {
      const message = { id: message_id, root_id: null, sidebar_id: null, team_id: null };
      await publish(tx, { kind: 'state', userId, messageId: message_id, marked: { as: 'read', message } });
    }
    return find(tx, viewer, people);
  }

  async function describe(
    reader: Reader,
    viewer: Viewer,
    found: readonly Found[],
  ): Promise<DirectConversation[]> {
    if (found.length === 0) return [];
    const { userId } = viewer;
    const ids = found.map(({ id }) => id);
    const people = await listPeopleOf.all(reader, { ids });
    const all = { ids: [...new Set(people.map(({ user_id }) => user_id))] };
    const summaries = new Map(
      (await findSummaries.all(reader, all)).map((row) => [row.id, users.summary(row)]),
    );
    const reachable = new Set((await listReachable.all(reader, { userId, ...all })).map(({ id }) => id));
    const unread = await countUnread.all(reader, { userId, ids });
    const counts = new Map(unread.map((row) => [row.conversation_id, Number(row.unread_count)]));
    const answered = new Set((await listAnswered(reader, { userId })).map(({ counted_id }) => counted_id));
    const newest = found.map(({ newest_id }) => newest_id);
    const messages = await present(reader, await findMessages(reader, viewer, newest), viewer);
    const lasts = new Map(messages.map((message) => [message.id, message]));
    const byConversation = Map.groupBy(people, ({ conversation_id }) => conversation_id);
    return found.map(({ id, newest_id }) => {
      const inIt = (byConversation.get(id) ?? []).map(({ user_id }) => user_id);
      const others = inIt.filter((one) => one !== userId);
      const last = lasts.get(newest_id);
      const shown = others.length === 0 ? inIt : others;
      return {
        id,
        users: shown.flatMap((one) => summaries.get(one) ?? []),
        unreachable: shown.filter((one) => !reachable.has(one)),
        unread: counts.get(id) ?? 0,
        unread_reply: answered.has(id),
        newest_id,
        ...(last && { last }),
      };
    });
  }

  return { list, markRead };
}
