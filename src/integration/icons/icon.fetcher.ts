import { Readable } from 'node:stream';
import { Stopping } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { Spool } from '#platform/files/index.ts';
import type { Clock } from '#platform/ids.ts';
import { type OnAttempt, type Rounds, retryAt, startRounds } from '#platform/jobs/index.ts';
import { isBrokenOff, type Outbound } from '#platform/outbound/index.ts';
import type { Pictures } from '#platform/pictures/index.ts';
import type { ApplicationIconRow } from '#schema';
import { squarePicture } from '../../people/users/index.ts';
import { claimIcon, findDueIcon, settleIcon } from './icon.store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A picture at the same address may change. */
export const ICON_REFRESH_MS = 24 * HOUR_MS;
export const ICON_BACKOFF_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  ICON_REFRESH_MS,
];
const LEASE_MS = 2 * MINUTE_MS;
const AT_ONCE = 8;
export const MAX_ICON_BYTES = 1024 * 1024;
const EDGE = 128;

/**
 * Fetches the pictures that applications have as icons. A browser that fetched one from the application's own server
 * would tell its owner who looks at it, and from where. Each owner has one fetch under way at most, so that an owner
 * whose server is slow delays no other.
 */
export function startIconFetcher(deps: {
  db: Database;
  clock: Clock;
  outbound: Outbound;
  spool: Spool;
  pictures: Pictures;
  intervalMs: number;
  onAttempt: OnAttempt;
  onError: (error: unknown) => void;
}): Rounds {
  const { db, clock, outbound, spool, pictures, intervalMs, onAttempt, onError } = deps;
  /** The fetch that is under way for an owner. */
  const underWay = new Map<string, Promise<void>>();

  /** Only a picture, encoded again. @throws Stopping */
  async function fetchPicture(source: string, ownerId: string): Promise<string | undefined> {
    const answer = await outbound.get(source, MAX_ICON_BYTES, ownerId);
    if (isBrokenOff(answer)) throw new Stopping();
    if (!answer.ok || answer.status !== 200 || answer.truncated) return undefined;
    const file = await spool.receive(Readable.from([answer.bytes]));
    try {
      const origin = { source: `icons of ${ownerId}`, known: false };
      const square = await squarePicture(pictures, { origin, file: file.path, edge: EDGE });
      return square && Buffer.from(square).toString('base64');
    } finally {
      await file.discard();
    }
  }

  async function fetchOne(id: string, ownerId: string): Promise<void> {
    const now = clock();
    const icon = await db.write((tx) => claimIcon.first(tx, { id, now, leaseUntil: now + LEASE_MS }));
    if (!icon) return;
    try {
      await settle(icon, await fetchPicture(icon.source, ownerId));
    } catch (error) {
      if (!(error instanceof Stopping)) throw error;
      // Left for the next start, or for another node.
      await db.write((tx) => settleIcon.run(tx, icon));
    }
  }

  async function settle(icon: ApplicationIconRow, fetched: string | undefined): Promise<void> {
    const now = clock();
    const retry = fetched === undefined ? retryAt(now, ICON_BACKOFF_MS, icon.num_failures) : undefined;
    onAttempt(retry === undefined ? 'succeeded' : retry === null ? 'given_up' : 'failed');
    await db.write((tx) =>
      settleIcon.run(tx, {
        ...icon,
        content: fetched ?? icon.content,
        num_failures: fetched === undefined ? icon.num_failures + 1 : 0,
        next_fetch_at: retry === undefined ? now + ICON_REFRESH_MS : retry,
      }),
    );
  }

  async function work(): Promise<void> {
    while (underWay.size < AT_ONCE) {
      const busyOwners = [...underWay.keys()];
      const next = await findDueIcon.first(db, { now: clock(), busyOwners });
      if (!next) break;
      begin(next);
    }
  }

  function begin({ application_id, owner_id }: { application_id: string; owner_id: string }): void {
    // After a fault of the database the next round comes with its interval, not at once.
    const done = fetchOne(application_id, owner_id)
      .finally(() => underWay.delete(owner_id))
      .then(rounds.wake, onError);
    underWay.set(owner_id, done);
  }

  const rounds = startRounds({ work, intervalMs, onError });
  return {
    wake: rounds.wake,
    stop: async () => {
      await rounds.stop();
      await Promise.all(underWay.values());
    },
  };
}
