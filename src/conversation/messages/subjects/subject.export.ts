import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { SubjectRow } from '#schema';
import { type ExportPart, listPart } from '../../../stewardship/exports/index.ts';
import { pageOfNamed } from './subject.store.ts';

/** The subjects that the person named first. */
export const subjectsPart = (db: Database): ExportPart =>
  listPart<SubjectRow>(
    'subjects.json',
    (page) => pageOfNamed.all(db, page),
    (row) => row.id,
    (row) => ({
      ...{ id: row.id, team: row.team_id, name: row.name, closed: row.closed_at !== null },
      created_at: timestamp(row.created_at),
    }),
  );
