import type { Database, Reader, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type Rest, startRounds } from '#platform/jobs/index.ts';
import { pause } from '#platform/pause.ts';
import type { MessageRow } from '#schema';
import { listCursors } from '../../../teams/index.ts';
import { type MessageFilter, onlyTeam, reachesDirect } from '../lists/list.store.ts';
import { SKEW_MS } from '../lists/streams.store.ts';
import { conversationOf } from '../view/conversation-id.ts';
import { tagsOf } from '../view/message.present.ts';
import type { People } from '../view/people.ts';
import { findMessages, type MessageView } from '../view/view.store.ts';
import { indexMessages, namesIn } from './indexing.ts';
import { reindexing } from './reindexing.service.ts';
import type { SearchWanted } from './search.filter.ts';
import {
  authorMark,
  containedMark,
  dequeue,
  enqueue,
  enqueueConversation,
  enqueueNew,
  findLastWaiting,
  findPlaces,
  firstPlaceSince,
  isWaiting,
  lastPlace,
  lastPlaceUntil,
  lockWaiting,
  type Places,
  removeFromIndex,
  removeFromQueue,
  removeWords,
  type Sought,
  subjectMark,
  teamMark,
  userMark,
} from './search.store.ts';

const PLACES_AT_ONCE = 200;
/** From so many teams on, which have more than one message in so many of all, a search is a wide one. */
const MANY_TEAMS = 16;
const LARGE_PART = 8;
/** After so many that the caller may not see, or that lack the tag, a page is given as it is, with its cursor. */
const MOST_ROUNDS = 25;
/** A longer time makes the next search slower, a shorter one the writing. */
export const INDEX_EVERY_MS = 100;
/** Few enough that no request waits for it noticeably: messages, and the characters of all of them. */
const INDEXED_AT_ONCE = 250;
const CHARACTERS_AT_ONCE = 250_000;
/** How long a search waits for the index, and how often it looks where others have locked what waits. */
export const SEARCH_PATIENCE_MS = 300;
const LOOK_AGAIN_MS = 10;

export interface Found {
  readonly row: MessageView;
  readonly place: number;
}

interface OfMessage {
  readonly message: Pick<MessageRow, 'id'>;
}

export type SearchIndex = ReturnType<typeof searchIndex>;

/**
 * Keeps the full-text index. A message waits in a queue, which its own transaction puts it into, and is indexed a
 * moment later together with others: SQLite's index writes all it has gathered at each savepoint, and each writer has
 * one of their own. A search first waits for the messages that wait then, so that it finds what its caller has just read.
 */
export function searchIndex(deps: {
  db: Database;
  clock: Clock;
  patienceMs: number;
  /** Aborted when the server stops: searches then find what is indexed. */
  stopping: AbortSignal;
  intervalMs: number;
  rest: Rest;
  onError: (error: unknown) => void;
}) {
  const { db, clock, patienceMs, stopping, onError } = deps;
  const renames = reindexing(deps);

  /** The rows of all messages that are posted together are inserted together. */
  async function onPosted(tx: Tx, { message }: OfMessage): Promise<void> {
    tx.gather(enqueueNew, { message_id: message.id, queued_at: clock() });
  }

  /** The earlier words are removed at once; the present ones wait as those of a new message do. */
  async function onEdited(tx: Tx, { message }: OfMessage): Promise<void> {
    await removeWords(tx, message.id);
    await enqueue.run(tx, { messageId: message.id, now: clock() });
  }

  async function onMoved(tx: Tx, { message }: OfMessage): Promise<void> {
    await enqueueConversation.run(tx, { rootId: message.id, now: clock() });
  }

  async function onDeleted(tx: Tx, { message }: OfMessage): Promise<void> {
    await removeFromQueue.run(tx, { messageId: message.id });
    await removeFromIndex(tx, message.id);
  }

  /**
   * Waits until what is in the queue now is indexed, but not for long: others may have locked it, another node that has may
   * be frozen, and there may be very much of it. A search finds what is indexed by then.
   */
  async function bringIn(): Promise<void> {
    if (stopping.aborted) return;
    const last = await findLastWaiting.first(db, {});
    if (!last) return;
    const before = numBegun;
    const until = performance.now() + patienceMs;
    for (let left = patienceMs; left > 0 && !stopping.aborted; left = until - performance.now()) {
      rounds.wake();
      const round = await Promise.race([nextRound.promise, pause(left, stopping)]);
      if (!round) return;
      // On SQLite there is nobody else, and numbers begin again where the queue was empty.
      if (db.dialect === 'sqlite' && round.number > before && !round.hasMore) return;
      if (!(await isWaiting.first(db, { upTo: last.number }))) return;
      if (round.count === 0) await pause(LOOK_AGAIN_MS, stopping);
    }
  }

  async function round(): Promise<boolean> {
    const number = ++numBegun;
    let done = NOTHING;
    try {
      if (await findLastWaiting.first(db, {})) done = await db.write(indexSome);
      return done.hasMore;
    } finally {
      nextRound.resolve({ ...done, number });
      nextRound = Promise.withResolvers();
    }
  }

  let numBegun = 0;
  let nextRound = Promise.withResolvers<Round & { readonly number: number }>();
  const rounds = startRounds({ work: round, intervalMs: INDEX_EVERY_MS, onError });

  return {
    onPosted,
    onEdited,
    onMoved,
    onDeleted,
    onObjectRename: renames.onRenamed,
    bringIn,
    stop: () => Promise.all([rounds.stop(), renames.stop()]),
  };
}

/** The result of one round of indexing. */
interface Round {
  /** How many messages it locked. */
  readonly count: number;
  readonly hasMore: boolean;
}

