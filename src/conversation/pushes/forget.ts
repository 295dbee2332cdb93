import type { Database, Rewriting, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import { purgePushes } from './push.store.ts';
import { forgetSubscriptions, rewriteSubscriptions } from './subscription.store.ts';
import { findPushKey, forgetPushKey, replacePushKey } from './vapid.store.ts';

/** A notification that stood for so long is not withdrawn any more. */
const SHOWN_FOR_MS = 7 * 24 * 3600 * 1000;

export const purgeShown = (db: Database, clock: Clock) =>
  cleaning(db, purgePushes, () => ({ before: clock() - SHOWN_FOR_MS }));

/** Gives up what only a lost encryption key can read: browsers subscribe again, with the new key of the server. */
export async function forgetPushes(tx: Tx): Promise<void> {
  await forgetSubscriptions.run(tx, {});
  await forgetPushKey.run(tx, {});
}

/** The secrets of all devices, and the key by which push services know the server. */
export const rewritePushes: Rewriting = async (db, change) => {
  await rewriteSubscriptions(db, change);
  await db.write(async (tx) => {
    const stored = await findPushKey.first(tx, {});
    if (stored) await replacePushKey.run(tx, { value: change(stored.value) });
  });
};
