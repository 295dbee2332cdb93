import type { Database } from '#platform/db/index.ts';
import { entriesOfActor } from '../audit/index.ts';
import { type ExportPart, jsonListFile } from './export.part.ts';

/** The person's entries in the audit log. */
export function auditPart(db: Database): ExportPart {
  return ({ id: userId }) => jsonListFile('audit.json', single(entriesOfActor(db, userId)));
}

async function* single(items: AsyncIterable<object>): AsyncGenerator<object[]> {
  for await (const item of items) yield [item];
}
