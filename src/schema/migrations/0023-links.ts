import type { Migration } from '#platform/db/index.ts';

/** Applications hear of links to themselves: these begin with addresses that they name. */
export const links: Migration = {
  name: '0023-links',
  up: () => [`ALTER TABLE applications ADD COLUMN link_prefixes_json text NOT NULL DEFAULT '[]'`],
};
