import type { Cipher } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { madeOnce } from '#platform/made-once.ts';
import { newVapidSecret, type VapidKey, vapidKeyOf } from './protocol/vapid.ts';
import { findPushKey, insertPushKey } from './vapid.store.ts';

export type VapidKeys = () => Promise<VapidKey>;

/** The key by which push services know this server: made when it is first asked for, and the same on all nodes. */
export function vapidKeys(db: Database, cipher: Cipher): VapidKeys {
  const make = () =>
    db.write(async (tx) => {
      await insertPushKey.run(tx, { value: cipher.encrypt(newVapidSecret()) });
      return (await findPushKey.first(tx, {})) as { value: string };
    });

  return madeOnce(async () => {
    const stored = (await findPushKey.first(db, {})) ?? (await make());
    return vapidKeyOf(cipher.decrypt(stored.value));
  });
}
