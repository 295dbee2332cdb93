import type { Reader } from '#platform/db/index.ts';
import { copyDatabase } from '../../ops/backup/copy-database.ts';
import { packer } from '../../ops/backup/pack.ts';
import { findAttachment, pageOfEveryUpload } from '../conversation/attachments/index.ts';
import type { AppParts } from './parts.ts';

/** Joins the packer of backups: the database, and the uploads if they are in a folder. */
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

/** Uploads in the database itself, or in a copy of it. */
export const pageOfUploads = (from: Reader, page: { after: string; limit: number }) =>
  pageOfEveryUpload.all(from, page);
