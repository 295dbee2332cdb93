import { sql } from 'kysely';
import { inIdList, inTextList } from '#platform/db/index.ts';
import type { Format } from '#platform/text/index.ts';
import { statement } from '#schema';

/** The caller has locked the message's row, because the next number is found by a query. Gives that number. */
export const keepVersion = statement<{
  messageId: string;
  text: string;
  format: Format;
  blocksJson: string | null;
  namesJson: string | null;
  now: number;
}>()((q, p) =>
  q
    .insertInto('message_versions')
    .values({
      message_id: p.messageId,
      place: sql<number>`(SELECT coalesce(max(place), 0) + 1 FROM message_versions WHERE message_id = ${p.messageId})`,
      text: p.text,
      format: p.format,
      blocks_json: p.blocksJson,
      names_json: p.namesJson,
      replaced_at: p.now,
    })
    .returning('place'),
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

/** The earlier contents of a message, in the order of edits. */
export const findVersions = statement<{ messageId: string }>()((q, p) =>
  q.selectFrom('message_versions').selectAll().where('message_id', '=', p.messageId).orderBy('place'),
);

/** The names that the earlier texts of a message call, the oldest text first. */
export const listCalledNames = statement<{ messageId: string }>()((q, p) =>
  q
    .selectFrom('message_versions')
    .select('names_json')
    .where('message_id', '=', p.messageId)
    .orderBy('place'),
);

/** Named versions of some messages: each pair is `<message> <place>`. */
export const findNamedVersions = statement<{ ids: readonly string[]; pairs: readonly string[] }>()(
  (q, p, dialect) =>
    q
      .selectFrom('message_versions')
      .selectAll()
      .where(inIdList(dialect, 'message_id', p.ids))
      .where(inTextList(dialect, sql<string>`(message_id || ' ' || place)`, p.pairs)),
);

/** The present content of messages to teams, without deleted ones. */
export const findWritten = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('messages')
    .innerJoin('users', 'users.id', 'messages.author_id')
    .select([
      'messages.id',
      'messages.text',
      'messages.format',
      'messages.blocks_json',
      'messages.author_id',
      'messages.application_id',
      'messages.root_id',
      'messages.mentions_json',
      'messages.attachments_json',
      'messages.events_json',
      'messages.created_at',
      'messages.updated_at',
      'messages.links_json',
      'users.is_application',
      sql<number>`coalesce((SELECT max(place) FROM message_versions WHERE message_id = messages.id), 0)`.as(
        'last_kept',
      ),
    ])
    .where(inIdList(dialect, 'messages.id', p.ids))
    .where('messages.deleted_at', 'is', null)
    .where('messages.sidebar_id', 'is', null),
);
