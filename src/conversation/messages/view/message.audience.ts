import type { Reader } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import { listSidebarUsers, listSidebarViewers } from './sidebar.store.ts';
import { listRecipients } from './view.store.ts';

/** The users who may see a message: the members of a team, or some users. */
export type MessageAudience = { readonly team: string } | { readonly users: readonly string[] };

export const audienceOf = (db: Reader, row: MessageRow) => audience(db, row, listSidebarUsers);

/** Without those who have left the team of a sidebar: they stay written down in it, because they may come back. */
export const receiversOf = (db: Reader, row: MessageRow) => audience(db, row, listSidebarViewers);

async function audience(
  db: Reader,
  row: MessageRow,
  listUsers: typeof listSidebarUsers,
): Promise<MessageAudience> {
  if (row.sidebar_id !== null) {
    const users = await listUsers.all(db, { sidebarId: row.sidebar_id });
    return { users: users.map(({ user_id }) => user_id) };
  }
  if (row.team_id !== null) return { team: row.team_id };
  const users = await listRecipients.all(db, { messageId: row.root_id ?? row.id });
  return { users: users.map(({ user_id }) => user_id) };
}
