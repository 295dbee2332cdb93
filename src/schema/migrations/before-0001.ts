import type { Predecessor } from '#platform/db/index.ts';

/**
 * The last list of migrations before they became one. A change of `0001-initial.ts` before the release of 0.1.0 adds its
 * statements here, so that those databases follow; databases of earlier lists are refused.
 */
export const before: Predecessor = {
  digest: {
    sqlite: '474f41f899a1427a611043d720e154bd46bacd9e50ac45c7b8e0dd62cc80785a',
    postgres: '4bac3a8fa302c366a9412a3d6fbc79a1927172afef7b72855990986ad7f240c6',
  },
  up: ({ sortable }, dialect) => [
    // Keys that must be unique compare by bytes, so that an upgrade of the system's collations leaves their indexes alone.
    ...(dialect === 'postgres' ? KEYS : []).map(
      ([table, column]) => `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE ${sortable}`,
    ),
  ],
};

/** The schema that those migrations made on SQLite, where backups come from: `digestOfSchema` of `ops/backup/schema.ts`. */
export const SCHEMA_BEFORE = '0a7db08c9caec492dfefd6d15d8f569580b031d9c11efdbd354e63c2c53a1723';

const KEYS = [
  ['access_tokens', 'token_hash'],
  ['account_tokens', 'token_hash'],
  ['application_steps', 'step'],
  ['event_consumers', 'kind'],
  ['event_consumers', 'name'],
  ['idempotency_keys', 'key'],
  ['idempotency_keys', 'scope'],
  ['incoming_webhooks', 'secret_hash'],
  ['invitations', 'token_hash'],
  ['mails', 'message_id'],
  ['oauth_codes', 'code_hash'],
  ['presence', 'node_id'],
  ['push_subscriptions', 'endpoint_hash'],
  ['pushes', 'topic'],
  ['rate_counts', 'key'],
  ['rate_counts', 'node'],
  ['refresh_tokens', 'token_hash'],
  ['server_state', 'name'],
  ['sessions', 'token_hash'],
  ['sign_in_pace', 'key'],
  ['token_failures', 'grant_type'],
  ['token_failures', 'reason'],
  ['user_images', 'variant'],
  ['users', 'email_key'],
  ['users', 'username_key'],
] as const;
