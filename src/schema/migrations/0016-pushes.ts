import type { Migration } from '#platform/db/index.ts';

/** Devices that get notifications, and what is to be pushed to them. */
export const pushes: Migration = {
  name: '0016-pushes',
  up: ({ uuid, int }) => [
    // A device is signed in: when its session ends, however that happens, it gets nothing more.
    `CREATE TABLE push_subscriptions (
      id ${uuid} PRIMARY KEY,
      user_id ${uuid} NOT NULL REFERENCES users,
      session_id ${uuid} NOT NULL REFERENCES sessions ON DELETE CASCADE,
      endpoint_hash text NOT NULL UNIQUE,
      secret_ciphertext text NOT NULL,
      user_agent text NOT NULL,
      lane ${int} NOT NULL,
      num_failures ${int} NOT NULL,
      failing_since ${int},
      not_before ${int} NOT NULL,
      told_at ${int},
      created_at ${int} NOT NULL
    )`,
    'CREATE INDEX push_subscriptions_by_user ON push_subscriptions (user_id)',
    'CREATE INDEX push_subscriptions_by_session ON push_subscriptions (session_id)',
    `CREATE TABLE pushes (
      id ${uuid} PRIMARY KEY,
      subscription_id ${uuid} NOT NULL REFERENCES push_subscriptions ON DELETE CASCADE,
      user_id ${uuid} NOT NULL,
      topic text NOT NULL,
      is_new ${int} NOT NULL,
      is_shown ${int} NOT NULL,
      message_id ${uuid},
      reason text NOT NULL,
      num_messages ${int} NOT NULL,
      next_attempt_at ${int},
      lease_until ${int} NOT NULL,
      created_at ${int} NOT NULL,
      UNIQUE (subscription_id, topic)
    )`,
    'CREATE INDEX pushes_due ON pushes (next_attempt_at) WHERE next_attempt_at IS NOT NULL',
    'CREATE INDEX pushes_shown ON pushes (user_id) WHERE is_shown = 1',
    'CREATE INDEX pushes_by_message ON pushes (message_id)',
    'CREATE INDEX pushes_by_age ON pushes (created_at)',
    `CREATE TABLE push_settings (
      user_id ${uuid} PRIMARY KEY REFERENCES users,
      settings_json text NOT NULL,
      wants_team ${int} NOT NULL
    )`,
    'CREATE INDEX push_settings_of_teams ON push_settings (user_id) WHERE wants_team = 1',
  ],
};
