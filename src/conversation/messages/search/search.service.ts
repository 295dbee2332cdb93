import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Reader, type Tx, together } from '#platform/db/index.ts';
import { startRounds } from '#platform/jobs/index.ts';
import type { MessageRow } from '#schema';
import { heldNames, nameIn } from '../../../integration/objects/index.ts';
import { listCursors } from '../../../teams/index.ts';
import { type MessageFilter, onlyTeam, reachesDirect } from '../lists/list.store.ts';
import { SKEW_MS } from '../lists/streams.store.ts';
import { conversationOf } from '../view/conversation-id.ts';
import { audienceOf } from '../view/message.audience.ts';
import { mentionedIn, mentionsOf, tagsOf } from '../view/message.present.ts';
import type { Holding } from '../view/message.schema.ts';
import type { People } from '../view/people.ts';
import { findMessages, type MessageView } from '../view/view.store.ts';
import type { SearchWanted } from './search.filter.ts';
import {
  addToIndex,
  authorMark,
  dequeue,
  enqueue,
  enqueueMarked,
  enqueueNew,
  findLastWaiting,
  findPlaces,
  firstPlaceSince,
  holdingMark,
  type Indexed,
  isWaiting,
  lastPlace,
  lastPlaceUntil,
  lockWaiting,
  objectMark,
  type Places,
  queryOfMark,
  removeFromIndex,
  removeFromQueue,
  removeWords,
  type Sought,
  teamMark,
  userMark,
} from './search.store.ts';
import { wordsOf } from './search-words.ts';

const PLACES_AT_ONCE = 200;
/** From so many teams on, which have more than one message in so many of all, a search is a wide one. */
const MANY_TEAMS = 16;
const LARGE_PART = 8;
/** After so many that the caller may not see, or that lack the tag, a page is given as it is, with its cursor. */
const MOST_ROUNDS = 25;
/** A longer time makes the next search slower, a shorter one the writing. */
export const INDEX_EVERY_MS = 100;
/** Few enough that no request waits for it noticeably. */
const INDEXED_AT_ONCE = 250;
/** Of the messages that mention an object, so many of the newest are found by its new name. */
const MOST_RENAMED = 10_000;
/** How long a search waits for messages that others have locked, and how often it looks meanwhile. */
const OTHERS_MS = 1000;
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
 * one of their own. A search first indexes the messages that wait, so that it finds what its caller has just read.
 */
export function searchIndex(deps: { db: Database; onError: (error: unknown) => void }) {
  const { db, onError } = deps;

  /** The rows of all messages that are posted together are inserted together. */
  async function onPosted(tx: Tx, { message }: OfMessage): Promise<void> {
    tx.gather(enqueueNew, { message_id: message.id });
  }

  /** The earlier words are removed at once; the present ones wait as those of a new message do. */
  async function onEdited(tx: Tx, { message }: OfMessage): Promise<void> {
    await removeWords(tx, message.id);
    await enqueue.run(tx, { messageId: message.id });
  }

  async function onDeleted(tx: Tx, { message }: OfMessage): Promise<void> {
    await removeFromQueue.run(tx, { messageId: message.id });
    await removeFromIndex(tx, message.id);
  }

  /** Messages that mention an object are found by its present name. */
  async function onObjectChange(tx: Tx, { object }: { readonly object: string }): Promise<void> {
    const mark = queryOfMark(tx.dialect, objectMark(object));
    await enqueueMarked.run(tx, { mark, limit: MOST_RENAMED });
  }

  /**
   * Indexes every message that waits now; later ones may go on waiting. It also waits for messages that another node
   * indexes or a writer has locked, but not for long: the node may be frozen, and the writer may wait for another one.
   */
  async function bringIn(): Promise<void> {
    const last = await findLastWaiting.first(db, {});
    if (!last) return;
    const begun = performance.now();
    do {
      const indexed = await db.write(indexSome);
      if (indexed > 0) continue;
      if (performance.now() - begun > OTHERS_MS) return;
      await sleep(LOOK_AGAIN_MS);
    } while (await isWaiting.first(db, { upTo: last.message_id }));
  }

  const { stop } = startRounds({
    work: async () => {
      if (!(await findLastWaiting.first(db, {}))) return false;
      return (await db.write(indexSome)) === INDEXED_AT_ONCE;
    },
    intervalMs: INDEX_EVERY_MS,
    onError,
  });

  return { onPosted, onEdited, onDeleted, onObjectChange, bringIn, stop };
}

