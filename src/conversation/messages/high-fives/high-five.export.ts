import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import { type ExportPart, listPart } from '../../../stewardship/exports/index.ts';
import { pageOfHighFives } from './high-five.store.ts';

export const highFivesPart = (db: Database): ExportPart =>
  listPart<{ message_id: string; created_at: number }>(
    'high_fives.json',
    (page) => pageOfHighFives.all(db, page),
    (row) => row.message_id,
    (row) => ({ message: row.message_id, created_at: timestamp(row.created_at) }),
  );
