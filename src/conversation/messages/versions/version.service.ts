import type { Reader } from '#platform/db/index.ts';
import { type Format, linksIn } from '#platform/text/index.ts';
import type { MessageRow, UserRow } from '#schema';
import { linksOf } from '../view/message.links.ts';
import { findNamedVersions, findWritten, listCalledNames } from './version.store.ts';

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
  | 'created_at'
  | 'updated_at'
  | 'links_json'
> &
  Pick<UserRow, 'is_application'>;

/** A version of a message: 1 as posted, and one more for each edit. */
export interface VersionOf {
  readonly message: string;
  readonly version: number;
}

const nameOf = ({ message, version }: VersionOf) => `${message} ${version}`;

/** @returns a function that gives one of these versions; undefined for that of a deleted message */
export async function findAtVersions(db: Reader, wanted: readonly VersionOf[]) {
  const ids = [...new Set(wanted.map(({ message }) => message))];
  const rows = ids.length === 0 ? [] : await findWritten.all(db, { ids });
  const messages = new Map(rows.map((row) => [row.id, row]));
  const isEarlier = ({ message, version }: VersionOf) => version <= Number(messages.get(message)?.last_kept);
  const earlier = wanted.filter(isEarlier);
  const kept =
    earlier.length === 0
      ? []
      : await findNamedVersions.all(db, {
          ids: [...new Set(earlier.map(({ message }) => message))],
          pairs: earlier.map(nameOf),
        });
  const versions = new Map(
    kept.map(({ message_id, place, ...content }) => [
      nameOf({ message: message_id, version: Number(place) }),
      content,
    ]),
  );

  return (one: VersionOf): MessageAt | undefined => {
    const row = messages.get(one.message);
    if (!row) return undefined;
    if (!isEarlier(one)) {
      const { text, format, blocks_json } = row;
      return { row, text, format, blocks_json, links: () => linksOf(row) };
    }
    const { text, format, blocks_json } = versions.get(nameOf(one)) ?? NOT_KEPT;
    return { row, text, format, blocks_json, links: () => linksIn(text ?? '', format) };
  };
}

const NOT_KEPT = { text: null, format: null, blocks_json: null };

/** @returns the names that each earlier text of a message calls, in lower case, the oldest text first */
export async function namesOfVersions(db: Reader, messageId: string): Promise<string[][]> {
  const rows = await listCalledNames.all(db, { messageId });
  return rows.map(({ names_json }) => (names_json === null ? [] : (JSON.parse(names_json) as string[])));
}
