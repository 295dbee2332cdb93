import { parseId } from '#platform/ids.ts';
import { InvalidFields } from '../errors.ts';

export interface Page {
  /** The most items that the page may hold. */
  readonly limit: number;
  /** The sort key of the last item of the page before. */
  readonly after: readonly string[] | undefined;
}

/** A page, or the whole list. */
export type PageOrAll = Page | { readonly limit: undefined; readonly after: undefined };

interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

const DEFAULT_LIMIT = 50;

const IS_PART = {
  id: (part: string) => parseId(part) !== undefined,
  number: (part: string) => /^\d+$/.test(part) && Number.isSafeInteger(Number(part)),
  // PostgreSQL takes no text with U+0000.
  text: (part: string) => !part.includes('\0'),
};
type Part = keyof typeof IS_PART;

/**
 * Reads `limit` and `cursor`.
 * @param key the parts of the sort key
 * @throws InvalidFields for a cursor that this route did not make
 */
export function readPage({ limit = DEFAULT_LIMIT, cursor }: PageQuery, ...key: readonly Part[]): Page {
  return { limit, after: cursor === undefined ? undefined : decode(cursor, key) };
}

/** Reads the page of a list of the interface, which answers everything unless `limit` or `cursor` is given. */
export function readPageOrAll(query: PageQuery, ...key: readonly Part[]): PageOrAll {
  const wantsAll = query.limit === undefined && query.cursor === undefined;
  return wantsAll ? { limit: undefined, after: undefined } : readPage(query, ...key);
}

function decode(cursor: string, key: readonly Part[]): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isKey = (given: unknown[]): given is string[] =>
      key.every((part, at) => typeof given[at] === 'string' && IS_PART[part](given[at]));
    if (Array.isArray(parts) && parts.length === key.length && isKey(parts)) return parts;
  } catch {
    // Answered below, as any other text that is no cursor.
  }
  throw new InvalidFields({ field: 'cursor', message: 'must be the next_cursor of an earlier answer' });
}

/** @returns the cursor of the page that begins after this sort key */
export function pageOf(key: string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** The sort key of a list that is ordered by time, then id. */
export interface TimeKey {
  readonly at: number;
  readonly id: string;
}

/** @returns the key after which a page of such a list begins; undefined for the first page */
export function timeKeyOf({ after }: Page): TimeKey | undefined {
  const at = Number(after?.[0]);
  const id = parseId(after?.[1]);
  return id && Number.isSafeInteger(at) ? { at, id } : undefined;
}

/** A page of a list whose newest items come first, by their ids. @param find is given the id that the page is below */
export async function listPageById<T extends { id: string }>(
  page: Page,
  find: (bounds: { limit: number; before: string | undefined }) => Promise<T[]>,
): Promise<{ rows: T[]; next: string | null }> {
  const before = parseId(page.after?.[0]);
  return listPage(
    page,
    (limit) => find({ limit, before }),
    (row) => [row.id],
  );
}

/** The most characters on a page, roughly: long items end it early. */
const MOST_CHARACTERS = 2 * 1024 * 1024;

/**
 * @param items rows, whose texts are counted
 * @param from the item that the page is about: it is kept, and of the others those that are nearest
 * @returns the first and the one after the last that are on the page
 */
export function fitting(items: readonly object[], from = 0): readonly [first: number, end: number] {
  let [first, end, left] = [from, from, MOST_CHARACTERS];
  const take = (at: number) => {
    const item = items[at];
    left -= item ? charactersOf(item) : Number.POSITIVE_INFINITY;
    return left >= 0;
  };
  if (items.length === 0) return [0, 0];
  take(end++);
  // In turns, so that what is on both sides of an item in the middle stays.
  for (let [onwards, back] = [true, true]; onwards || back; ) {
    onwards &&= end < items.length && take(end);
    if (onwards) end++;
    back &&= first > 0 && take(first - 1);
    if (back) first--;
  }
  return [first, end];
}

function charactersOf(item: object): number {
  let characters = 0;
  for (const value of Object.values(item)) if (typeof value === 'string') characters += value.length;
  return characters;
}

/**
 * Finds one item more than the page holds, to learn whether another page follows. Long items end it early.
 * @param find is given the number of items to find; undefined for all
 * @returns the page, and the cursor of the next one or null
 */
export async function listPage<T extends object, P extends PageOrAll>(
  page: P,
  find: (limit: P['limit']) => Promise<T[]>,
  keyOf: (row: T) => string[],
): Promise<{ rows: T[]; next: string | null }> {
  const { limit } = page;
  const rows = await find(limit === undefined ? limit : limit + 1);
  if (limit === undefined) return { rows, next: null };
  const [, end] = fitting(rows.slice(0, limit));
  if (end === rows.length) return { rows, next: null };
  const kept = rows.slice(0, end);
  return { rows: kept, next: pageOf(keyOf(kept.at(-1) as T)) };
}
