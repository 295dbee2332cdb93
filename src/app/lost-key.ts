import { forgetAnswers } from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import type { Tx } from '#platform/db/index.ts';
import { forgetMails } from '../conversation/mails/index.ts';
import { forgetPushes } from '../conversation/pushes/index.ts';
import { renewSecrets } from '../integration/applications/index.ts';
import { renewIncomingKeys } from '../integration/incoming/index.ts';
import { endKeys } from '../integration/subscriptions/index.ts';

/**
 * Deals with rows that only a lost encryption key can read, domain by domain: kept answers, mails and devices
 * that get notifications are deleted, webhooks end until their owners resume them with a new key, incoming ones refuse signed
 * calls until they are renewed, and every application gets a new client secret, which its owner must rotate to see.
 * @returns how many applications there are
 */
export async function giveUpEncrypted(tx: Tx, cipher: Cipher): Promise<{ secrets: number }> {
  await forgetAnswers.run(tx, {});
  await forgetMails.run(tx, {});
  await forgetPushes(tx);
  await endKeys.run(tx, {});
  await renewIncomingKeys(tx, cipher);
  return { secrets: await renewSecrets(tx, cipher) };
}
