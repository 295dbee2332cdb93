import { InvalidFields } from './errors.ts';

export interface Page {
  /** The page size; undefined for no bound. */
  readonly limit: number | undefined;
  /** The sort key of the previous page's last item. */
  readonly after: readonly string[] | undefined;
}

const DEFAULT_LIMIT = 50;

/**
 * Reads `limit` and `cursor`. Without either, a list returns everything.
 * @param keys how many parts the sort key has
 * @throws InvalidFields for a cursor that this route did not make
 */
export function readPage(query: { limit?: number; cursor?: string }, keys: number): Page {
  const { limit, cursor } = query;
  if (limit === undefined && cursor === undefined) return { limit: undefined, after: undefined };
  return { limit: limit ?? DEFAULT_LIMIT, after: cursor === undefined ? undefined : decode(cursor, keys) };
}

function decode(cursor: string, keys: number): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(parts) && parts.length === keys && parts.every((part) => typeof part === 'string'))
      return parts;
  } catch {
    // Refused below, like any other malformed cursor.
  }
  throw new InvalidFields({ field: 'cursor', message: 'must be the next_cursor of an earlier answer' });
}

/** @returns the cursor of the page that starts after this sort key */
export function pageOf(key: string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * Cuts a list that was read with one item more than the page size.
 * @returns the page, and the next cursor or null
 */
export function cutPage<T>(
  rows: T[],
  page: Page,
  keyOf: (row: T) => string[],
): { rows: T[]; next: string | null } {
  if (page.limit === undefined || rows.length <= page.limit) return { rows, next: null };
  const kept = rows.slice(0, page.limit);
  const last = kept.at(-1) as T;
  return { rows: kept, next: pageOf(keyOf(last)) };
}
