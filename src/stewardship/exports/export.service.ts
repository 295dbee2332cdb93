import type { Readable } from 'node:stream';
import { attribute, NotAuthorized, type Origin, TooManyRequests } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { archive } from '#platform/files/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { cleaning, type KeepLease, LEASE_MS } from '#platform/jobs/index.ts';
import type { UserRow } from '#schema';
import type { Recorder } from '../audit/index.ts';
import type { ExportPart } from './export.part.ts';
import { claimExport, purgeExports, releaseExport, renewExport } from './export.store.ts';

export type ExportService = ReturnType<typeof exportService>;

/** Packs what the server holds of a person into an archive for them; the parts come from the domains. */
export function exportService(deps: {
  db: Database;
  clock: Clock;
  record: Recorder;
  keepLease: KeepLease;
  findUser: (tx: Tx, id: string) => Promise<UserRow | undefined>;
  /** In the order of the archive. */
  parts: readonly ExportPart[];
}) {
  const { db, clock, record, keepLease, findUser, parts } = deps;
  /** Until their leases are given back. */
  const underWay = new Map<Readable, Promise<void>>();
  let isStopping = false;

  async function* filesOf(user: UserRow) {
    for (const part of parts) yield* part(user);
  }

  /** @throws TooManyRequests while another export of the same person is under way, on any node */
  async function claim(userId: string, token: string, origin: Origin) {
    return db.write(async (tx) => {
      attribute(tx, origin);
      const now = clock();
      const expiresAt = now + LEASE_MS;
      const user = await findUser(tx, userId);
      if (!user || user.deleted_at !== null) throw new NotAuthorized();
      const claimed = await claimExport.first(tx, { userId, token, now, expiresAt });
      if (!claimed) throw new TooManyRequests('export', LEASE_MS / 1000);
      await record(tx, { action: 'account.exported', target: ['user', userId] });
      return { user, expiresAt };
    });
  }

  /** @returns a ZIP archive, made while it is read */
  async function open(userId: string, origin: Origin): Promise<Readable> {
    const token = newId();
    const { user, expiresAt } = await claim(userId, token, origin);
    const lease = keepLease(expiresAt, (tx, to) => renewExport.first(tx, { id: userId, ...to }));
    const release = () => db.write((tx) => releaseExport.run(tx, { userId, token }));
    const over = Promise.withResolvers<void>();
    const made = archive(filesOf(user), new Date(clock()), {
      complete: release,
      over: async () => {
        try {
          await lease.end();
          await release();
        } finally {
          underWay.delete(made);
          over.resolve();
        }
      },
    });
    underWay.set(made, over.promise);
    if (isStopping) stop();
    return made;
  }

  /** Ends the downloads that are under way or about to begin: a server that stops cannot wait for a slow connection. */
  function stop(): void {
    isStopping = true;
    for (const made of underWay.keys()) made.destroy(new Error('the server is stopping'));
  }

  /** @returns once no download is under way, and no lease is held */
  const settle = async () => void (await Promise.all(underWay.values()));

  /** Deletes the leases that a killed server left. */
  const purge = cleaning(db, purgeExports, () => ({ now: clock() }));

  return { open, purge, settle, stop };
}
