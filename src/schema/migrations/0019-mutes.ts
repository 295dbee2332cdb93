import type { Migration } from '#platform/db/index.ts';

/** Mutes that end by themselves, and those of direct conversations; and which messages one push tells. */
export const mutes: Migration = {
  name: '0019-mutes',
  up: ({ uuid, int }) => [
    `CREATE TABLE mutes (
      id ${uuid} PRIMARY KEY,
      user_id ${uuid} NOT NULL REFERENCES users,
      kind text NOT NULL,
      place_id ${uuid} NOT NULL,
      muted_until ${int},
      created_at ${int} NOT NULL,
      UNIQUE (user_id, place_id)
    )`,
    'CREATE INDEX mutes_that_end ON mutes (muted_until) WHERE muted_until IS NOT NULL',
    "ALTER TABLE pushes ADD COLUMN message_ids text NOT NULL DEFAULT ''",
  ],
};
