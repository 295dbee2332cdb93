import { restoreCopy } from '../../ops/copy/restore.ts';
import { restore } from '../../ops/restore/restore.ts';
import { pageOfUploads } from '../app/backups.ts';
import { withDatabase } from '../process/with-database.ts';
import { forgetSchedule } from '../stewardship/backups/index.ts';
import { recordCommand } from './as-operator.ts';

/**
 * Ends a restore. Scheduled backups begin under another name: the server that the backup was made of may still keep its own in the
 * same folder.
 */
const noteRestore = () =>
  withDatabase(async (db) => {
    await db.write((tx) => forgetSchedule.run(tx, {}));
    await recordCommand(db, 'restore');
  });

export const restoreBackup = (file: string, options: { check?: boolean }) =>
  restore(file, options, { pageOfUploads, noteRestore });

export const restoreFromCopy = (file: string | undefined, options: Parameters<typeof restoreCopy>[1]) =>
  restoreCopy(file, options, noteRestore);
