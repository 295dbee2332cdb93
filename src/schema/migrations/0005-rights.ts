import type { Migration } from '#platform/db/index.ts';

export const rights: Migration = {
  name: '0005-rights',
  up: ({ uuid, int, sortable }, dialect) => [
    // No foreign keys: the log outlives what it tells of.
    `CREATE TABLE audit_log (
      id ${uuid} PRIMARY KEY,
      at ${int} NOT NULL,
      actor_id ${uuid},
      actor_kind text NOT NULL,
      action ${sortable} NOT NULL,
      target_kind text,
      target_id ${uuid},
      team_id ${uuid},
      address text,
      detail_json text NOT NULL
    )`,
    'CREATE INDEX audit_log_by_time ON audit_log (at, id)',
    'CREATE INDEX audit_log_by_actor ON audit_log (actor_id, at, id)',
    'CREATE INDEX audit_log_by_team ON audit_log (team_id, at, id)',
    'CREATE INDEX audit_log_by_target ON audit_log (target_id, at, id)',
    'CREATE INDEX audit_log_by_action ON audit_log (action, at, id)',
    `ALTER TABLE users ADD COLUMN deleted_at ${int}`,
    'CREATE INDEX users_superuser ON users (id) WHERE superuser = 1',
    'CREATE INDEX invitations_by_email ON invitations (email_key)',
    `ALTER TABLE teams ADD COLUMN deleted_at ${int}`,
    `ALTER TABLE teams ADD COLUMN erasing ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE teams ADD COLUMN erased_at ${int}`,
    'UPDATE teams SET deleted_at = updated_at WHERE active = 0',
    'CREATE INDEX teams_to_erase ON teams (deleted_at) WHERE active = 0 AND erasing = 0',
    // What is erased team by team: replies and sidebars, which have no place in the stream, objects and calls.
    'CREATE INDEX messages_beside_stream ON messages (team_id, id) WHERE seq IS NULL',
    'CREATE INDEX objects_by_team ON objects (team_id, id)',
    'CREATE INDEX deliveries_by_team ON deliveries (team_id, id)',
    `CREATE TABLE erasures (
      subject_id ${uuid} PRIMARY KEY,
      kind text NOT NULL,
      step ${int} NOT NULL,
      place text NOT NULL,
      due_at ${int} NOT NULL,
      lease_until ${int} NOT NULL
    )`,
    'CREATE INDEX erasures_due ON erasures (due_at)',
    // What one person takes along.
    'CREATE INDEX high_fives_by_user ON high_fives (user_id, message_id)',
    'CREATE INDEX installations_by_installer ON installations (installed_by, id)',
    `CREATE TABLE export_leases (
      user_id ${uuid} PRIMARY KEY,
      token text NOT NULL,
      expires_at ${int} NOT NULL
    )`,
    ...(dialect === 'postgres' ? SHARED_COUNTS : []),
  ],
};

/** Not logged: counts of a minute need to survive no crash. SQLite has one process, which counts by itself. */
const SHARED_COUNTS = [
  `CREATE UNLOGGED TABLE rate_counts (
    window_id bigint NOT NULL,
    key text NOT NULL,
    node text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (window_id, key, node)
  )`,
];
