import { sql } from 'kysely';
import { type IdList, idList, inIdList, type Tx } from '#platform/db/index.ts';
import { statement } from '#schema';

interface About {
  ids: IdList;
}

const of = (tx: Tx, ids: readonly string[]): About => ({ ids: idList(tx.dialect, ids) });

const blank = statement<About & { now: number }>()((q, p, dialect) =>
  q
    .updateTable('messages')
    .set({
      text: '',
      addressed_users_json: '[]',
      attachments_json: '[]',
      mentions_json: '[]',
      events_json: '[]',
      num_high_fives: 0,
      deleted_at: sql<number>`coalesce(deleted_at, ${p.now})`,
    })
    .where(inIdList(dialect, 'id', p.ids)),
);

/** They are deleted, too, so that a server that starts does not look for words in them. */
export const blankMessages = (tx: Tx, ids: string[], now: number) => blank.run(tx, { ...of(tx, ids), now });

const highFivesOf = statement<About>()((q, p, dialect) =>
  q.deleteFrom('high_fives').where(inIdList(dialect, 'message_id', p.ids)),
);
export const deleteHighFives = (tx: Tx, ids: string[]) => highFivesOf.run(tx, of(tx, ids));

const versionsOf = statement<About>()((q, p, dialect) =>
  q.deleteFrom('message_versions').where(inIdList(dialect, 'message_id', p.ids)),
);
export const deleteVersions = (tx: Tx, ids: string[]) => versionsOf.run(tx, of(tx, ids));

const sidebarUsersOf = statement<About>()((q, p, dialect) =>
  q.deleteFrom('sidebar_users').where(
    'sidebar_id',
    'in',
    q
      .selectFrom('sidebars')
      .select('id')
      .where(inIdList(dialect, 'message_id', p.ids)),
  ),
);
/** Who takes part in the sidebars beside some messages, and how far they have read them. */
export const deleteSidebarUsers = (tx: Tx, ids: string[]) => sidebarUsersOf.run(tx, of(tx, ids));

const mailJobsOf = statement<About>()((q, p, dialect) =>
  q.deleteFrom('mail_jobs').where(inIdList(dialect, 'message_id', p.ids)),
);
export const deleteMailJobs = (tx: Tx, ids: string[]) => mailJobsOf.run(tx, of(tx, ids));

const wordsOf = statement<About>()((q, p, dialect) => ({
  compile: () =>
    sql`DELETE FROM message_words WHERE rowid IN
      (SELECT place FROM message_index WHERE ${inIdList(dialect, 'message_id', p.ids)})`.compile(q),
}));

const indexed = statement<About>()((q, p, dialect) =>
  q.deleteFrom('message_index').where(inIdList(dialect, 'message_id', p.ids)),
);

/** Takes messages out of the full-text index; on SQLite its words are in a table of their own. */
export async function unindex(tx: Tx, ids: string[]): Promise<void> {
  if (tx.dialect === 'sqlite') await wordsOf.all(tx, of(tx, ids));
  await indexed.run(tx, of(tx, ids));
}
