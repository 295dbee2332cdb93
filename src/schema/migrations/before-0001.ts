import type { Predecessor } from '#platform/db/index.ts';
import {
  blockedApplications,
  commandChoices,
  customEmoji,
  groups,
  interactions,
  joining,
  listIndexes,
  previews,
  reactions,
  savedAndPinned,
  scheduled,
  subjectIndexes,
  subjects,
  unfurls,
} from './0001-initial.ts';

/**
 * The last list of migrations before they became one, and what brings its databases to `0001-initial.ts` as it was
 * released. Databases of earlier lists are refused.
 */
export const before: Predecessor = {
  digest: {
    sqlite: '474f41f899a1427a611043d720e154bd46bacd9e50ac45c7b8e0dd62cc80785a',
    postgres: '4bac3a8fa302c366a9412a3d6fbc79a1927172afef7b72855990986ad7f240c6',
  },
  up: (types, dialect) => [
    // Keys that must be unique compare by bytes, so that an upgrade of the system's collations leaves their indexes alone.
    ...(dialect === 'postgres' ? KEYS : []).map(
      ([table, column]) => `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE ${types.sortable}`,
    ),
    'ALTER TABLE users ADD COLUMN status_json text',
    `ALTER TABLE users ADD COLUMN status_until ${types.int}`,
    `ALTER TABLE users ADD COLUMN do_not_disturb_until ${types.int} NOT NULL DEFAULT 0`,
    `ALTER TABLE users ADD COLUMN is_invisible ${types.int} NOT NULL DEFAULT 0`,
    `ALTER TABLE teams ADD COLUMN description text NOT NULL DEFAULT ''`,
    `ALTER TABLE teams ADD COLUMN is_open ${types.int} NOT NULL DEFAULT 0`,
    `ALTER TABLE teams ADD COLUMN programs_notify ${types.int} NOT NULL DEFAULT 0`,
    'CREATE INDEX teams_open ON teams (id) WHERE is_open = 1',
    `ALTER TABLE invitations ADD COLUMN user_id ${types.uuid} REFERENCES users`,
    'CREATE INDEX memberships_by_time ON memberships (team_id, created_at)',
    `ALTER TABLE pushes ADD COLUMN invitation_id ${types.uuid}`,
    ...joining(types, dialect),
    ...groups(types, dialect),
    ...subjects(types, dialect),
    `ALTER TABLE messages ADD COLUMN subject_id ${types.uuid} REFERENCES subjects`,
    ...subjectIndexes(types, dialect),
    `ALTER TABLE memberships ADD COLUMN subjects_read ${types.int} NOT NULL DEFAULT 0`,
    // The version of the folding stood before the words by which people are found.
    'DROP INDEX users_with_former_search_key',
    'DROP INDEX users_without_search_key',
    'ALTER TABLE users RENAME COLUMN search_key TO former_key',
    "ALTER TABLE users ADD COLUMN search_key text NOT NULL DEFAULT ''",
    `UPDATE users SET search_key = CASE WHEN former_key LIKE '2%' THEN substr(former_key, 2)
      ELSE ' ' || name_key || ' ' || username_key END WHERE former_key IS NULL OR former_key <> ''`,
    'ALTER TABLE users DROP COLUMN former_key',
    'ALTER TABLE users ADD COLUMN time_zone text',
    'CREATE INDEX users_by_name ON users (name_key, id) WHERE deleted_at IS NULL',
    'CREATE INDEX installations_of_team ON installations (team_id, id)',
    'DROP INDEX sessions_by_user',
    'CREATE INDEX sessions_by_user ON sessions (user_id, id)',
    // Its servers have found the conversation of each direct message, and folded each text as now.
    'DROP INDEX messages_without_conversation',
    'DROP TABLE message_index_passes',
    // What an application had before admins were asked is theirs to have granted.
    'ALTER TABLE installations RENAME COLUMN link_prefixes_json TO former_links',
    `ALTER TABLE installations ADD COLUMN link_prefixes_json text NOT NULL DEFAULT '{"granted":[],"declined":[]}'`,
    `UPDATE installations SET
      link_prefixes_json = coalesce(former_links, '{"granted":' || (SELECT applications.link_prefixes_json
        FROM applications WHERE applications.id = application_id) || ',"declined":[]}'),
      scope_history_json = CASE scope_history_json
        WHEN '[]' THEN '[{"at":' || created_at || ',"by":"' || installed_by || '","scopes":' || scopes_json || ',"declined":[]}]'
        ELSE replace(scope_history_json, '"by":null', '"by":"' || installed_by || '"') END`,
    'ALTER TABLE installations DROP COLUMN former_links',
    'ALTER TABLE delivery_attempts RENAME COLUMN url TO former_url',
    "ALTER TABLE delivery_attempts ADD COLUMN url text NOT NULL DEFAULT ''",
    `UPDATE delivery_attempts SET
      url = coalesce(former_url, (SELECT deliveries.url FROM deliveries WHERE deliveries.id = delivery_id))`,
    'ALTER TABLE delivery_attempts DROP COLUMN former_url',
    ...customEmoji(types, dialect),
    ...reactions(types, dialect),
    `INSERT INTO reactions (user_id, message_id, emoji, given, created_at)
      SELECT user_id, message_id, '🙌', '🙌', created_at FROM high_fives`,
    'DROP TABLE high_fives',
    'ALTER TABLE messages ADD COLUMN reactions_json text',
    'ALTER TABLE messages ADD COLUMN format text',
    'ALTER TABLE message_versions ADD COLUMN format text',
    'ALTER TABLE messages ADD COLUMN blocks_json text',
    'ALTER TABLE message_versions ADD COLUMN blocks_json text',
    'ALTER TABLE message_versions ADD COLUMN names_json text',
    `UPDATE messages SET reactions_json = '[["🙌",' || num_high_fives || ']]' WHERE num_high_fives > 0`,
    'ALTER TABLE notice_jobs ADD COLUMN call_json text',
    `UPDATE notice_jobs SET kind = 'reaction' WHERE kind = 'high_five'`,
    `UPDATE inbox_entries SET reasons = replace(reasons, 'high_five', 'reaction')`,
    `UPDATE inbox_entries SET done_json = replace(done_json, '"highFive"', '"reacted"')`,
    ...[
      ['high_five', 'reaction_added'],
      ['high_five_withdrawn', 'reaction_removed'],
    ].map(
      ([former, change]) => `UPDATE events SET
        data_json = replace(data_json, '"change":"${former}"', '"change":"${change}","emoji":"🙌"')
        WHERE kind = 'message.updated' AND data_json LIKE '%"change":"${former}"%'`,
    ),
    'ALTER TABLE inbox_entries RENAME COLUMN high_five_id TO reacted_id',
    `ALTER TABLE message_attachments ADD COLUMN place_id ${types.uuid}`,
    `UPDATE message_attachments SET place_id = (SELECT coalesce(messages.team_id, messages.conversation_id,
      (SELECT root.conversation_id FROM messages AS root WHERE root.id = messages.root_id))
      FROM messages WHERE messages.id = message_attachments.message_id)`,
    'CREATE INDEX message_attachments_by_place ON message_attachments (place_id, message_id, attachment_id)',
    `ALTER TABLE teams ADD COLUMN link_previews text NOT NULL DEFAULT 'people'`,
    ...(dialect === 'postgres'
      ? [
          'ALTER TABLE unfurls ALTER COLUMN team_id DROP NOT NULL',
          'ALTER TABLE unfurls ALTER COLUMN application_id DROP NOT NULL',
          `ALTER TABLE unfurls ADD COLUMN picture_id ${types.uuid}`,
        ]
      : [
          // SQLite drops no NOT NULL.
          'DROP INDEX unfurls_of_installation',
          'DROP INDEX unfurls_of_message',
          'ALTER TABLE unfurls RENAME TO former_unfurls',
          ...unfurls(types, dialect),
          `INSERT INTO unfurls (id, message_id, team_id, application_id, url, card_json, removed_at)
            SELECT id, message_id, team_id, application_id, url, card_json, removed_at FROM former_unfurls`,
          'DROP TABLE former_unfurls',
        ]),
    `ALTER TABLE event_subscriptions ADD COLUMN is_own ${types.int} NOT NULL DEFAULT 0`,
    'CREATE UNIQUE INDEX event_subscriptions_own ON event_subscriptions (application_id) WHERE is_own = 1',
    ...previews(types, dialect),
    ...interactions(types, dialect),
    "ALTER TABLE applications ADD COLUMN commands_json text NOT NULL DEFAULT '[]'",
    "ALTER TABLE applications ADD COLUMN shortcuts_json text NOT NULL DEFAULT '[]'",
    `ALTER TABLE applications ADD COLUMN has_home ${types.int} NOT NULL DEFAULT 0`,
    ...commandChoices(types, dialect),
    `ALTER TABLE messages ADD COLUMN direct_team_id ${types.uuid} REFERENCES teams`,
    `ALTER TABLE messages ADD COLUMN direct_application_id ${types.uuid} REFERENCES applications`,
    ...blockedApplications(types, dialect),
    `ALTER TABLE messages ADD COLUMN was_saved ${types.int} NOT NULL DEFAULT 0`,
    `ALTER TABLE messages ADD COLUMN is_pinned ${types.int} NOT NULL DEFAULT 0`,
    ...savedAndPinned(types, dialect),
    ...scheduled(types, dialect),
    'DROP INDEX objects_by_application',
    ...listIndexes(types, dialect),
    'CREATE INDEX agreements_by_application ON agreements (application_id)',
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
