import { InvalidFields, type UserPrincipal, viewerOf } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import { accessMessage } from '../view/message.access.ts';
import { MAX_ATTACHMENTS } from '../view/message.schema.ts';
import type { GivenAttachments } from './message-input.ts';
import type { MessageFiles } from './posting.ts';

/** The attachments of a message before an edit and after it. */
export interface EditedAttachments {
  /** The files that it has, as it keeps them, by their ids. */
  readonly held: ReadonlyMap<string, unknown>;
  readonly fileIds: readonly string[];
  /** What is no file. */
  readonly others: readonly unknown[];
}

/** @param given a part that is missing stays as it is @throws InvalidFields for too many of them together */
export function editedAttachments(row: MessageRow, given: GivenAttachments | undefined): EditedAttachments {
  const items = row.attachments_json === '[]' ? [] : (JSON.parse(row.attachments_json) as unknown[]);
  const held = new Map(items.filter(isFile).map((file) => [file.id, file]));
  const fileIds = [...new Set(given?.fileIds ?? held.keys())];
  const others = given?.others ?? items.filter((item) => !isFile(item));
  if (fileIds.length + others.length > MAX_ATTACHMENTS)
    throw new InvalidFields({ field: 'attachments', message: `must be at most ${MAX_ATTACHMENTS} items` });
  return { held, fileIds, others };
}

/** No item of other origin has this type: see `readAttachments`. */
const isFile = (item: unknown): item is { readonly id: string } =>
  (item as { type?: unknown } | null)?.type === 'file';

/** Attaches what is new, lets go what is not named. @returns what the message keeps @throws InvalidFields */
export async function storeEdited(
  tx: Tx,
  files: MessageFiles,
  author: UserPrincipal,
  row: MessageRow,
  { held, fileIds, others }: EditedAttachments,
): Promise<string> {
  const heldIds = [...held.keys()];
  // A refused edit has written nothing yet: it undoes no other write of its group.
  await files.check(tx, author, fileIds, heldIds);
  const placeId = fileIds.every((id) => held.has(id)) ? null : await placeOf(tx, author, row);
  const joined = await files.attach(tx, author, { id: row.id, placeId, held: heldIds }, fileIds);
  return JSON.stringify([...fileIds.map((id) => held.get(id) ?? joined.get(id)), ...others]);
}

/** The team or the direct conversation in which its files are listed. */
async function placeOf(tx: Tx, author: UserPrincipal, row: MessageRow): Promise<string | null> {
  if (row.team_id !== null || row.root_id === null) return row.team_id ?? row.conversation_id;
  return (await accessMessage(tx, viewerOf(author, 'write'), row.root_id)).conversation_id;
}
