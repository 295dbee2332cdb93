import type { Reader } from '#platform/db/index.ts';
import { copyDatabase } from '../../ops/backup/copy-database.ts';
import { packer } from '../../ops/backup/pack.ts';
import { findAttachment, pageOfEveryUpload } from '../conversation/attachments/index.ts';
import type { AppParts } from './parts.ts';

/** What makes archives of the database and, where they are in a folder, of the uploads. */
export function joinPacker({
  config,
  db,
  clock,
  version,
  files,
}: Pick<AppParts, 'config' | 'db' | 'clock' | 'version' | 'files'>) {
  return packer({
    clock,
    version,
    files: config.S3_BUCKET === undefined ? files : undefined,
    copyDatabase: (file, signal) => copyDatabase(db, file, signal),
    pageOfUploads,
    isKept: async (id) => (await findAttachment.first(db, { id })) !== undefined,
  });
}

/** Of the database itself, or of a copy. */
export const pageOfUploads = (from: Reader, page: { after: string; limit: number }) =>
  pageOfEveryUpload.all(from, page);
