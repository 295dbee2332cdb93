import { linksIn } from '#platform/text/index.ts';
import type { MessageRow } from '#schema';

/** The time at which the text was written, and its links. */
type Kept = [writtenAt: number, ...links: string[]];

/** @returns the links of a text that is written now, as the row keeps them; null for a text that can have none */
export const keptLinks = (
  { text, format }: Pick<MessageRow, 'text' | 'format'>,
  now: number,
): string | null =>
  text.includes('://') ? JSON.stringify([now, ...linksIn(text, format)] satisfies Kept) : null;

/**
 * The links of a message, in the order of its text. Databases from before 0.1.0 can have messages whose row keeps none, or
 * those of a former text, which no statement of a migration can find: they are found in the text.
 */
export function linksOf(row: Pick<MessageRow, 'text' | 'format' | 'updated_at' | 'links_json'>): string[] {
  if (row.links_json !== null) {
    const [writtenAt, ...links] = JSON.parse(row.links_json) as Kept;
    if (writtenAt === row.updated_at) return links;
  }
  return linksIn(row.text, row.format);
}
