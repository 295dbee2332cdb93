import type { Migration } from '#platform/db/index.ts';

/** The conversations that concern a user. */
export const inbox: Migration = {
  name: '0018-inbox',
  up: ({ uuid, int }) => [
    `CREATE TABLE inbox_entries (
      user_id ${uuid} NOT NULL REFERENCES users,
      conversation_id ${uuid} NOT NULL,
      root_id ${uuid} NOT NULL REFERENCES messages,
      sidebar_id ${uuid} REFERENCES sidebars,
      team_id ${uuid} REFERENCES teams,
      place ${uuid} NOT NULL,
      activity_id ${uuid} NOT NULL,
      reasons text NOT NULL,
      mention_id ${uuid},
      root_concerns ${int} NOT NULL,
      high_five_id ${uuid},
      is_open ${int} NOT NULL,
      done_json text,
      PRIMARY KEY (user_id, conversation_id)
    )`,
    'CREATE INDEX inbox_entries_by_place ON inbox_entries (user_id, place)',
    'CREATE INDEX inbox_entries_open ON inbox_entries (user_id, place) WHERE is_open = 1',
    'CREATE INDEX inbox_entries_by_root ON inbox_entries (root_id)',
    // What is unread by now: direct messages, and own ones that were marked as unread.
    `INSERT INTO inbox_entries (user_id, conversation_id, root_id, place, activity_id, reasons, root_concerns, is_open)
      SELECT message_recipients.user_id, messages.id, messages.id, messages.id, messages.id, 'direct', 1, 1
      FROM message_recipients INNER JOIN messages ON messages.id = message_recipients.message_id
      WHERE message_recipients.read_at IS NULL AND messages.deleted_at IS NULL`,
    `INSERT INTO inbox_entries (user_id, conversation_id, root_id, place, activity_id, reasons, root_concerns, is_open)
      SELECT message_states.user_id, messages.id, messages.id, messages.id, messages.id, 'unread', 1, 1
      FROM message_states INNER JOIN messages ON messages.id = message_states.message_id
      WHERE message_states.is_unread = 1 AND messages.team_id IS NULL AND messages.root_id IS NULL
        AND messages.deleted_at IS NULL
      ON CONFLICT (user_id, conversation_id) DO NOTHING`,
  ],
};
