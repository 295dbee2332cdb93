import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { ScheduledRow } from '#schema';
import { type ExportPart, listPart } from '../../stewardship/exports/index.ts';
import { pageOfScheduled } from './scheduled.store.ts';

/** What the person has scheduled, reminders too. What was sent is among their messages. */
export const scheduledPart = (db: Database): ExportPart =>
  listPart<ScheduledRow>(
    'scheduled.json',
    (page) => pageOfScheduled.all(db, page),
    (row) => row.id,
    (row) => ({
      kind: row.kind,
      local: row.local_time,
      zone: row.zone,
      at: timestamp(row.send_at),
      status: row.status,
      reason: row.reason,
      asked: row.body_json === null ? null : JSON.parse(row.body_json),
      message: row.message_id,
      created_at: timestamp(row.created_at),
    }),
  );
