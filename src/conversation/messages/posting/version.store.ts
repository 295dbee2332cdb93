import { sql } from 'kysely';
import { inIdList } from '#platform/db/index.ts';
import { statement } from '#schema';

/** Call it while the message's row is held: the next place is found by looking. */
export const keepVersion = statement<{ messageId: string; text: string; now: number }>()((q, p) =>
  q.insertInto('message_versions').values({
    message_id: p.messageId,
    place: sql<number>`(SELECT coalesce(max(place), 0) + 1 FROM message_versions WHERE message_id = ${p.messageId})`,
    text: p.text,
    replaced_at: p.now,
  }),
);

/** All but the newest ones. */
export const dropOldVersions = statement<{ messageId: string; most: number }>()((q, p) =>
  q
    .deleteFrom('message_versions')
    .where('message_id', '=', p.messageId)
    .where(
      'place',
      '<=',
      sql<number>`(SELECT max(place) FROM message_versions WHERE message_id = ${p.messageId}) - ${p.most}`,
    ),
);

export const deleteVersions = statement<{ messageId: string }>()((q, p) =>
  q.deleteFrom('message_versions').where('message_id', '=', p.messageId),
);

/** The newest first. */
export const listVersions = statement<{ messageId: string; before: number; limit: number }>()((q, p) =>
  q
    .selectFrom('message_versions')
    .selectAll()
    .where('message_id', '=', p.messageId)
    .where('place', '<', p.before)
    .orderBy('place', 'desc')
    .limit(p.limit),
);

/** What some messages said before, in the order of edits. */
export const findVersions = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('message_versions')
    .selectAll()
    .where(inIdList(dialect, 'message_id', p.ids))
    .orderBy('message_id')
    .orderBy('place'),
);
