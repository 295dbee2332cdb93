import type { Migration } from '#platform/db/index.ts';

export const following: Migration = {
  name: '0008-following',
  up: ({ uuid }, dialect) => [
    // Everything read at once: replies up to this id.
    `ALTER TABLE users ADD COLUMN all_read_up_to ${uuid}`,
    `ALTER TABLE message_states ADD COLUMN read_up_to ${uuid}`,
    // The index knows more of each message: all wait to be brought in again.
    ...(dialect === 'sqlite' ? SQLITE_INDEX : POSTGRES_INDEX),
    'CREATE INDEX message_index_by_time ON message_index (created_at, place)',
    'DELETE FROM message_index_queue',
    'INSERT INTO message_index_queue (message_id) SELECT id FROM messages WHERE deleted_at IS NULL',
  ],
};

const SQLITE_INDEX = [
  'DROP TABLE message_words',
  'DROP TABLE message_index',
  `CREATE TABLE message_index (
    place integer PRIMARY KEY,
    message_id text NOT NULL UNIQUE REFERENCES messages,
    created_at integer NOT NULL
  )`,
  `CREATE VIRTUAL TABLE message_words USING fts5 (
    scope, words, content='', contentless_delete=1, tokenize='ascii', prefix='1 2 3'
  )`,
];

const POSTGRES_INDEX = [
  'DELETE FROM message_index',
  'ALTER TABLE message_index ADD COLUMN created_at bigint NOT NULL',
];
