import type { Migration } from '#platform/db/index.ts';

/**
 * A search waits for what was queued before it: rows of the queue have numbers, which on SQLite they have by themselves.
 * Messages that mention a renamed object are indexed anew in the background, by a row for each object.
 */
export const searchJobs: Migration = {
  name: '0032-search-jobs',
  rolling: true,
  up: ({ uuid, int }, dialect) => [
    ...(dialect === 'postgres'
      ? [
          'ALTER TABLE message_index_queue ADD COLUMN number bigserial',
          'CREATE INDEX message_index_queue_by_number ON message_index_queue (number)',
        ]
      : []),
    `CREATE TABLE message_index_jobs (
      object_id ${uuid} PRIMARY KEY REFERENCES objects,
      application_id ${uuid} NOT NULL REFERENCES applications,
      is_wanted ${int} NOT NULL,
      place ${int},
      num_left ${int} NOT NULL,
      due_at ${int} NOT NULL,
      lease_until ${int} NOT NULL
    )`,
    'CREATE INDEX message_index_jobs_due ON message_index_jobs (due_at)',
    'CREATE INDEX message_index_jobs_of_application ON message_index_jobs (application_id, due_at)',
  ],
};
