import { Cipher } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { accountMails, mailQueue } from '../conversation/mails/index.ts';
import { baseUrlOf } from '../process/base-url.ts';
import type { Config } from '../process/config.ts';
import { loadKeys } from '../process/keys.ts';

/** Writes mails for the server to send: its next round finds them. */
export async function accountMailsOf(db: Database, config: Config) {
  const { encryption } = await loadKeys(config, db);
  const common = { clock: Date.now, canSend: config.SMTP_URL !== undefined };
  const mails = mailQueue({
    ...common,
    cipher: new Cipher(encryption),
    baseUrl: () => baseUrlOf(config),
    wakeSender: () => undefined,
  });
  return accountMails({ ...common, mails });
}
