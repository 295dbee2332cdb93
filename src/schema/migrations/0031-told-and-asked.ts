import type { Migration } from '#platform/db/index.ts';

/**
 * When, and from where, a token of an application itself was last told of in the audit log; and what a team's admin
 * decided about the links that the application hears of. Null for an installation from before they were asked: all that
 * the application has so far.
 */
export const toldAndAsked: Migration = {
  name: '0031-told-and-asked',
  rolling: true,
  up: () => [
    'ALTER TABLE oauth_grants ADD COLUMN told_at bigint NOT NULL DEFAULT 0',
    'ALTER TABLE oauth_grants ADD COLUMN told_address text',
    'ALTER TABLE installations ADD COLUMN link_prefixes_json text',
  ],
};
