import { type Cipher, randomToken } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { listSigned, replaceIncomingKey } from './webhook.store.ts';

/**
 * Replaces the keys that only a lost key can read by ones that nobody has: signed calls are refused until an admin of the team
 * renews the address. Without a key they would need no signature.
 */
export async function renewIncomingKeys(tx: Tx, cipher: Cipher): Promise<void> {
  for (const { id } of await listSigned.all(tx, {}))
    await replaceIncomingKey.run(tx, { id, ciphertext: cipher.encrypt(randomToken()) });
}
