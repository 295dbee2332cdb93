import type { Migration } from '#platform/db/index.ts';

/** An admin declines scopes that an application asks for, and sees who granted what, and when. */
export const scopeHistory: Migration = {
  name: '0025-scope-history',
  rolling: true,
  up: () => [
    `ALTER TABLE installations ADD COLUMN declined_json text NOT NULL DEFAULT '[]'`,
    `ALTER TABLE installations ADD COLUMN scope_history_json text NOT NULL DEFAULT '[]'`,
  ],
};
