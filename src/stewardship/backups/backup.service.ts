import type { Readable } from 'node:stream';
import { attribute, NotAllowed, type Origin, TooManyRequests, Unavailable } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { Spool } from '#platform/files/index.ts';
import type { Pack } from '../../../ops/backup/pack.ts';
import type { Recorder } from '../audit/index.ts';

const RETRY_S = 60;

export type BackupService = ReturnType<typeof backupService>;

/** The database and the uploads as one archive, for an administrator to take along. */
export function backupService(deps: {
  db: Database;
  allowed: boolean;
  /** Whether uploads are part of it. */
  hasUploads: boolean;
  pack: Pack;
  spool: Spool;
  record: Recorder;
}) {
  const { db, allowed, hasUploads, pack, spool, record } = deps;
  const stopping = new AbortController();
  let isBusy = false;

  /** Files that a full backup also needs and this archive leaves out. */
  const lacks = ['encryption.key', 'cookie.key', ...(hasUploads ? [] : ['uploads'])];

  /** @returns a ZIP archive, made while it is read @throws NotAllowed, TooManyRequests */
  async function make(origin: Origin): Promise<Readable> {
    if (!allowed) throw new NotAllowed('backup_off', 'The operator has switched this off (ADMIN_BACKUP)');
    if (isBusy) throw new TooManyRequests('backup', RETRY_S);
    const told = (action: 'backup.downloaded' | 'backup.made') =>
      db.write((tx) => {
        attribute(tx, origin);
        return record(tx, { action });
      });
    isBusy = true;
    let copy: Awaited<ReturnType<Spool['reserve']>> | undefined;
    const over = async () => {
      isBusy = false;
      await copy?.discard();
    };
    try {
      await told('backup.downloaded');
      copy = await spool.reserve();
      return await pack({
        copy: copy.path,
        // A download that breaks off is not a backup.
        complete: () => told('backup.made'),
        over,
        signal: stopping.signal,
      });
    } catch (error) {
      await over();
      throw stopping.signal.aborted ? new Unavailable() : error;
    }
  }

  /** Ends the downloads that are under way: a server that stops cannot wait for a slow connection. */
  function stop(): void {
    stopping.abort(new Error('the server is stopping'));
  }

  return { make, lacks, stop };
}
