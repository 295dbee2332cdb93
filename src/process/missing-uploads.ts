import { buffer } from 'node:stream/consumers';
import type { FileStore } from '#platform/files/index.ts';

/** The newest and the oldest are looked for, so many of each. */
const LOOKED_FOR = 20;

/** The names of uploads in the store, for `ask`. */
const sample = (direction: 'ASC' | 'DESC') =>
  `SELECT file FROM attachments WHERE status = 'ready' ORDER BY id ${direction} LIMIT ${LOOKED_FOR}`;

export interface LookedFor {
  readonly looked: number;
  readonly missing: number;
}

/**
 * Looks for some uploads that the database names. They are missing where a server has another folder than the one that
 * stored them: after a move of the database alone, or beside a second server without a common folder.
 */
export async function lookForUploads(
  ask: (sql: string) => Promise<readonly { file: string }[]>,
  files: FileStore,
): Promise<LookedFor> {
  const rows = [...(await ask(sample('DESC'))), ...(await ask(sample('ASC')))];
  const names = [...new Set(rows.map(({ file }) => file))];
  let missing = 0;
  for (const name of names) {
    const found = await files.get(name, { first: 0, last: 0 });
    if (found) await buffer(found);
    else missing++;
  }
  return { looked: names.length, missing };
}

/** @returns a sentence with advice if uploads are missing */
export function tellMissing({ looked, missing }: LookedFor): string | undefined {
  if (missing === 0) return undefined;
  return (
    `Of ${looked} uploads that the database names, ${missing} cannot be found, and cannot be opened. ` +
    'All servers need the same uploads: one folder DATA_DIR/files that they share, or the same S3 settings. After a move ' +
    'or a restore, copy that folder from the former server.'
  );
}
