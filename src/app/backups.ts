import type { Reader } from '#platform/db/index.ts';
import { packer } from '../../ops/backup/pack.ts';
import { snapshotDatabase } from '../../ops/backup/snapshot-database.ts';
import { findAttachment, pageOfEveryUpload } from '../conversation/attachments/index.ts';
import { findAnyPicture, pageOfEveryPicture } from '../conversation/pictures/index.ts';
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
    snapshotDatabase: (file, signal) => snapshotDatabase(db, file, signal),
    pageOfUploads,
    isKept: async (id) =>
      ((await findAttachment.first(db, { id })) ?? (await findAnyPicture.first(db, { id }))) !== undefined,
  });
}

/** Uploads, and pictures of previews, in the database itself, or in a copy of it. */
export async function pageOfUploads(from: Reader, page: { after: string; limit: number }) {
  const uploads = await pageOfEveryUpload.all(from, page);
  const pictures = (await hasPictures(from)) ? await pageOfEveryPicture.all(from, page) : [];
  return [...uploads, ...pictures.map((row) => ({ ...row, thumbnail_file: null }))]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, page.limit);
}

/** A backup from before there were any is checked before it is brought up to date. */
async function hasPictures(from: Reader): Promise<boolean> {
  if (from.dialect === 'postgres') return true;
  return (await from.all("SELECT name FROM sqlite_master WHERE name = 'pictures'", [])).length > 0;
}
