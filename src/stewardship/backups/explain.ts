import { isWithin } from '#platform/files/within.ts';

const FOLDER = 'Set BACKUP_DIR to a folder that the server may write.';
const NO_RIGHT =
  'may not be written by the user of the server. Give it to that user, or choose another folder.';
const NO_ROOM = 'has no room. There must be room for the archive, and beside it for a copy of the database.';

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: `is not a folder. ${FOLDER}`,
  ENOTDIR: `is not a folder. ${FOLDER}`,
  ENOENT: `leads nowhere, or was removed while the backup was made. ${FOLDER}`,
  ELOOP: `leads nowhere. ${FOLDER}`,
  ENAMETOOLONG: `is too long a name. ${FOLDER}`,
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: `is on a disk that is read-only. ${FOLDER}`,
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
  EFBIG: NO_ROOM,
};

/** As SQLite names its own errors. */
const SQLITE_CODES: Readonly<Record<number, string>> = { 8: 'EROFS', 13: 'ENOSPC', 14: 'EACCES' };

/** Why the folder cannot have a backup, and what to do; undefined where it is not the fault of the folder. */
export function explain(error: unknown, folder: string): string | undefined {
  const { code, errcode, path } = error as NodeJS.ErrnoException & { errcode?: number };
  // Of an upload that cannot be read, say.
  if (path !== undefined && !isWithin(path, folder)) return undefined;
  const reason = REASONS[errcode === undefined ? (code ?? '') : (SQLITE_CODES[errcode & 0xff] ?? '')];
  return reason === undefined ? undefined : `The backup failed: BACKUP_DIR "${folder}" ${reason}`;
}