async function indexSome(tx: Tx): Promise<Round> {
  const waiting = await lockWaiting.all(tx, { limit: INDEXED_AT_ONCE });
  const rows = fewWords(waiting);
  if (rows.length === 0) return NOTHING;
  // Before the queue: a change of an object locks the object, and then puts messages into the queue.
  const names = await namesIn(tx, rows);
  const taken = await dequeue.all(tx, { ids: rows.map(({ id }) => id) });
  const waited = new Set(taken.map(({ message_id }) => message_id));
  await indexMessages(
    tx,
    rows.filter(({ id }) => waited.has(id)),
    names,
  );
  return { count: rows.length, hasMore: rows.length < waiting.length || waiting.length === INDEXED_AT_ONCE };
}

const NOTHING: Round = { count: 0, hasMore: false };

/** The first of some messages, and as many more as have no more characters than are indexed at once. */
function fewWords(rows: readonly MessageRow[]): readonly MessageRow[] {
  let characters = 0;
  const end = rows.findIndex(({ text }, at) => {
    characters += text.length;
    return at > 0 && characters > CHARACTERS_AT_ONCE;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

type Search = MessageFilter & SearchWanted & { readonly limit: number };

/**
 * @param before the place where the page begins
 * @returns up to `limit` messages, the newest first, and the place after which the next page begins
 */
export async function searchMessages(
  db: Reader,
  search: Search,
  before: number | undefined,
): Promise<{ found: Found[]; next: number | undefined }> {
  const { terms } = search;
  const [scopes, bounds] = await Promise.all([searchScopes(db, search), placesOf(db, search)]);
  const found: Found[] = [];
  if (scopes.anyOf.length === 0 || !bounds) return { found, next: undefined };
  const sought = { ...scopes, allOf: marksOf(search), terms };
  let last = Math.min(before ?? bounds.before, bounds.before);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // Most often the first ones are enough; where few of them may be seen, more are asked for at once.
    const limit = round === 0 ? search.limit + 1 : PLACES_AT_ONCE;
    const places = await findPlaces(db, sought, { after: bounds.after, before: last }, limit);
    const placeOf = new Map(places.map(({ message_id, place }) => [message_id, place]));
    for (const row of await findMessages(db, search.viewer, [...placeOf.keys()])) {
      if (!fits(row, search)) continue;
      if (found.length === search.limit) return { found, next: found.at(-1)?.place };
      found.push({ row, place: placeOf.get(row.id) as number });
    }
    last = places.at(-1)?.place ?? last;
    if (places.length < limit) return { found, next: undefined };
  }
  return { found, next: last };
}

async function searchScopes(db: Reader, filter: MessageFilter): Promise<Pick<Sought, 'anyOf' | 'isWide'>> {
  const { userId } = filter.viewer;
  const teamId = onlyTeam(filter);
  // A sidebar beside a team's message is in the scope of its users.
  const own = reachesDirect(filter.viewer) ? [userMark(userId)] : [];
  if (filter.conversation) return { anyOf: own, isWide: false };
  if (teamId !== undefined)
    return { anyOf: teamId === null ? own : [...own, teamMark(teamId)], isWide: false };
  const teams = await listCursors.all(db, { userId });
  const anyOf = [...own, ...teams.map(({ team_id }) => teamMark(team_id))];
  if (teams.length < MANY_TEAMS) return { anyOf, isWide: false };
  const all = (await lastPlace.first(db, {}))?.place ?? 0;
  const posted = teams.reduce((sum, { message_seq }) => sum + message_seq, 0);
  return { anyOf, isWide: posted * LARGE_PART > all };
}

const marksOf = ({ authorId, has, conversation, subjectId }: Search) => [
  ...(subjectId === undefined ? [] : [subjectMark(subjectId)]),
  ...(conversation?.people ?? []).map(userMark),
  ...(authorId === undefined ? [] : [authorMark(authorId)]),
  ...(has === undefined ? [] : [containedMark(has)]),
];

/**
 * Places are in the order of writing, but for what the clocks of two nodes differ: a little more than was asked for.
 */
async function placesOf(db: Reader, { since, until }: SearchWanted): Promise<Places | undefined> {
  const [first, last] = await Promise.all([
    since === undefined ? undefined : firstPlaceSince.first(db, { time: since - SKEW_MS }),
    until === undefined ? undefined : lastPlaceUntil.first(db, { time: until + SKEW_MS }),
  ]);
  if ((since !== undefined && !first) || (until !== undefined && !last)) return undefined;
  return { after: (first?.place ?? 0) - 1, before: last ? last.place + 1 : Number.MAX_SAFE_INTEGER };
}

/** A reply has the addressees of the message that it answers. */
const isOf = (row: MessageView, { id, application }: People) =>
  row.team_id === null &&
  row.sidebar_id === null &&
  row.direct_application_id === (application?.applicationId ?? null) &&
  row.direct_team_id === (application?.teamId ?? null) &&
  (application !== undefined || isAmong(row, id));

const isAmong = (row: MessageView, id: string) =>
  conversationOf([row.root_author_id, ...(JSON.parse(row.addressed_users_json) as string[])]) === id;

function fits(row: MessageView, search: Search): boolean {
  const { teamId, subjectId, tag, conversation, authorId, since, until } = search;
  return (
    (conversation === undefined || isOf(row, conversation)) &&
    (teamId === undefined || row.team_id === teamId) &&
    (subjectId === undefined || row.shown_subject_id === subjectId) &&
    (tag === undefined || tagsOf(row).includes(tag)) &&
    (authorId === undefined || row.author_id === authorId) &&
    (since === undefined || row.created_at >= since) &&
    (until === undefined || row.created_at < until)
  );
}
