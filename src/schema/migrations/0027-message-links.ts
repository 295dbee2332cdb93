import type { Migration } from '#platform/db/index.ts';

/** The links of a message are found once, when its text is written. Null where they are not known: then they are found again. */
export const messageLinks: Migration = {
  name: '0027-message-links',
  rolling: true,
  up: () => ['ALTER TABLE messages ADD COLUMN links_json text'],
};
