import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { Outbound } from '#platform/outbound/index.ts';
import type { ApplicationIconRow } from '#schema';
import { squarePicture } from '../../people/users/index.ts';
import { anyIconDue, claimIcons, finishIcon } from './icon.store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A picture at the same address may change. */
export const ICON_REFRESH_MS = 24 * HOUR_MS;
const RETRIES_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, ICON_REFRESH_MS];
const LEASE_MS = 2 * MINUTE_MS;
const AT_ONCE = 4;
export const MAX_ICON_BYTES = 1024 * 1024;
const EDGE = 128;

/**
 * Fetches the pictures that applications have as icons, so that the browsers of those who look at them do not: an icon on
 * the application's own server would tell its owner who looks, and from where.
 * @returns one round of work
 */
export function iconFetcher(deps: { db: Database; clock: Clock; outbound: Outbound }) {
  const { db, clock, outbound } = deps;

  /** Only a picture, encoded anew. */
  async function fetchPicture(source: string): Promise<string | undefined> {
    const answer = await outbound.get(source, MAX_ICON_BYTES);
    if (!answer.ok || answer.status !== 200 || answer.truncated) return undefined;
    return (await squarePicture(answer.bytes, EDGE))?.toString('base64');
  }

  async function fetchOne(icon: ApplicationIconRow): Promise<void> {
    const fetched = await fetchPicture(icon.source);
    const now = clock();
    const wait = fetched === undefined ? RETRIES_MS[icon.num_failures] : ICON_REFRESH_MS;
    await db.write((tx) =>
      finishIcon.run(tx, {
        ...icon,
        content: fetched ?? icon.content,
        num_failures: fetched === undefined ? icon.num_failures + 1 : 0,
        next_fetch_at: wait === undefined ? null : now + wait,
      }),
    );
  }

  return async function work(): Promise<boolean> {
    const now = clock();
    if (!(await anyIconDue.first(db, { now }))) return false;
    const lease = { now, leaseUntil: now + LEASE_MS, limit: AT_ONCE };
    const due = await db.write((tx) => claimIcons.all(tx, lease));
    await Promise.all(due.map(fetchOne));
    return due.length === AT_ONCE;
  };
}
