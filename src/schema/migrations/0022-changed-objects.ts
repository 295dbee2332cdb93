import type { Migration } from '#platform/db/index.ts';

/** Applications rename their objects: messages from before show the new name. */
export const changedObjects: Migration = {
  name: '0022-changed-objects',
  up: ({ int }) => [`ALTER TABLE objects ADD COLUMN renamed_at ${int}`],
};
