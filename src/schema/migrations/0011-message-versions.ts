import type { Migration } from '#platform/db/index.ts';

/** Earlier texts get rows of their own; deleted messages stop counting; an upload remembers its application. */
export const messageVersions: Migration = {
  name: '0011-message-versions',
  up: ({ uuid, int }, dialect) => [
    `CREATE TABLE message_versions (
      message_id ${uuid} NOT NULL REFERENCES messages,
      place ${int} NOT NULL,
      text text NOT NULL,
      replaced_at ${int} NOT NULL,
      PRIMARY KEY (message_id, place)
    )`,
    ...(dialect === 'sqlite' ? SQLITE_TEXTS : POSTGRES_TEXTS),
    `ALTER TABLE attachments ADD COLUMN application_id ${uuid} REFERENCES applications`,
    // Those of tokens are kept for each team from now on.
    "DELETE FROM idempotency_keys WHERE scope LIKE '%:%' AND scope NOT LIKE 'application:%'",
    'CREATE INDEX message_recipients_by_message ON message_recipients (message_id)',
    'CREATE INDEX messages_deleted ON messages (team_id, seq) WHERE deleted_at IS NOT NULL AND seq IS NOT NULL',
    'CREATE INDEX read_marks_unread ON read_marks (message_id) WHERE is_read = 0',
    `DELETE FROM read_marks WHERE is_read = 0
      AND message_id IN (SELECT id FROM messages WHERE deleted_at IS NOT NULL)`,
    `UPDATE message_recipients SET read_at = (SELECT deleted_at FROM messages WHERE messages.id = message_id)
      WHERE read_at IS NULL AND message_id IN (SELECT id FROM messages WHERE deleted_at IS NOT NULL)`,
  ],
};

const EDITED = `events_json LIKE '%"edited"%'`;

const SQLITE_TEXTS = [
  `INSERT INTO message_versions (message_id, place, text, replaced_at)
    SELECT messages.id, row_number() OVER (PARTITION BY messages.id ORDER BY event.key),
      json_extract(event.value, '$.text'),
      CAST(round(json_extract(event.value, '$.created_at') * 1000) AS integer)
    FROM messages, json_each(messages.events_json) AS event
    WHERE ${EDITED} AND json_extract(event.value, '$.text') IS NOT NULL`,
  `UPDATE messages SET events_json = (
      SELECT json_group_array(json(event)) FROM (
        SELECT json_remove(value, '$.text') AS event FROM json_each(events_json) ORDER BY key))
    WHERE ${EDITED}`,
];

const POSTGRES_TEXTS = [
  `INSERT INTO message_versions (message_id, place, text, replaced_at)
    SELECT messages.id, row_number() OVER (PARTITION BY messages.id ORDER BY place),
      event ->> 'text', CAST(round(CAST(event ->> 'created_at' AS numeric) * 1000) AS bigint)
    FROM messages
      CROSS JOIN LATERAL json_array_elements(CAST(events_json AS json)) WITH ORDINALITY AS events (event, place)
    WHERE ${EDITED} AND event ->> 'text' IS NOT NULL`,
  `UPDATE messages SET events_json = (
      SELECT CAST(json_agg(json_build_object(
          'type', event -> 'type', 'user', event -> 'user', 'created_at', event -> 'created_at') ORDER BY place) AS text)
      FROM json_array_elements(CAST(events_json AS json)) WITH ORDINALITY AS events (event, place))
    WHERE ${EDITED}`,
];
