import type { Migration } from '#platform/db/index.ts';

/** Since when a message waits to be indexed: its id tells when it was written, which may be long ago. 0 where an earlier release queued it. */
export const indexWaits: Migration = {
  name: '0037-index-waits',
  rolling: true,
  up: ({ int }) => [`ALTER TABLE message_index_queue ADD COLUMN queued_at ${int} NOT NULL DEFAULT 0`],
};
