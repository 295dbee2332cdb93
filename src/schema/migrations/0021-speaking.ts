import type { Migration } from '#platform/db/index.ts';

/** Applications and incoming webhooks write messages as themselves: each has an author, which is no account. */
export const speaking: Migration = {
  name: '0021-speaking',
  up: ({ uuid, int }) => [
    `ALTER TABLE users ADD COLUMN is_application ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE applications ADD COLUMN author_id ${uuid} REFERENCES users`,
    `ALTER TABLE event_subscriptions ADD COLUMN own_messages ${int} NOT NULL DEFAULT 0`,
    `CREATE TABLE incoming_webhooks (
      id ${uuid} PRIMARY KEY,
      team_id ${uuid} NOT NULL REFERENCES teams,
      author_id ${uuid} NOT NULL REFERENCES users,
      created_by ${uuid} NOT NULL REFERENCES users,
      secret_hash text NOT NULL UNIQUE,
      key_ciphertext text,
      created_at ${int} NOT NULL,
      updated_at ${int} NOT NULL,
      used_at ${int}
    )`,
    'CREATE INDEX incoming_webhooks_of_team ON incoming_webhooks (team_id)',
    'CREATE INDEX incoming_webhooks_of_author ON incoming_webhooks (author_id)',
  ],
};
