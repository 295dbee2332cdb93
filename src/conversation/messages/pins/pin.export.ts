import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { PinRow } from '#schema';
import { type ExportPart, listPart } from '../../../stewardship/exports/index.ts';
import { pinsByPerson } from './pin.store.ts';

/** What the person has pinned in teams. */
export const pinsPart = (db: Database): ExportPart =>
  listPart<Omit<PinRow, 'user_id'>>(
    'pins.json',
    (page) => pinsByPerson.all(db, page),
    (row) => row.message_id,
    (row) => ({ message: row.message_id, team: row.team_id, pinned_at: timestamp(row.pinned_at) }),
  );
