import type { Migration } from '#platform/db/index.ts';

/**
 * People who are named, addressed or answered are found before those who want every message of a team, and authors take turns.
 * Jobs of earlier releases are of the first lane and of one source.
 */
export const noticeLanes: Migration = {
  name: '0035-notice-lanes',
  rolling: true,
  up: ({ int }) => [
    `ALTER TABLE notice_jobs ADD COLUMN lane ${int} NOT NULL DEFAULT 0`,
    "ALTER TABLE notice_jobs ADD COLUMN source text NOT NULL DEFAULT '-'",
    `CREATE INDEX notice_jobs_in_turn ON notice_jobs (lane, source, next_attempt_at)
      WHERE next_attempt_at IS NOT NULL`,
  ],
};
