import { fitting, InvalidFields, NotFound, type Page, pageOf } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { lowestIdAt, parseId } from '#platform/ids.ts';
import { accessMessage } from '../view/message.access.ts';
import { tagsOf } from '../view/message.present.ts';
import { listIds, type MessageFilter } from './list.store.ts';

/** The page of a list that a client wants. */
export interface PageWanted {
  readonly newestFirst: boolean;
  /** The message in the middle of the page. */
  readonly around: string | undefined;
  /** The time, in Unix seconds, from which on the first message is in the middle. */
  readonly at: number | undefined;
  readonly page: Page;
}

/** Some ids in the order of the list, and the cursors of what comes before and after them. */
export interface PageOfIds {
  readonly ids: readonly string[];
  readonly previous: string | null;
  readonly next: string | null;
  /** The item that the page begins with, goes back from, or has in its middle. */
  readonly begins: string | undefined;
}

/** @throws NotFound when the message in the middle is not in the list */
export async function pageOfIds(db: Reader, filter: MessageFilter, wanted: PageWanted): Promise<PageOfIds> {
  const { newestFirst, page } = wanted;
  const { limit } = page;
  const walk = (onwards: boolean, from: string | undefined, most: number) =>
    listIds(db, { ...filter, backwards: newestFirst === onwards, from, limit: most });
  const isMore = async (onwards: boolean, from: string) => (await walk(onwards, from, 1)).length > 0;

  const field = wanted.around === undefined ? 'at' : 'around';
  if (wanted[field] !== undefined && page.after)
    throw new InvalidFields({ field, message: 'goes without a cursor' });
  if (wanted.around !== undefined && wanted.at !== undefined)
    throw new InvalidFields({ field: 'at', message: 'goes without around' });
  const middle =
    wanted.around === undefined
      ? await firstSince(db, filter, wanted.at)
      : await accessListed(db, filter, wanted.around);
  if (middle !== undefined) {
    const half = Math.floor((limit - 1) / 2);
    const [before, after] = [await walk(false, middle, half + 1), await walk(true, middle, limit - half)];
    const ids = [...before.slice(0, half).reverse(), middle, ...after.slice(0, limit - 1 - half)];
    return {
      ...withCursors(ids, middle, before.length > half, after.length > limit - 1 - half),
      begins: middle,
    };
  }
  const [place, direction] = page.after ?? [];
  const from = parseId(place);
  const onwards = direction !== 'previous';
  const found = await walk(onwards, from, limit + 1);
  const ids = found.slice(0, limit);
  if (!onwards) ids.reverse();
  const more = found.length > limit;
  // The page before has items, unless they have left the list since.
  const back = from !== undefined && (await isMore(!onwards, (onwards ? ids[0] : ids.at(-1)) ?? from));
  return {
    ...withCursors(ids, from, onwards ? back : more, onwards ? more : back),
    begins: onwards ? ids[0] : ids.at(-1),
  };
}

/** @param at in Unix seconds. Ids begin with the time at which they were made */
async function firstSince(
  db: Reader,
  filter: MessageFilter,
  at: number | undefined,
): Promise<string | undefined> {
  if (at === undefined) return undefined;
  const from = lowestIdAt(Math.round(at * 1000));
  return (await listIds(db, { ...filter, backwards: false, from, limit: 1 }))[0];
}

/** A page that long messages end early, on either side of what it begins with. */
export function shorten<Row extends { readonly id: string }>(
  page: PageOfIds,
  rows: readonly Row[],
): Pick<PageOfIds, 'previous' | 'next'> & { readonly rows: readonly Row[] } {
  const begins = rows.findIndex(({ id }) => id === page.begins);
  const [first, end] = fitting(rows, Math.max(begins, 0));
  const kept = rows.slice(first, end);
  const cursors = withCursors(
    kept.map(({ id }) => id),
    undefined,
    first > 0,
    end < rows.length,
  );
  return { rows: kept, previous: cursors.previous ?? page.previous, next: cursors.next ?? page.next };
}

/** The number in a numbered list at which a page begins: a sequence, or a place in an index. */
export function numberIn(page: Page): number | undefined {
  const number = Number(page.after?.[0]);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** @param from stands for the items of an empty page */
function withCursors(
  ids: readonly string[],
  from: string | undefined,
  isBefore: boolean,
  isAfter: boolean,
): Omit<PageOfIds, 'begins'> {
  const cursor = (id: string | undefined, direction: string) =>
    id === undefined ? null : pageOf([id, direction]);
  return {
    ids,
    previous: isBefore ? cursor(ids[0] ?? from, 'previous') : null,
    next: isAfter ? cursor(ids.at(-1) ?? from, 'next') : null,
  };
}

/** @returns the id of a message that the list holds @throws NotFound */
async function accessListed(db: Reader, filter: MessageFilter, id: string): Promise<string> {
  const { teamId, subjectId, tag, conversation, viewer } = filter;
  const row = await accessMessage(db, viewer, id);
  const isListed =
    row.root_id === null &&
    row.sidebar_id === null &&
    (conversation === undefined || row.conversation_id === conversation.id) &&
    (teamId === undefined || row.team_id === teamId) &&
    (subjectId === undefined || row.subject_id === subjectId) &&
    (tag === undefined || tagsOf(row).includes(tag));
  if (!isListed) throw new NotFound();
  return row.id;
}
