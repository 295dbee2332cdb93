import type { Cipher } from '#platform/crypto/index.ts';
import type { MailRow } from '#schema';
import type { MailKind, Matters, Standing } from './mail.facts.ts';

export type MatterOf<Kind extends MailKind> = Matters[Kind] & { readonly kind: Kind };

/**
 * What a mail is about. It names rows, and holds no text: that is composed from these rows each time that the mail is
 * sent or shown.
 */
export type Matter = { [Kind in MailKind]: MatterOf<Kind> }[MailKind];

export const encryptMatter = (cipher: Cipher, matter: Matter): string =>
  cipher.encrypt(JSON.stringify(matter));

/**
 * @returns undefined for a mail in a database from before 0.1.0 that holds a finished text: nobody could check whether that
 * still holds
 */
export function matterOf(cipher: Cipher, row: Pick<MailRow, 'body_ciphertext'>): Matter | undefined {
  const stored = JSON.parse(cipher.decrypt(row.body_ciphertext)) as Matter | { readonly kind?: undefined };
  return stored.kind === undefined ? undefined : stored;
}

/** The membership that a mail is about. */
export function standingOf(cipher: Cipher, row: Pick<MailRow, 'body_ciphertext'>): Standing | undefined {
  const matter = matterOf(cipher, row);
  return matter && 'standing' in matter ? matter.standing : undefined;
}
