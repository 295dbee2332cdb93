import type { Migration } from '#platform/db/index.ts';

/** What the pages of the web application show, and nothing held so far. */
export const pages: Migration = {
  name: '0008-pages',
  up: ({ uuid, int }) => [
    `CREATE TABLE application_steps (
      application_id ${uuid} NOT NULL REFERENCES applications,
      step text NOT NULL,
      done_at ${int} NOT NULL,
      PRIMARY KEY (application_id, step)
    )`,
    // What happened before: of the use of tokens only what was posted with them is left.
    firstOf('callback_answered', 'min(updated_at)', "deliveries WHERE status = 'delivered'"),
    firstOf('installed', 'min(created_at)', "installations WHERE status IN ('active', 'removed')"),
    firstOf('code_exchanged', 'min(created_at)', 'oauth_grants'),
    firstOf('object_made', 'min(created_at)', 'objects'),
    firstOf('token_used', 'min(created_at)', 'messages WHERE application_id IS NOT NULL'),
    firstOf('message_posted', 'min(created_at)', 'messages WHERE application_id IS NOT NULL'),
    // The newest installations of an application, and how many are active.
    'DROP INDEX installations_by_application',
    'CREATE INDEX installations_of_application ON installations (application_id, id)',
    'CREATE INDEX users_by_standing ON users (active) WHERE deleted_at IS NULL',
    "CREATE INDEX installations_active ON installations (application_id) WHERE status = 'active'",
  ],
};

const firstOf = (step: string, first: string, rows: string) =>
  `INSERT INTO application_steps (application_id, step, done_at)
    SELECT application_id, '${step}', ${first} FROM ${rows} GROUP BY application_id`;
