import type { Database } from '#platform/db/index.ts';
import { type ExportPart, jsonFile } from '../../stewardship/exports/index.ts';
import { listOwned } from './application.store.ts';
import { presentApplication } from './application.view.ts';

export function applicationsPart(db: Database): ExportPart {
  return async function* applications({ id: ownerId }) {
    const rows = await listOwned.all(db, { ownerId });
    yield* jsonFile(
      'applications.json',
      rows.map((row) => presentApplication(row, { origin: '', allowLoopback: false })),
    );
  };
}
