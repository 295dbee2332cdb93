import type { Migration } from '#platform/db/index.ts';

/** Applications show what links to them lead to: cards below messages. */
export const unfurls: Migration = {
  name: '0024-unfurls',
  rolling: true,
  up: ({ uuid, int }) => [
    `CREATE TABLE unfurls (
      id ${uuid} PRIMARY KEY,
      message_id ${uuid} NOT NULL REFERENCES messages,
      team_id ${uuid} NOT NULL REFERENCES teams,
      application_id ${uuid} NOT NULL REFERENCES applications,
      url text NOT NULL,
      card_json text NOT NULL,
      removed_at ${int}
    )`,
    'CREATE INDEX unfurls_of_message ON unfurls (message_id)',
    'CREATE INDEX unfurls_of_installation ON unfurls (application_id, team_id)',
    `ALTER TABLE messages ADD COLUMN has_unfurls ${int} NOT NULL DEFAULT 0`,
  ],
};
