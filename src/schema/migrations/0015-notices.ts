import type { Migration } from '#platform/db/index.ts';

export const notices: Migration = {
  name: '0015-notices',
  up: ({ uuid, int }) => [
    // Whom a message concerns is found for mails and for all else: the queue is no longer one of mails.
    `CREATE TABLE notice_jobs (
      id ${uuid} PRIMARY KEY,
      kind text NOT NULL,
      message_id ${uuid} NOT NULL REFERENCES messages,
      cursor text NOT NULL,
      num_failures ${int} NOT NULL,
      next_attempt_at ${int},
      created_at ${int} NOT NULL
    )`,
    'CREATE INDEX notice_jobs_due ON notice_jobs (next_attempt_at) WHERE next_attempt_at IS NOT NULL',
    `INSERT INTO notice_jobs (id, kind, message_id, cursor, num_failures, next_attempt_at, created_at)
      SELECT id, kind, message_id, cursor, num_failures, next_attempt_at, created_at
      FROM mail_jobs WHERE kind = 'message' AND message_id IS NOT NULL`,
    "DELETE FROM mail_jobs WHERE kind = 'message'",
  ],
};
