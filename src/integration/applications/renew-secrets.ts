import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { newCredential, newId } from '#platform/ids.ts';
import { deleteEverySecret, insertSecret, listEveryConfidential } from './application.store.ts';

/** Replaces the secrets that only a lost key can read by one for each application that has one. @returns how many these are */
export async function renewSecrets(tx: Tx, cipher: Cipher): Promise<number> {
  await deleteEverySecret.run(tx, {});
  const applications = await listEveryConfidential.all(tx, {});
  for (const { id } of applications) {
    const ciphertext = cipher.encrypt(newCredential());
    // Time 0: the secret has not been shown, so its owner can rotate it at once.
    await insertSecret.run(tx, { id: newId(), application_id: id, ciphertext, created_at: 0 });
  }
  return applications.length;
}
