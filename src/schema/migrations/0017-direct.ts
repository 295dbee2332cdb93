import type { Migration } from '#platform/db/index.ts';

/**
 * Direct messages between the same people make one conversation. A server that starts finds those of older messages, some
 * at a time: the id is a hash of the participants.
 */
export const direct: Migration = {
  name: '0017-direct',
  up: ({ uuid }) => [
    `CREATE TABLE conversations (id ${uuid} PRIMARY KEY, newest_id ${uuid} NOT NULL)`,
    `CREATE TABLE conversation_users (
      user_id ${uuid} NOT NULL REFERENCES users,
      conversation_id ${uuid} NOT NULL REFERENCES conversations,
      PRIMARY KEY (user_id, conversation_id)
    )`,
    'CREATE INDEX conversation_users_by_conversation ON conversation_users (conversation_id)',
    `ALTER TABLE messages ADD COLUMN conversation_id ${uuid}`,
    'CREATE INDEX messages_of_conversation ON messages (conversation_id, id) WHERE conversation_id IS NOT NULL',
    `CREATE INDEX messages_without_conversation ON messages (id)
      WHERE conversation_id IS NULL AND team_id IS NULL AND root_id IS NULL AND sidebar_id IS NULL`,
  ],
};
