import type { Migration } from '#platform/db/index.ts';

/**
 * More letters are folded (ł, ø, æ). Names and messages that have them are folded again in the background: names are found by
 * the form of their key, messages by a pass through all of them, whose row says how far it is.
 */
export const folding: Migration = {
  name: '0034-folding',
  rolling: true,
  up: ({ uuid, int }) => [
    `CREATE INDEX users_with_former_search_key ON users (id)
      WHERE search_key IS NULL OR substr(search_key, 1, 1) = ' '`,
    `CREATE TABLE message_index_passes (
      id ${int} PRIMARY KEY,
      top_id ${uuid},
      before_id ${uuid},
      after_id ${uuid},
      due_at ${int}
    )`,
  ],
};