/** @returns how many messages it locked */
async function indexSome(tx: Tx): Promise<number> {
  const rows = await lockWaiting.all(tx, { limit: INDEXED_AT_ONCE });
  if (rows.length === 0) return 0;
  const held = rows.map(({ id }) => id);
  // Before the queue: a change of an object locks the object, and then puts messages into the queue.
  const names = await heldNames(tx, rows.flatMap(mentionedIn));
  const taken = await dequeue.all(tx, { ids: held });
  const waited = new Set(taken.map(({ message_id }) => message_id));
  const found = rows.filter((row) => waited.has(row.id) && row.deleted_at === null);
  await addToIndex(tx, await together(found.map((row) => entryOf(tx, row, names))));
  return rows.length;
}

type Names = Awaited<ReturnType<typeof heldNames>>;

async function entryOf(tx: Tx, row: MessageRow, names: Names): Promise<Indexed> {
  return {
    messageId: row.id,
    createdAt: row.created_at,
    marks: [
      ...(await scopesOf(tx, row)),
      authorMark(row.author_id),
      ...holdingsOf(row).map(holdingMark),
      ...mentionedIn(row).map(objectMark),
    ],
    words: wordsOf(searchable(row, names)),
  };
}

async function scopesOf(tx: Reader, row: MessageRow): Promise<string[]> {
  const audience = await audienceOf(tx, row);
  return 'team' in audience ? [teamMark(audience.team)] : audience.users.map(userMark);
}

/** A link may stand beside the text or in it. */
function holdingsOf(row: MessageRow): Holding[] {
  const items = row.attachments_json === '[]' ? [] : (JSON.parse(row.attachments_json) as unknown[]);
  const types = new Set(items.map((item) => (item as { type?: unknown } | null)?.type));
  return [
    ...(types.has('file') ? (['file'] as const) : []),
    ...(types.has('link') || /https?:\/\/\S/i.test(row.text) ? (['link'] as const) : []),
    ...(row.mentions_json !== '[]' ? (['object'] as const) : []),
  ];
}

/** The text, and the names that stand beside it. */
function searchable(row: MessageRow, names: Names): string {
  if (row.attachments_json === '[]' && row.mentions_json === '[]') return row.text;
  const items = JSON.parse(row.attachments_json) as unknown[];
  const mentioned = mentionsOf(row).map(({ id, name }) =>
    nameIn(names.get(id), { given: name, at: row.created_at }),
  );
  return [row.text, ...items.flatMap(namesOf), ...mentioned].join('\n');
}

function namesOf(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [];
  const { title, name, url } = item as Record<string, unknown>;
  return [title, name, url].filter((value) => typeof value === 'string');
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

const marksOf = ({ authorId, has, conversation }: Search) => [
  ...(conversation?.people ?? []).map(userMark),
  ...(authorId === undefined ? [] : [authorMark(authorId)]),
  ...(has === undefined ? [] : [holdingMark(has)]),
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
const isOf = (row: MessageView, { id }: People) =>
  row.team_id === null &&
  row.sidebar_id === null &&
  conversationOf([row.root_author_id, ...(JSON.parse(row.addressed_users_json) as string[])]) === id;

function fits(row: MessageView, { teamId, tag, conversation, authorId, since, until }: Search): boolean {
  return (
    (conversation === undefined || isOf(row, conversation)) &&
    (teamId === undefined || row.team_id === teamId) &&
    (tag === undefined || tagsOf(row).includes(tag)) &&
    (authorId === undefined || row.author_id === authorId) &&
    (since === undefined || row.created_at >= since) &&
    (until === undefined || row.created_at < until)
  );
}
