import { forgetSchedule } from '../stewardship/backups/index.ts';
import { recordCommand, withDatabase } from './with-database.ts';

/**
 * Ends a restore. Scheduled backups begin under another name: the server that the backup was made of may still keep its own in the
 * same folder.
 */
export const noteRestore = () =>
  withDatabase(async (db) => {
    await db.write((tx) => forgetSchedule.run(tx, {}));
    await recordCommand(db, 'restore');
  });
