import type { Migration } from '#platform/db/index.ts';

export const mail: Migration = {
  name: '0004-mail',
  up: ({ uuid, int }) => [
    `CREATE TABLE mails (
      id ${uuid} PRIMARY KEY,
      kind text NOT NULL,
      user_id ${uuid} REFERENCES users,
      recipient text NOT NULL,
      subject text NOT NULL,
      body_ciphertext text NOT NULL,
      message_id text NOT NULL UNIQUE,
      status text NOT NULL,
      reason text,
      num_attempts ${int} NOT NULL,
      num_failures ${int} NOT NULL,
      next_attempt_at ${int},
      lease_until ${int} NOT NULL,
      created_at ${int} NOT NULL,
      updated_at ${int} NOT NULL
    )`,
    'CREATE INDEX mails_due ON mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL',
    'CREATE INDEX mails_by_age ON mails (created_at)',
    'CREATE INDEX mails_by_recipient ON mails (lower(recipient), created_at)',
    `CREATE TABLE mail_jobs (
      id ${uuid} PRIMARY KEY,
      kind text NOT NULL,
      message_id ${uuid} REFERENCES messages,
      email_key text,
      cursor text NOT NULL,
      num_failures ${int} NOT NULL,
      next_attempt_at ${int},
      created_at ${int} NOT NULL
    )`,
    'CREATE INDEX mail_jobs_due ON mail_jobs (next_attempt_at) WHERE next_attempt_at IS NOT NULL',
    `CREATE TABLE mail_notifications (
      user_id ${uuid} NOT NULL REFERENCES users,
      message_id ${uuid} NOT NULL REFERENCES messages,
      reason text NOT NULL,
      created_at ${int} NOT NULL,
      collected_at ${int},
      PRIMARY KEY (user_id, message_id)
    )`,
    `CREATE INDEX mail_notifications_waiting ON mail_notifications (user_id, message_id)
      WHERE collected_at IS NULL`,
    'CREATE INDEX mail_notifications_by_age ON mail_notifications (created_at)',
    `CREATE TABLE mail_batches (
      user_id ${uuid} PRIMARY KEY REFERENCES users,
      due_at ${int} NOT NULL
    )`,
    'CREATE INDEX mail_batches_due ON mail_batches (due_at)',
    `CREATE TABLE account_tokens (
      token_hash text PRIMARY KEY,
      kind text NOT NULL,
      user_id ${uuid} NOT NULL REFERENCES users,
      email_key text NOT NULL,
      created_at ${int} NOT NULL,
      expires_at ${int} NOT NULL
    )`,
    'CREATE INDEX account_tokens_by_user ON account_tokens (user_id, kind)',
    'CREATE INDEX account_tokens_by_end ON account_tokens (expires_at)',
  ],
};
