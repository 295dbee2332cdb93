import { Conflict, lookUp, NotAllowed, type Viewer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { ADMIN, findMember } from '../../../teams/index.ts';
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

/**
 * For what its author may do with a message, and an admin of its team. A sidebar is private: to administer the team it
 * stands in gives no right there.
 * @throws NotAllowed
 */
export async function refuseUnlessInCharge(
  db: Reader,
  userId: string,
  row: SeenMessage,
  what: string,
): Promise<void> {
  if (row.author_id === userId) return;
  const teamId = row.sidebar_id === null ? row.team_id : null;
  const member = teamId === null ? undefined : await findMember.first(db, { teamId, userId });
  if (member?.membership_type === ADMIN) return;
  throw new NotAllowed('not_author', `Only its author, or an admin of the team, may ${what}`);
}

/** @throws Conflict for what was deleted: nothing can be added to it any more */
export function refuseDeleted(row: { deleted_at: number | null }): void {
  if (row.deleted_at !== null) throw new Conflict('deleted', 'The message was deleted');
}
