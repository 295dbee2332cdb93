import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { SavedMessageRow } from '#schema';
import { type ExportPart, listPart } from '../../../stewardship/exports/index.ts';
import { exportSaved } from './saved.store.ts';

export const savedPart = (db: Database): ExportPart =>
  listPart<Omit<SavedMessageRow, 'user_id'>>(
    'saved.json',
    (page) => exportSaved.all(db, page),
    (row) => row.message_id,
    (row) => ({ message: row.message_id, saved_at: timestamp(row.saved_at) }),
  );
