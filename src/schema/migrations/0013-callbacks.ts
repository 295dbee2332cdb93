import type { Migration } from '#platform/db/index.ts';

/** Calls to one application do not delay those to another, and each says which installation it is about. */
export const callbacks: Migration = {
  name: '0013-callbacks',
  up: ({ uuid, int }) => [
    // The attempts of the worker that failed: those by hand do not count.
    `ALTER TABLE deliveries ADD COLUMN num_failures ${int} NOT NULL DEFAULT 0`,
    `UPDATE deliveries SET num_failures = CASE WHEN num_attempts > 7 THEN 7 ELSE num_attempts END
      WHERE status = 'pending' AND kind IN ('uninstall', 'team_update')`,
    // What waits for each application, and what is under way to it.
    `CREATE INDEX deliveries_waiting ON deliveries (application_id, next_attempt_at)
      WHERE next_attempt_at IS NOT NULL`,
    'CREATE INDEX deliveries_leased ON deliveries (application_id) WHERE lease_until > 0',
    `CREATE TABLE callback_queues (
      application_id ${uuid} PRIMARY KEY REFERENCES applications,
      called_at ${int} NOT NULL,
      num_failures ${int} NOT NULL,
      failing_since ${int},
      num_pauses ${int} NOT NULL,
      paused_until ${int} NOT NULL
    )`,
    `INSERT INTO callback_queues (application_id, called_at, num_failures, num_pauses, paused_until)
      SELECT id, 0, 0, 0, 0 FROM applications`,
    // How many calls told the application of an installation.
    `ALTER TABLE installations ADD COLUMN num_calls ${int} NOT NULL DEFAULT 0`,
    // Who invited whom, and the invitations that end with the inviter's rights.
    'CREATE INDEX invitations_to ON invitations (team_id, email_key) WHERE accepted_at IS NULL',
    'CREATE INDEX invitations_by ON invitations (inviter_id) WHERE accepted_at IS NULL',
    // What was mailed within a day, so that nobody fills mailboxes with invitations.
    `CREATE TABLE invitation_mails (
      id ${uuid} PRIMARY KEY,
      team_id ${uuid} NOT NULL,
      inviter_id ${uuid} NOT NULL,
      email_key text NOT NULL,
      created_at ${int} NOT NULL
    )`,
    'CREATE INDEX invitation_mails_by_time ON invitation_mails (created_at)',
    // Pictures of applications, fetched so that browsers need not.
    `CREATE TABLE application_icons (
      application_id ${uuid} PRIMARY KEY REFERENCES applications,
      source text NOT NULL,
      content text,
      num_failures ${int} NOT NULL,
      next_fetch_at ${int},
      lease_until ${int} NOT NULL
    )`,
    'CREATE INDEX application_icons_due ON application_icons (next_fetch_at) WHERE next_fetch_at IS NOT NULL',
    `INSERT INTO application_icons (application_id, source, num_failures, next_fetch_at, lease_until)
      SELECT id, icon, 0, 0, 0 FROM applications WHERE lower(icon) LIKE 'http://%' OR lower(icon) LIKE 'https://%'`,
  ],
};
