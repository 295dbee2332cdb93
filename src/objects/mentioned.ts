import type { Reader, Tx } from '#platform/db/index.ts';
import { findObjectsWithBase, lockNames } from './object.store.ts';
import { resolveObjectUrl } from './object-url.ts';

/** The name that an object got later than it was registered. */
interface Renamed {
  readonly name: string;
  readonly renamed_at: number | null;
}

/** An object as the messages show it that mention it. Without an address once it is deleted. */
export interface MentionedObject extends Renamed {
  readonly url: string | null;
}

export async function mentionedObjects(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, MentionedObject>> {
  if (ids.length === 0) return new Map();
  const rows = await findObjectsWithBase.all(db, { ids });
  return new Map(
    rows.map((row) => {
      const url = row.deleted_at === null ? addressOf(row) : null;
      return [row.id, { name: row.name, renamed_at: row.renamed_at, url }];
    }),
  );
}

/** The names of objects; none of them changes until the transaction ends. */
export async function lockedNames(tx: Tx, ids: readonly string[]): Promise<Map<string, Renamed>> {
  if (ids.length === 0) return new Map();
  return new Map((await lockNames.all(tx, { ids })).map((row) => [row.id, row]));
}

/** A message keeps the name that it gave the object until the object gets another one. */
export const nameIn = (
  object: Renamed | undefined,
  { given, at }: { readonly given: string; readonly at: number },
): string => (object && object.renamed_at !== null && object.renamed_at >= at ? object.name : given);

export const addressOf = ({ base_url, url }: { readonly base_url: string; readonly url: string }) =>
  resolveObjectUrl(base_url, url) ?? base_url;
