import { Conflict, lookUp, type Viewer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { findMessage, type SeenMessage } from './view.store.ts';

/**
 * The only road from an id to a message. @throws NotFound for one that does not exist or that the viewer may not see
 */
export const accessMessage = (db: Reader, viewer: Viewer, id: string): Promise<SeenMessage> =>
  lookUp(id, async (known) => (await findMessage(db, viewer, { id: known }))[0]);

/** The message that opened the conversation of another one. @throws NotFound */
export async function accessConversation(db: Reader, viewer: Viewer, id: string): Promise<SeenMessage> {
  const row = await accessMessage(db, viewer, id);
  return row.root_id === null ? row : accessMessage(db, viewer, row.root_id);
}

/** @throws Conflict for what was deleted: nothing can be added to it any more */
export function refuseDeleted(row: { deleted_at: number | null }): void {
  if (row.deleted_at !== null) throw new Conflict('deleted', 'The message was deleted');
}
