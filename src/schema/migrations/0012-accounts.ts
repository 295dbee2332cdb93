import type { Migration } from '#platform/db/index.ts';

export const accounts: Migration = {
  name: '0012-accounts',
  up: ({ int }) => [
    // When the password was last shown in this session.
    `ALTER TABLE sessions ADD COLUMN confirmed_at ${int} NOT NULL DEFAULT 0`,
    // A sign-up on a server that has accounts is not the first, also where the first one was made before this entry.
    `INSERT INTO server_state (name, value) SELECT 'first_account', 'made' WHERE EXISTS (SELECT 1 FROM users)
      ON CONFLICT DO NOTHING`,
    // How far a caller is ahead of the pace at which passwords may be tried. The keys are signatures: they name nobody.
    `CREATE TABLE sign_in_pace (
      key text PRIMARY KEY,
      arrival_at ${int} NOT NULL
    )`,
    'CREATE INDEX sign_in_pace_by_end ON sign_in_pace (arrival_at)',
  ],
};
