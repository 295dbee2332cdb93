import type { Database } from '#platform/db/index.ts';
import type { MessageStateRow } from '#schema';
import { type ExportPart, listPart } from '../../../stewardship/exports/index.ts';
import { pageOfStates } from './reading.store.ts';

/** The conversations that the person muted or marked unread, and the replies that they read. */
export const statesPart = (db: Database): ExportPart =>
  listPart<MessageStateRow>(
    'message_states.json',
    (page) => pageOfStates.all(db, page),
    (row) => row.message_id,
    (row) => ({
      message: row.message_id,
      is_muted: row.is_muted === 1,
      is_unread: row.is_unread === 1,
      replies_read: row.replies_read,
    }),
  );
