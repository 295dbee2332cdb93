import type { Migration } from '#platform/db/index.ts';

/**
 * Mails about teams are made from the streams and from how far each person was told, instead of a row for each message and
 * member. Teams in which messages still wait to be expanded are gone through at once.
 */
export const mailStreams: Migration = {
  name: '0036-mail-streams',
  rolling: true,
  up: ({ uuid, int }) => [
    `CREATE TABLE mail_streams (
      team_id ${uuid} PRIMARY KEY REFERENCES teams,
      after_seq ${int} NOT NULL,
      up_to_seq ${int},
      cursor text NOT NULL,
      num_failures ${int} NOT NULL,
      due_at ${int},
      created_at ${int} NOT NULL
    )`,
    'CREATE INDEX mail_streams_due ON mail_streams (due_at) WHERE due_at IS NOT NULL',
    `CREATE TABLE mail_cursors (
      user_id ${uuid} NOT NULL REFERENCES users,
      team_id ${uuid} NOT NULL REFERENCES teams,
      told_seq ${int} NOT NULL,
      waits ${int} NOT NULL,
      PRIMARY KEY (user_id, team_id)
    )`,
    `ALTER TABLE mail_notifications ADD COLUMN mail_id ${uuid}`,
    'CREATE INDEX mail_notifications_of_mail ON mail_notifications (mail_id) WHERE mail_id IS NOT NULL',
    `INSERT INTO mail_streams (team_id, after_seq, up_to_seq, cursor, num_failures, due_at, created_at)
      SELECT messages.team_id, min(messages.seq) - 1, NULL, '${LOWEST_ID}', 0, 0, 0
      FROM notice_jobs INNER JOIN messages ON messages.id = notice_jobs.message_id
      WHERE notice_jobs.kind = 'message' AND notice_jobs.next_attempt_at IS NOT NULL
        AND messages.team_id IS NOT NULL AND messages.seq IS NOT NULL
      GROUP BY messages.team_id`,
  ],
};

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
