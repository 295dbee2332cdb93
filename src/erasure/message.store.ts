import type { Tx } from '#platform/db/index.ts';
import { query } from '../schema/index.ts';

/** They are deleted, too, so that a server that starts does not look for words in them. */
export const blankMessages = (tx: Tx, ids: string[], now: number) =>
  query(tx, (q) =>
    q
      .updateTable('messages')
      .set((eb) => ({
        text: '',
        addressed_users_json: '[]',
        attachments_json: '[]',
        mentions_json: '[]',
        events_json: '[]',
        num_high_fives: 0,
        deleted_at: eb.fn.coalesce('deleted_at', eb.val(now)),
      }))
      .where('id', 'in', ids),
  );

export const deleteHighFives = (tx: Tx, ids: string[]) =>
  query(tx, (q) => q.deleteFrom('high_fives').where('message_id', 'in', ids));

/** Who takes part in the sidebars beside some messages, and how far they have read them. */
export const deleteSidebarUsers = (tx: Tx, ids: string[]) =>
  query(tx, (q) =>
    q
      .deleteFrom('sidebar_users')
      .where('sidebar_id', 'in', q.selectFrom('sidebars').select('id').where('message_id', 'in', ids)),
  );

export const deleteMailJobs = (tx: Tx, ids: string[]) =>
  query(tx, (q) => q.deleteFrom('mail_jobs').where('message_id', 'in', ids));

/** Takes messages out of the full-text index; on SQLite its words are in a table of their own. */
export async function unindex(tx: Tx, ids: string[]): Promise<void> {
  const places = await query(tx, (q) =>
    q.deleteFrom('message_index').where('message_id', 'in', ids).returning('place'),
  );
  if (tx.dialect === 'postgres' || places.length === 0) return;
  const list = places.map(() => '?').join(', ');
  await tx.all(
    `DELETE FROM message_words WHERE rowid IN (${list})`,
    places.map(({ place }) => place),
  );
}
