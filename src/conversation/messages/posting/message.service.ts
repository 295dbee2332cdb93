import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  asTeam,
  asUser,
  fitting,
  InvalidFields,
  listPage,
  lookUp,
  NotFound,
  type Page,
  pageOf,
  type UserPrincipal,
  type Viewer,
  viewerOf,
  type Written,
} from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, parseId } from '#platform/ids.ts';
import { numberIn, type PageWanted, pageOfIds, shorten } from '../lists/list.service.ts';
import { findCursor } from '../lists/list.store.ts';
import { readSearch, type SearchFilter } from '../search/search.filter.ts';
import { searchQueue } from '../search/search.queue.ts';
import { type SearchIndex, searchMessages } from '../search/search.service.ts';
import { type Piece, snippet } from '../search/search-words.ts';
import { findSubject } from '../subjects/subject.store.ts';
import { accessConversation, accessMessage } from '../view/message.access.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import { type MessagePresenter, presentForAll } from '../view/message.present.ts';
import type { Message, MessageTag } from '../view/message.schema.ts';
import type { MessageWriter } from '../view/message.writer.ts';
import type { PagePace } from '../view/page-pace.ts';
import { type NamedConversation, type People, readConversation } from '../view/people.ts';
import { asPosted, findTold, listReplies, packMessages } from '../view/view.store.ts';
import type { Content } from './message-input.ts';

export interface Listing {
  readonly messages: Message[] | Written<Message>;
  readonly next: string | null;
}

/** A page that goes on in both directions. */
export interface List extends Listing {
  readonly previous: string | null;
}

export interface ListFilter extends NamedConversation {
  readonly tag?: MessageTag;
  readonly subject?: string;
}

export type MessageService = ReturnType<typeof messageService>;

/** Listing and searching. */
export function messageService(deps: {
  db: Database;
  clock: Clock;
  present: MessagePresenter;
  writeMessages: MessageWriter;
  finder: MessageFinder;
  index: SearchIndex;
  pace: PagePace;
  searchTurnMs: number;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
}) {
  const { db, clock, present, writeMessages, index, pace } = deps;
  const { find } = deps.finder;
  const queued = searchQueue(deps.searchTurnMs, deps.stopping);

  /**
   * The answer to a repeated request: the message as it is now. A token that does not reach it gets no more than what
   * its application sent.
   * @throws NotFound when its author does not see it any more
   */
  async function postedBefore(tx: Tx, author: UserPrincipal, id: string, sent: Content): Promise<Message> {
    const [seen] = await find(tx, viewerOf(author, 'read'), id);
    if (seen) return seen;
    const poster = author.itself ? asTeam(author.userId, author.itself.teamId) : asUser(author.userId);
    const row = await accessMessage(tx, poster, id);
    const [message] = await present(tx, [asPosted(row, sent.text)], poster, 'new');
    return message as Message;
  }

  /** In the order in which they were written. */
  async function replies(viewer: Viewer, id: string, page: Page): Promise<Listing> {
    const reader = await db.forLists();
    const root = await accessConversation(reader, viewer, id);
    const after = numberIn(page) ?? 0;
    await pace.reading(viewer, page.limit);
    const { rows, next } = await listPage(
      page,
      (limit) => listReplies(reader, viewer, { of: root.id, after, limit, now: clock() }),
      (row) => [String(row.place)],
    );
    return { messages: await writeMessages(reader, rows, viewer), next };
  }

  async function list(viewer: Viewer, filter: ListFilter, wanted: PageWanted): Promise<List> {
    const reader = await db.forLists();
    const conversation = readConversation(viewer, filter);
    const { teamId, subjectId } = await readPlace(reader, viewer, filter, conversation);
    const listed = { viewer, teamId, subjectId, tag: filter.tag, conversation };
    const page = await pageOfIds(reader, listed, wanted);
    await pace.reading(viewer, page.ids.length);
    const found = await packMessages(reader, viewer, { ids: page.ids, now: clock() });
    const { rows, previous, next } = shorten(page, found);
    return { messages: await writeMessages(reader, rows, viewer), previous, next };
  }

  /** @throws NotFound when the viewer is not in it, or does not reach it */
  async function readTeam(
    reader: Reader,
    { userId, reach }: Viewer,
    id: string | undefined,
  ): Promise<string | undefined> {
    if (id === undefined) return undefined;
    const teamId = parseId(id);
    if (!teamId || (reach && reach.teamId !== teamId)) throw new NotFound();
    if (!(await findCursor.first(reader, { userId, teamId }))) throw new NotFound();
    return teamId;
  }

  /** @throws NotFound also for a subject of another team */
  async function readPlace(
    reader: Reader,
    viewer: Viewer,
    { team, subject }: ListFilter,
    conversation: People | undefined,
  ) {
    // The team of a conversation with an application may be left by now: what was said there stays.
    if (conversation !== undefined) return { teamId: undefined, subjectId: undefined };
    const teamId = await readTeam(reader, viewer, team);
    if (subject === undefined) return { teamId, subjectId: undefined };
    const { userId, reach } = viewer;
    const row = await lookUp(subject, (id) => findSubject.first(reader, { id, userId }));
    const isReached = reach === undefined || reach.teamId === row.team_id;
    if (!isReached || (teamId !== undefined && teamId !== row.team_id)) throw new NotFound();
    return { teamId: row.team_id, subjectId: row.id };
  }

  /**
   * Finds messages, replies and what was said in sidebars, by the beginnings of their words.
   * @throws TooManyRequests @throws Unavailable when too many searches wait
   */
  async function search(
    viewer: Viewer,
    filter: ListFilter & SearchFilter,
    page: Page,
  ): Promise<Listing & { snippets: Record<string, Piece[]> }> {
    if (viewer.reach?.asTeam) throw new InvalidFields({ field: 'q', message: 'is for people' });
    const conversation = readConversation(viewer, filter);
    const { teamId, subjectId } = await readPlace(db, viewer, filter, conversation);
    const wanted = {
      viewer,
      teamId,
      subjectId,
      tag: filter.tag,
      conversation,
      limit: page.limit,
      ...readSearch(filter),
    };
    const { reader, found, next } = await queued(viewer, async () => {
      await index.bringIn();
      const reader = await db.forLists();
      return { reader, ...(await searchMessages(reader, wanted, numberIn(page))) };
    });
    const all = found.map(({ row }) => row);
    const [, end] = fitting(all);
    const rows = all.slice(0, end);
    const place = end < all.length ? found[end - 1]?.place : next;
    await pace.writing(viewer, rows);
    const messages = await present(reader, rows, viewer);
    const snippets: Record<string, Piece[]> = {};
    for (const { id, text } of rows) {
      snippets[id] = snippet(text, wanted.terms);
      // Others come in between: each may be a long text.
      await nextTurn();
    }
    return {
      messages,
      next: place === undefined ? null : pageOf([String(place)]),
      snippets,
    };
  }

  /** A message without what depends on its viewer; only its id when the viewer does not see it any more. */
  async function getForAll(id: string, viewer: Viewer): Promise<Partial<Message> & { id: string }> {
    const [message] = await find(db, viewer, id);
    return message ? presentForAll(message) : { id };
  }

  /** The same for messages to whole teams, by their ids. Those that their teams do not see any more are left out. */
  async function listForAll(ids: readonly string[]): Promise<ReadonlyMap<string, Partial<Message>>> {
    const messages = await present(db, await findTold(db, ids), undefined);
    return new Map(messages.map((message) => [message.id, presentForAll(message)]));
  }

  return { postedBefore, replies, getForAll, listForAll, list, search };
}
