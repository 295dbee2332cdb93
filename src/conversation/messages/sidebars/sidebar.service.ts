import {
  asUser,
  Conflict,
  listPage,
  lookUp,
  NotFound,
  type Page,
  timestamp,
  UnreachableAddressee,
  type UserPrincipal,
  type Viewer,
  viewerOf,
  type Written,
} from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import type { SidebarRow } from '#schema';
import { numberIn } from '../lists/list.service.ts';
import type { Content } from '../posting/message-input.ts';
import type { Draft, Posting } from '../posting/posting.ts';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';
import { presentSidebar } from '../view/message.present.ts';
import type { Message, Sidebar } from '../view/message.schema.ts';
import type { MessageWriter } from '../view/message.writer.ts';
import type { PagePace } from '../view/page-pace.ts';
import { findSidebarOf, findViewers, listSidebars, listSidebarUsers } from '../view/sidebar.store.ts';
import { findMessages, listSidebarMessages, lockMessage, type SeenMessage } from '../view/view.store.ts';
import { countBegun, insertSidebar, insertSidebarUser, takeSidebarSequence } from './sidebar.store.ts';

/** By one person beside one message. Each is read with the message by all whom its beginner named. */
export const MOST_BEGUN = 50;

export type SidebarService = ReturnType<typeof sidebarService>;

/** Private conversations beside a message. Only their users learn that they exist. */
export function sidebarService(deps: {
  db: Database;
  clock: Clock;
  writeMessages: MessageWriter;
  posting: Posting;
  pace: PagePace;
}) {
  const { db, clock, writeMessages, posting, pace } = deps;

  /** @throws UnreachableAddressee when one of the users does not see the message @throws Conflict for one too many */
  async function open(
    tx: Tx,
    author: UserPrincipal,
    id: string,
    { content, users: given }: { content: Content; users: readonly string[] },
  ): Promise<Sidebar> {
    const viewer = viewerOf(author, 'write');
    const message = await accessMessage(tx, viewer, id);
    refuseDeleted(message);
    if (message.sidebar_id !== null) throw new Conflict('sidebar', 'The message is in a sidebar itself');
    const users = await readUsers(tx, author.userId, message, given);
    const draft = await posting.draft(tx, author, content);
    // The lock makes sidebars that begin at once count each other.
    await lockMessage.first(tx, { id: message.id });
    const begun = await countBegun.first(tx, { messageId: message.id, userId: author.userId });
    if (Number(begun?.sidebars) >= MOST_BEGUN)
      throw new Conflict(
        'too_many_sidebars',
        `One person begins at most ${MOST_BEGUN} sidebars beside a message`,
      );
    const sidebar: SidebarRow = {
      id: newId(),
      message_id: message.id,
      team_id: message.team_id,
      created_by: author.userId,
      message_seq: 0,
      created_at: clock(),
    };
    await insertSidebar.run(tx, sidebar);
    for (const userId of users) await insertSidebarUser.run(tx, { sidebarId: sidebar.id, userId });
    await posting.publish(tx, { kind: 'sidebar', sidebarId: sidebar.id, sidebarUsers: users });
    await write(tx, sidebar, draft);
    const views = await listSidebars(tx, viewer, [message.id]);
    return presentSidebar(views.find((view) => view.id === sidebar.id) ?? mustBeThere());
  }

  async function readUsers(
    tx: Tx,
    authorId: string,
    message: SeenMessage,
    given: readonly string[],
  ): Promise<string[]> {
    const ids = given.map((text) => {
      const known = parseId(text);
      if (!known) throw new UnreachableAddressee(text.slice(0, 100));
      return known;
    });
    const viewers = await findViewers.all(tx, {
      messageId: message.root_id ?? message.id,
      teamId: message.team_id,
      authorId: message.root_author_id,
      userIds: ids,
    });
    const seeing = new Set(viewers.map(({ id }) => id));
    const blind = ids.find((id) => !seeing.has(id));
    if (blind !== undefined) throw new UnreachableAddressee(blind);
    return [...new Set([authorId, ...ids])].sort();
  }

  async function post(tx: Tx, author: UserPrincipal, id: string, content: Content): Promise<string> {
    const sidebar = await access(tx, viewerOf(author, 'write'), id);
    return write(tx, sidebar, await posting.draft(tx, author, content));
  }

  async function write(tx: Tx, sidebar: SidebarRow, draft: Draft): Promise<string> {
    const place = await takeSidebarSequence.first(tx, { id: sidebar.id });
    const users = await listSidebarUsers.all(tx, { sidebarId: sidebar.id });
    const userIds = users.map(({ user_id }) => user_id);
    const row = await posting.store(tx, draft, {
      team_id: sidebar.team_id,
      sidebar_id: sidebar.id,
      sidebar_seq: place?.message_seq ?? mustBeThere(),
      addressees: userIds,
    });
    await posting.announce(tx, row, draft);
    return row.id;
  }

  /** A sidebar that the viewer is in, beside a message that they still see. @throws NotFound */
  async function access(reader: Reader, viewer: Viewer, id: string): Promise<SidebarRow> {
    const sidebar = await lookUp(id, (known) => findSidebarOf(reader, viewer, known));
    await accessMessage(reader, viewer, sidebar.message_id);
    return sidebar;
  }

  async function list(viewer: Viewer, messageId: string): Promise<Sidebar[]> {
    const message = await accessMessage(db, viewer, messageId);
    return (await listSidebars(db, viewer, [message.id])).map(presentSidebar);
  }

  async function get(reader: Reader, viewer: Viewer, id: string): Promise<Sidebar> {
    const sidebar = await access(reader, viewer, id);
    const all = await listSidebars(reader, viewer, [sidebar.message_id]);
    const view = all.find((one) => one.id === sidebar.id);
    if (!view) throw new NotFound();
    return presentSidebar(view);
  }

  /** In the order in which they were written. */
  async function messages(
    viewer: Viewer,
    id: string,
    page: Page,
  ): Promise<{ messages: Written<Message>; next: string | null }> {
    const reader = await db.forLists();
    const sidebar = await access(reader, viewer, id);
    const after = numberIn(page) ?? 0;
    await pace.reading(viewer, page.limit);
    const { rows, next } = await listPage(
      page,
      (limit) => listSidebarMessages(reader, viewer, { of: sidebar.id, after, limit, now: clock() }),
      (row) => [String(row.place)],
    );
    return { messages: await writeMessages(reader, rows, viewer), next };
  }

  /**
   * A sidebar as all its users see it alike; undefined when it is gone, and for a user who does not see it any more.
   */
  async function getForAll(id: string, userId: string): Promise<Omit<Sidebar, 'unread'> | undefined> {
    const viewer = asUser(userId);
    const sidebar = await findSidebarOf(db, viewer, id);
    if (!sidebar || (await findMessages(db, viewer, [sidebar.message_id])).length === 0) return undefined;
    const users = await listSidebarUsers.all(db, { sidebarId: id });
    return {
      id,
      message: sidebar.message_id,
      users: users.map(({ user_id }) => user_id),
      num_messages: sidebar.message_seq,
      created_at: timestamp(sidebar.created_at),
    };
  }

  return { open, post, list, get, access, messages, getForAll };
}

function mustBeThere(): never {
  throw new Error('a sidebar is gone in the transaction that made it');
}
