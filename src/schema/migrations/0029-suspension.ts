import type { Migration } from '#platform/db/index.ts';

/** An application sleeps when its hands change, or when the operator decides so; then a team agrees to it again. */
export const suspension: Migration = {
  name: '0029-suspension',
  rolling: true,
  up: () => [
    'ALTER TABLE applications ADD COLUMN suspended_at bigint',
    'ALTER TABLE applications ADD COLUMN awaits_owner_since bigint',
    'ALTER TABLE applications ADD COLUMN awaits_owner_why text',
    'ALTER TABLE applications ADD COLUMN woken_at bigint NOT NULL DEFAULT 0',
    'ALTER TABLE installations ADD COLUMN asleep_since bigint',
    'ALTER TABLE installations ADD COLUMN woken_at bigint NOT NULL DEFAULT 0',
  ],
};
