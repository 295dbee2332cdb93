import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { MuteRow } from '#schema';
import { type ExportPart, listPart } from '../../stewardship/exports/index.ts';
import { pageOfMutes } from './mute.store.ts';

/** The direct conversations that the person muted, and when other mutes end. */
export const mutesPart = (db: Database): ExportPart =>
  listPart<MuteRow>(
    'mutes.json',
    (page) => pageOfMutes.all(db, page),
    (row) => row.id,
    (row) => ({
      kind: row.kind,
      place: row.place_id,
      until: row.muted_until === null ? null : timestamp(row.muted_until),
    }),
  );
