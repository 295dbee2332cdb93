import { InvalidFields, listPage, onlookerOf, type Page, type Viewer } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, HIGHEST_ID, parseId } from '#platform/ids.ts';
import { findSummaries, type UserPresenter } from '../../../people/users/index.ts';
import type { MessageListener } from '../view/message.listener.ts';
import type { MessagePresenter, Presenters } from '../view/message.present.ts';
import { type NamedConversation, type People, readConversation } from '../view/people.ts';
import { findMessages, type MessageView, postersOf } from '../view/view.store.ts';
import type { DirectApplications } from './application.service.ts';
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
  direct: DirectApplications;
  icon: Presenters['icon'];
  /** The conversations in which a user has an unread reply. */
  listAnswered: (reader: Reader, asked: { userId: string }) => Promise<readonly { counted_id: string }[]>;
}) {
  const { db, present, users, clock, publish, direct, icon, listAnswered } = deps;

  /** The newest first. @param named only this one */
  async function list(viewer: Viewer, named: NamedConversation, page: Page) {
    const reader = await db.forLists();
    const only = readConversation(viewer, named);
    if (only !== undefined) return { conversations: await find(reader, viewer, only), next: null };
    const before = parseId(page.after?.[0]) ?? HIGHEST_ID;
    const { rows, next } = await listPage(
      page,
      (limit) => listConversations.all(reader, { userId: viewer.userId, before, limit }),
      (row) => [row.newest_id],
    );
    return { conversations: await describe(reader, viewer, rows), next };
  }

  /** @returns a list of one, or an empty list */
  async function find(reader: Reader, viewer: Viewer, { id }: People): Promise<DirectConversation[]> {
    return describe(reader, viewer, await findConversation.all(reader, { userId: viewer.userId, id }));
  }

  /** Marks its messages as read up to one of them. */
  async function markRead(
    tx: Tx,
    viewer: Viewer,
    named: NamedConversation,
    upTo: string,
  ): Promise<DirectConversation[]> {
    const { userId } = viewer;
    const only = readConversation(viewer, named);
    if (!only) throw new InvalidFields({ field: 'with', message: 'is required, or application and team' });
    const { id } = only;
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
    return find(tx, viewer, only);
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
      (await findSummaries(reader, onlookerOf(viewer), all.ids)).map((row) => [row.id, users.summary(row)]),
    );
    const reachable = new Set((await listReachable.all(reader, { userId, ...all })).map(({ id }) => id));
    const unread = await countUnread.all(reader, { userId, ids });
    const counts = new Map(unread.map((row) => [row.conversation_id, Number(row.unread_count)]));
    const answered = new Set((await listAnswered(reader, { userId })).map(({ counted_id }) => counted_id));
    const newest = found.map(({ newest_id }) => newest_id);
    const rows = await findMessages(reader, viewer, newest);
    const messages = await present(reader, rows, viewer);
    const applications = await describeApplications(reader, userId, rows);
    const lasts = new Map(messages.map((message) => [message.id, message]));
    const byConversation = Map.groupBy(people, ({ conversation_id }) => conversation_id);
    return found.map(({ id, newest_id }) => {
      const inIt = (byConversation.get(id) ?? []).map(({ user_id }) => user_id);
      const others = inIt.filter((one) => one !== userId);
      const last = lasts.get(newest_id);
      const shown = others.length === 0 ? inIt : others;
      const application = applications.get(newest_id);
      const isUnreachable = (one: string) =>
        application ? application.obstacle !== undefined : !reachable.has(one);
      return {
        id,
        users: shown.flatMap((one) => summaries.get(one) ?? []),
        unreachable: shown.filter(isUnreachable),
        unread: counts.get(id) ?? 0,
        unread_reply: answered.has(id),
        newest_id,
        ...(application && { application }),
        ...(last && { last }),
      };
    });
  }

  /** The applications of conversations, by the newest messages of these. */
  async function describeApplications(reader: Reader, userId: string, rows: readonly MessageView[]) {
    const found = rows.flatMap(({ id, direct_team_id: teamId, direct_application_id: applicationId }) =>
      teamId === null || applicationId === null ? [] : [{ id, teamId, applicationId }],
    );
    const posters = await postersOf(
      reader,
      found.map(({ applicationId }) => applicationId),
    );
    const described = found.map(async ({ id, teamId, applicationId }) => {
      const obstacle = await direct.findObstacle(reader, { userId, teamId, applicationId });
      const { application_name: name, application_icon } = posters.get(applicationId) ?? {};
      const application = {
        id: applicationId,
        name: name ?? '',
        icon: icon({ id: applicationId, icon: application_icon ?? '' }),
        team: teamId,
        ...(obstacle !== undefined && { obstacle }),
      };
      return [id, application] as const;
    });
    return new Map(await Promise.all(described));
  }

  return { list, markRead };
}
