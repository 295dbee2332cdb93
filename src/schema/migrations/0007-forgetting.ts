import type { Migration } from '#platform/db/index.ts';

export const forgetting: Migration = {
  name: '0007-forgetting',
  up: () => [
    // What a deleted person was sent.
    'CREATE INDEX mails_by_user ON mails (user_id)',
  ],
};
