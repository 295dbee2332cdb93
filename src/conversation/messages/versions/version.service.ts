import type { Reader } from '#platform/db/index.ts';
import { type Format, linksIn } from '#platform/text/index.ts';
import type { MessageRow, UserRow } from '#schema';
import { linksOf } from '../view/message.links.ts';
import { findVersions, findWritten } from './version.store.ts';

/** The content of each version of a message: as posted, and after each edit. */
export interface MessageAt {
  readonly row: Written;
  /** Null when so many edits followed that this text is not kept any more. */
  readonly text: string | null;
  readonly format: Format;
  readonly blocks_json: string | null;
  /** Those of its text. */
  links(): string[];
}

type Written = Pick<
  MessageRow,
  | 'id'
  | 'text'
  | 'format'
  | 'blocks_json'
  | 'author_id'
  | 'application_id'
  | 'root_id'
  | 'mentions_json'
  | 'attachments_json'
  | 'events_json'
  | 'created_at'
  | 'updated_at'
  | 'links_json'
> &
  Pick<UserRow, 'is_application'>;

/** @returns a function that gives a version of one of these messages; undefined for a deleted one */
export async function findAtVersions(db: Reader, ids: readonly string[]) {
  const rows = ids.length === 0 ? [] : await findWritten.all(db, { ids });
  const edited = rows.filter((row) => row.events_json !== '[]').map(({ id }) => id);
  // Later than the messages: an edit in between then finds its text here.
  const kept = edited.length === 0 ? [] : await findVersions.all(db, { ids: edited });
  const versions = Map.groupBy(kept, ({ message_id }) => message_id);
  const messages = new Map(rows.map((row) => [row.id, row]));

  return (id: string, version: number): MessageAt | undefined => {
    const row = messages.get(id);
    const earlier = versions.get(id) ?? [];
    // Deleted between the two statements.
    if (!row || (earlier.length === 0 && row.events_json !== '[]')) return undefined;
    const last = Number(earlier.at(-1)?.place ?? 0);
    if (version === last + 1) {
      const { text, format, blocks_json } = row;
      return { row, text, format, blocks_json, links: () => linksOf(row) };
    }
    const { text, format, blocks_json } = earlier.find(({ place }) => Number(place) === version) ?? {
      text: null,
      format: null,
      blocks_json: null,
    };
    return { row, text, format, blocks_json, links: () => linksIn(text ?? '', format) };
  };
}
