import type { Migration } from '#platform/db/index.ts';

export const conversations: Migration = {
  name: '0002-conversations',
  up: ({ uuid, int }, dialect) => [
    `CREATE TABLE sidebars (
      id ${uuid} PRIMARY KEY,
      message_id ${uuid} NOT NULL REFERENCES messages,
      team_id ${uuid} REFERENCES teams,
      created_by ${uuid} NOT NULL REFERENCES users,
      message_seq ${int} NOT NULL,
      created_at ${int} NOT NULL
    )`,
    'CREATE INDEX sidebars_by_message ON sidebars (message_id, id)',
    `CREATE TABLE sidebar_users (
      sidebar_id ${uuid} NOT NULL REFERENCES sidebars,
      user_id ${uuid} NOT NULL REFERENCES users,
      read_seq ${int} NOT NULL,
      PRIMARY KEY (sidebar_id, user_id)
    )`,
    'CREATE INDEX sidebar_users_by_user ON sidebar_users (user_id, sidebar_id)',
    `ALTER TABLE messages ADD COLUMN root_id ${uuid} REFERENCES messages`,
    `ALTER TABLE messages ADD COLUMN reply_seq ${int}`,
    `ALTER TABLE messages ADD COLUMN sidebar_id ${uuid} REFERENCES sidebars`,
    `ALTER TABLE messages ADD COLUMN sidebar_seq ${int}`,
    `ALTER TABLE messages ADD COLUMN events_json text NOT NULL DEFAULT '[]'`,
    `ALTER TABLE messages ADD COLUMN deleted_at ${int}`,
    'CREATE UNIQUE INDEX messages_by_root ON messages (root_id, reply_seq) WHERE root_id IS NOT NULL',
    'CREATE INDEX messages_by_replier ON messages (root_id, author_id) WHERE root_id IS NOT NULL',
    `CREATE UNIQUE INDEX messages_by_sidebar ON messages (sidebar_id, sidebar_seq)
      WHERE sidebar_id IS NOT NULL`,
    // What the lists show: what opens a conversation, by the id that orders them.
    'CREATE INDEX messages_of_team ON messages (team_id, id) WHERE seq IS NOT NULL',
    `CREATE TABLE high_fives (
      message_id ${uuid} NOT NULL REFERENCES messages,
      user_id ${uuid} NOT NULL REFERENCES users,
      created_at ${int} NOT NULL,
      PRIMARY KEY (message_id, user_id)
    )`,
    `CREATE TABLE message_states (
      user_id ${uuid} NOT NULL REFERENCES users,
      message_id ${uuid} NOT NULL REFERENCES messages,
      is_muted ${int} NOT NULL,
      is_unread ${int} NOT NULL,
      replies_read ${int} NOT NULL,
      PRIMARY KEY (user_id, message_id)
    )`,
    'CREATE INDEX message_states_unread ON message_states (user_id, message_id) WHERE is_unread = 1',
    'CREATE INDEX oauth_codes_by_team ON oauth_codes (team_id, application_id)',
    // What was written waits here until it is in the full-text index.
    `CREATE TABLE message_index_queue (message_id ${uuid} PRIMARY KEY REFERENCES messages)`,
    'INSERT INTO message_index_queue (message_id) SELECT id FROM messages',
    ...(dialect === 'sqlite' ? SQLITE_INDEX : POSTGRES_INDEX),
  ],
};

/** The words come from us, folded and cut: to "ascii" every letter beyond ASCII belongs to a word. */
const SQLITE_INDEX = [
  `CREATE TABLE message_index (
    place integer PRIMARY KEY AUTOINCREMENT,
    message_id text NOT NULL UNIQUE REFERENCES messages
  )`,
  `CREATE VIRTUAL TABLE message_words USING fts5 (
    scope, words, content='', contentless_delete=1, tokenize='ascii', prefix='1 2 3'
  )`,
];

const POSTGRES_INDEX = [
  `CREATE TABLE message_index (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid NOT NULL UNIQUE REFERENCES messages,
    words tsvector NOT NULL
  )`,
  'CREATE INDEX message_index_words ON message_index USING gin (words)',
];
