import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { BlockedApplicationRow } from '#schema';
import { type ExportPart, listPart } from '../../../stewardship/exports/index.ts';
import { pageOfBlocks } from './application.store.ts';

/** The applications that the person blocked. */
export const blocksPart = (db: Database): ExportPart =>
  listPart<BlockedApplicationRow>(
    'blocked_applications.json',
    (page) => pageOfBlocks.all(db, page),
    (row) => row.application_id,
    (row) => ({ application: row.application_id, blocked_at: timestamp(row.created_at) }),
  );
