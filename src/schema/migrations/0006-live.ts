import type { Migration } from '#platform/db/index.ts';

export const live: Migration = {
  name: '0006-live',
  up: ({ uuid, int }, dialect) => [
    'ALTER TABLE users RENAME COLUMN seen_at TO online_until',
    // PostgreSQL commits in another order than it numbers: there, places are given once events are committed.
    `CREATE TABLE events (
      ${dialect === 'sqlite' ? '' : 'id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,'}
      place ${dialect === 'sqlite' ? 'integer PRIMARY KEY AUTOINCREMENT' : 'bigint UNIQUE'},
      kind text NOT NULL,
      audience text NOT NULL,
      audience_id ${uuid} NOT NULL,
      data_json text NOT NULL,
      created_at ${int} NOT NULL
    )`,
    'CREATE INDEX events_by_time ON events (created_at)',
    ...(dialect === 'sqlite' ? [] : ['CREATE INDEX events_unplaced ON events (id) WHERE place IS NULL']),
    `CREATE TABLE presence (
      user_id ${uuid} NOT NULL REFERENCES users,
      node_id text NOT NULL,
      lease_until ${int} NOT NULL,
      PRIMARY KEY (user_id, node_id)
    )`,
    'CREATE INDEX presence_by_node ON presence (node_id)',
    'CREATE INDEX presence_by_end ON presence (lease_until)',
  ],
};
