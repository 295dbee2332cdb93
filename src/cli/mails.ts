import { Cipher } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { accountMails, mailService } from '../conversation/mails/index.ts';
import type { Config } from '../process/config.ts';
import { loadKeys } from '../process/keys.ts';

/** The address with which links begin. */
export const baseUrlOf = ({ BASE_URL, PORT }: Config) =>
  BASE_URL?.replace(/\/$/, '') ?? `http://localhost:${PORT}`;

/** Writes mails for the server to send: its next round finds them. */
export async function accountMailsOf(db: Database, config: Config) {
  const { encryption } = await loadKeys(config, db);
  const baseUrl = () => baseUrlOf(config);
  const common = { db, clock: Date.now, baseUrl, canSend: config.SMTP_URL !== undefined };
  const mails = mailService({ ...common, cipher: new Cipher(encryption), wakeSender: () => undefined });
  return accountMails({ ...common, mails });
}
