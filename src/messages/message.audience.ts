import type { Reader } from '#platform/db/index.ts';
import type { MessageRow } from '../schema/index.ts';
import { listRecipients } from './message.store.ts';
import { listSidebarUsers } from './sidebar.store.ts';

/** Who may see a message: the members of a team, or some users. */
export type MessageAudience = { readonly team: string } | { readonly users: readonly string[] };

export async function audienceOf(db: Reader, row: MessageRow): Promise<MessageAudience> {
  if (row.sidebar_id !== null) {
    const users = await listSidebarUsers.all(db, { sidebarId: row.sidebar_id });
    return { users: users.map(({ user_id }) => user_id) };
  }
  if (row.team_id !== null) return { team: row.team_id };
  const users = await listRecipients.all(db, { messageId: row.root_id ?? row.id });
  return { users: users.map(({ user_id }) => user_id) };
}
