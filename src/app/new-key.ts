import { rewriteAnswers } from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Database, Rewriting } from '#platform/db/index.ts';
import { rewriteMails } from '../conversation/mails/index.ts';
import { rewritePushes } from '../conversation/pushes/index.ts';
import { rewriteSecrets } from '../integration/applications/index.ts';
import { rewriteIncomingKeys } from '../integration/incoming/index.ts';
import { rewriteKeys } from '../integration/subscriptions/index.ts';

/** All that is encrypted, domain by domain. */
const ENCRYPTED: Readonly<Record<string, Rewriting>> = {
  'secrets of applications': rewriteSecrets,
  'keys of webhooks': rewriteKeys,
  'keys of incoming webhooks': rewriteIncomingKeys,
  devices: rewritePushes,
  mails: rewriteMails,
  'kept answers': rewriteAnswers,
};

/**
 * Encrypts everything again, with another key. Run again, it goes on: a text tells by which key it can be read.
 * @param tell told of each kind when it is done: how many texts were encrypted now, and how many neither key can read
 */
export async function encryptAgain(
  db: Database,
  former: Cipher,
  next: Cipher,
  tell: (what: string, counts: { now: number; lost: number }) => void,
): Promise<void> {
  for (const [what, rewrite] of Object.entries(ENCRYPTED)) {
    const counts = { now: 0, lost: 0 };
    await rewrite(db, (text) => {
      // An answer that is not there yet.
      if (text === '' || read(next, text) !== undefined) return text;
      const plain = read(former, text);
      counts[plain === undefined ? 'lost' : 'now']++;
      return plain === undefined ? text : next.encrypt(plain);
    });
    tell(what, counts);
  }
}

function read(cipher: Cipher, text: string): string | undefined {
  try {
    return cipher.decrypt(text);
  } catch {
    // Encrypted with another key.
    return undefined;
  }
}
