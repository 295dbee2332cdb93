import type { Migration } from '#platform/db/index.ts';

/** Applications subscribe to events, and read them from the log by team. */
export const subscriptions: Migration = {
  name: '0020-subscriptions',
  up: ({ uuid, int }) => [
    "CREATE INDEX events_of_teams ON events (audience_id, place) WHERE audience = 'team'",
    `CREATE TABLE event_subscriptions (
      id ${uuid} PRIMARY KEY,
      application_id ${uuid} NOT NULL REFERENCES applications,
      kinds_json text NOT NULL,
      teams_json text,
      mentions_only ${int} NOT NULL,
      object_type text,
      begins_at ${int} NOT NULL,
      webhook_url text,
      batch ${int} NOT NULL,
      key_ciphertext text,
      previous_key_ciphertext text,
      previous_key_until ${int},
      ended text,
      num_failures ${int} NOT NULL,
      failing_since ${int},
      num_pauses ${int} NOT NULL,
      paused_until ${int} NOT NULL,
      called_at ${int} NOT NULL,
      created_at ${int} NOT NULL,
      updated_at ${int} NOT NULL
    )`,
    'CREATE INDEX event_subscriptions_of_application ON event_subscriptions (application_id)',
    `CREATE TABLE event_consumers (
      id ${uuid} PRIMARY KEY,
      subscription_id ${uuid} NOT NULL REFERENCES event_subscriptions,
      kind text NOT NULL,
      name text NOT NULL,
      place ${int} NOT NULL,
      up_to ${int},
      used_at ${int} NOT NULL,
      created_at ${int} NOT NULL,
      UNIQUE (subscription_id, kind, name)
    )`,
    `CREATE TABLE event_copies (
      id ${uuid} PRIMARY KEY,
      consumer_id ${uuid} NOT NULL REFERENCES event_consumers,
      lease_until ${int} NOT NULL
    )`,
    'CREATE INDEX event_copies_of_consumer ON event_copies (consumer_id)',
    `CREATE TABLE event_cursors (
      id ${uuid} PRIMARY KEY,
      consumer_id ${uuid} NOT NULL REFERENCES event_consumers,
      team_id ${uuid} NOT NULL REFERENCES teams,
      place ${int} NOT NULL,
      copy_id ${uuid},
      lease_until ${int} NOT NULL,
      due_at ${int} NOT NULL,
      num_failures ${int} NOT NULL,
      failing_since ${int},
      sent_to ${int},
      delivery_id ${uuid},
      UNIQUE (consumer_id, team_id)
    )`,
    'CREATE INDEX event_cursors_of_team ON event_cursors (team_id)',
    'CREATE INDEX event_cursors_of_copy ON event_cursors (copy_id) WHERE copy_id IS NOT NULL',
    `ALTER TABLE deliveries ADD COLUMN subscription_id ${uuid}`,
  ],
};
