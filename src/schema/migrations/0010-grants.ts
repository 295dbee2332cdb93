import type { Migration } from '#platform/db/index.ts';

export const grants: Migration = {
  name: '0010-grants',
  up: ({ uuid, int }) => [
    `CREATE TABLE agreements (
      id ${uuid} PRIMARY KEY,
      user_id ${uuid} NOT NULL REFERENCES users,
      application_id ${uuid} NOT NULL REFERENCES applications,
      team_id ${uuid} NOT NULL REFERENCES teams,
      scopes_json text NOT NULL,
      created_at ${int} NOT NULL,
      agreed_at ${int} NOT NULL,
      used_at ${int}
    )`,
    'CREATE UNIQUE INDEX agreements_of_person ON agreements (user_id, application_id, team_id)',
    'CREATE INDEX agreements_by_team ON agreements (team_id, application_id)',
    // Tokens from before keep what every application may do. Nobody was asked for more, so nobody agreed to it.
    `INSERT INTO agreements (id, user_id, application_id, team_id, scopes_json, created_at, agreed_at)
      SELECT CAST(min(CAST(id AS text)) AS ${uuid}), user_id, application_id, team_id, '[]', min(created_at), min(created_at)
      FROM oauth_grants WHERE revoked_at IS NULL
      GROUP BY user_id, application_id, team_id`,
    // Given away with the old token for as long as its grace lasts: see docs/security.md.
    'ALTER TABLE refresh_tokens ADD COLUMN successor_salt text',
    'CREATE INDEX refresh_tokens_in_grace ON refresh_tokens (rotated_at) WHERE successor_salt IS NOT NULL',
    'ALTER TABLE applications ADD COLUMN require_pkce integer NOT NULL DEFAULT 1',
    'ALTER TABLE applications ADD COLUMN initiate_login_uri text',
  ],
};
