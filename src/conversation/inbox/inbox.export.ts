import type { Database } from '#platform/db/index.ts';
import type { InboxEntryRow } from '#schema';
import { type ExportPart, listPart } from '../../stewardship/exports/index.ts';
import { pageOfOwnEntries } from './inbox.store.ts';

/** The conversations that concern the person, and why. */
export const inboxPart = (db: Database): ExportPart =>
  listPart<InboxEntryRow>(
    'inbox.json',
    (page) => pageOfOwnEntries.all(db, page),
    (row) => row.conversation_id,
    (row) => ({
      message: row.root_id,
      sidebar: row.sidebar_id,
      team: row.team_id,
      last: row.activity_id,
      reasons: row.reasons.split(','),
    }),
  );
