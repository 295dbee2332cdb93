import type { Readable } from 'node:stream';
import type { Database } from '#platform/db/index.ts';
import { archive } from '#platform/files/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { attribute, NotAuthorized, type Origin, TooManyRequests } from '../api/index.ts';
import type { Recorder } from '../audit/index.ts';
import type { UserRow } from '../schema/index.ts';
import { findUser } from '../users/index.ts';
import type { ExportPart } from './export.part.ts';
import { claimExport, purgeExports, releaseExport, renewExport } from './export.store.ts';

/** A server that is killed in the middle keeps its user waiting so long. */
const LEASE_MS = 2 * 60_000;
const RENEW_MS = 30_000;

export type ExportService = ReturnType<typeof exportService>;

/** Gives people what the server holds of them. */
export function exportService(deps: {
  db: Database;
  clock: Clock;
  record: Recorder;
  parts: readonly ExportPart[];
}) {
  const { db, clock, record, parts } = deps;
  const underWay = new Set<Readable>();
  let isStopping = false;

  async function* filesOf(user: UserRow) {
    for (const part of parts) yield* part(user);
  }

  /** @throws TooManyRequests while another export of the same person is under way, on any node */
  async function claim(userId: string, token: string, origin: Origin): Promise<UserRow> {
    return db.write(async (tx) => {
      attribute(tx, origin);
      const now = clock();
      const user = await findUser.first(tx, { id: userId });
      if (!user || user.deleted_at !== null) throw new NotAuthorized();
      const claimed = await claimExport.first(tx, { userId, token, now, expiresAt: now + LEASE_MS });
      if (!claimed) throw new TooManyRequests('export', LEASE_MS / 1000);
      await record(tx, { action: 'account.exported', target: ['user', userId] });
      return user;
    });
  }

  /** @returns a ZIP archive, made while it is read */
  async function open(userId: string, origin: Origin): Promise<Readable> {
    const token = newId();
    const user = await claim(userId, token, origin);
    const renew = () =>
      db.write((tx) => renewExport.all(tx, { userId, token, expiresAt: clock() + LEASE_MS }));
    // A renewal that fails is made up for by the next one, or by the export's own failing.
    const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
    timer.unref();
    const release = () => db.write((tx) => releaseExport.all(tx, { userId, token }));
    const made = archive(filesOf(user), new Date(clock()), {
      complete: release,
      over: () => {
        clearInterval(timer);
        underWay.delete(made);
        return release();
      },
    });
    underWay.add(made);
    if (isStopping) stop();
    return made;
  }

  /** Breaks off what is under way or about to be: a server that stops cannot wait for somebody's slow connection. */
  function stop(): void {
    isStopping = true;
    for (const made of underWay) made.destroy(new Error('the server is stopping'));
  }

  /** What a killed server left. */
  const purge = () => db.write((tx) => purgeExports.all(tx, { now: clock() }));

  return { open, purge, stop };
}
