import type { Migration } from '#platform/db/index.ts';

/** An application may have no secret (RFC 6749 §2.1), and its owner reads why it got no token. */
export const publicClients: Migration = {
  name: '0030-public-clients',
  rolling: true,
  up: ({ uuid, int }) => [
    "ALTER TABLE applications ADD COLUMN token_endpoint_auth_method text NOT NULL DEFAULT 'client_secret_basic'",
    `CREATE TABLE token_failures (
      application_id ${uuid} NOT NULL REFERENCES applications,
      grant_type text NOT NULL,
      reason text NOT NULL,
      num ${int} NOT NULL,
      first_at ${int} NOT NULL,
      last_at ${int} NOT NULL,
      PRIMARY KEY (application_id, grant_type, reason)
    )`,
  ],
};
