import type { Cipher } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { newVapidSecret, type VapidKey, vapidKeyOf } from './protocol/vapid.ts';
import { findPushKey, insertPushKey } from './vapid.store.ts';

export type VapidKeys = () => Promise<VapidKey>;

/** The key by which push services know this server: made when it is first asked for, and the same on all nodes. */
export function vapidKeys(db: Database, cipher: Cipher): VapidKeys {
  let known: Promise<VapidKey> | undefined;

  async function load(): Promise<VapidKey> {
    const stored = (await findPushKey.first(db, {})) ?? (await make());
    return vapidKeyOf(cipher.decrypt(stored.value));
  }

  const make = () =>
    db.write(async (tx) => {
      await insertPushKey.run(tx, { value: cipher.encrypt(newVapidSecret()) });
      return (await findPushKey.first(tx, {})) as { value: string };
    });

  return () => {
    known ??= load().catch((error: unknown) => {
      // The database may be back at the next call.
      known = undefined;
      throw error;
    });
    return known;
  };
}
