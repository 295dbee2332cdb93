import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { InvalidFields } from '../api/index.ts';
import type { MessageRow } from '../schema/index.ts';
import { listCursors } from '../teams/index.ts';
import type { MessageFilter } from './list.store.ts';
import { audienceOf } from './message.audience.ts';
import { tagsOf } from './message.present.ts';
import {
  addToIndex,
  findPlaces,
  listUnindexed,
  removeFromIndex,
  teamScope,
  userScope,
} from './search.store.ts';
import { termsOf, wordsOf } from './search-words.ts';
import { findMessages, type MessageView } from './view.store.ts';

const PLACES_AT_ONCE = 200;
/** After so many that the caller may not see, or that lack the tag, a page is given as it is, with its cursor. */
const MOST_ROUNDS = 25;
const UNINDEXED_AT_ONCE = 200;

export interface Found {
  readonly row: MessageView;
  readonly place: number;
}

/** Puts a new message into the index, or a changed one anew. */
export async function indexMessage(tx: Tx, row: MessageRow): Promise<void> {
  await removeFromIndex(tx, row.id);
  await addToIndex(tx, {
    messageId: row.id,
    scopes: await scopesOf(tx, row),
    words: wordsOf(searchable(row)),
  });
}

/** The same for one that cannot be there yet. */
export async function indexNewMessage(tx: Tx, row: MessageRow): Promise<void> {
  await addToIndex(tx, {
    messageId: row.id,
    scopes: await scopesOf(tx, row),
    words: wordsOf(searchable(row)),
  });
}

async function scopesOf(tx: Reader, row: MessageRow): Promise<string[]> {
  const audience = await audienceOf(tx, row);
  return 'team' in audience ? [teamScope(audience.team)] : audience.users.map(userScope);
}

/** The text, and the names that stand beside it. */
function searchable(row: MessageRow): string {
  if (row.attachments_json === '[]' && row.mentions_json === '[]') return row.text;
  const items = [...JSON.parse(row.attachments_json), ...JSON.parse(row.mentions_json)] as unknown[];
  return [row.text, ...items.flatMap(namesOf)].join('\n');
}

function namesOf(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [];
  const { title, name, url } = item as Record<string, unknown>;
  return [title, name, url].filter((value) => typeof value === 'string');
}

/** @returns up to `limit` messages, the newest first, and the place after which the next page begins */
export async function searchMessages(
  db: Database,
  filter: MessageFilter,
  text: string,
  before: number,
): Promise<{ found: Found[]; next: number | undefined }> {
  const terms = termsOf(text);
  if (terms.length === 0) throw new InvalidFields({ field: 'q', message: 'must hold a word to search for' });
  const scopes = await searchScopes(db, filter);
  const found: Found[] = [];
  let last = before;
  for (let round = 0; round < MOST_ROUNDS && scopes.length > 0; round++) {
    const places = await findPlaces(db, { scopes, terms, before: last, limit: PLACES_AT_ONCE });
    const placeOf = new Map(places.map(({ message_id, place }) => [message_id, place]));
    for (const row of await findMessages(db, filter.viewerId, [...placeOf.keys()])) {
      if (!fits(row, filter)) continue;
      found.push({ row, place: placeOf.get(row.id) as number });
      if (found.length === filter.limit) return { found, next: found.at(-1)?.place };
    }
    last = places.at(-1)?.place ?? last;
    if (places.length < PLACES_AT_ONCE) return { found, next: undefined };
  }
  return { found, next: scopes.length > 0 ? last : undefined };
}

async function searchScopes(db: Reader, { viewerId, teamId }: MessageFilter): Promise<string[]> {
  // A sidebar beside a team's message is in the scope of its users.
  if (teamId !== undefined) return [teamScope(teamId), userScope(viewerId)];
  const teams = await listCursors.all(db, { userId: viewerId });
  return [userScope(viewerId), ...teams.map(({ team_id }) => teamScope(team_id))];
}

function fits(row: MessageView, { viewerId, teamId, tag }: MessageFilter): boolean {
  return (
    (teamId === undefined || row.team_id === teamId) &&
    (tag === undefined || tagsOf(row, viewerId).includes(tag))
  );
}

/** Brings in what a server without an index has left; does nothing once all is there. */
export async function indexTheRest(db: Database): Promise<void> {
  for (;;) {
    const rows = await listUnindexed.all(db, { limit: UNINDEXED_AT_ONCE });
    if (rows.length === 0) return;
    await db.write(async (tx) => {
      for (const row of rows) await indexMessage(tx, row);
    });
  }
}
