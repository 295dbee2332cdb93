import type { Migration } from '#platform/db/index.ts';

export const attachments: Migration = {
  name: '0003-attachments',
  up: ({ uuid, int }) => [
    `CREATE TABLE attachments (
      id ${uuid} PRIMARY KEY,
      user_id ${uuid} NOT NULL REFERENCES users,
      status text NOT NULL,
      name text NOT NULL,
      content_type text NOT NULL,
      size ${int} NOT NULL,
      width ${int},
      height ${int},
      file text NOT NULL,
      thumbnail_file text,
      num_messages ${int} NOT NULL,
      released_at ${int} NOT NULL,
      created_at ${int} NOT NULL
    )`,
    'CREATE INDEX attachments_released ON attachments (released_at) WHERE num_messages = 0',
    'CREATE INDEX attachments_by_user ON attachments (user_id, size)',
    // Deferred: what a message holds is checked before the message's own row is written.
    `CREATE TABLE message_attachments (
      message_id ${uuid} NOT NULL REFERENCES messages DEFERRABLE INITIALLY DEFERRED,
      attachment_id ${uuid} NOT NULL REFERENCES attachments,
      PRIMARY KEY (message_id, attachment_id)
    )`,
    'CREATE INDEX message_attachments_by_attachment ON message_attachments (attachment_id, message_id)',
  ],
};
