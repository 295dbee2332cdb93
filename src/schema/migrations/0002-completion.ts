import type { Migration } from '#platform/db/index.ts';

/** Release 0.1.0 had no queue for the full-text index: its second migration got one afterwards. */
export const queueOfIndex: Migration['completion'] = {
  table: 'message_index_queue',
  up: ({ uuid }) => [
    `CREATE TABLE message_index_queue (message_id ${uuid} PRIMARY KEY REFERENCES messages)`,
    'INSERT INTO message_index_queue (message_id) SELECT id FROM messages',
  ],
};
