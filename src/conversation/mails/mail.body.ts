import type { Cipher } from '#platform/crypto/index.ts';

/** The encrypted part of a mail. */
export interface MailBody {
  readonly text: string;
  readonly html: string;
  /** Stands in both, and opens an account or a team to its holder. */
  readonly secret?: string | undefined;
  readonly unsubscribeUrl?: string | undefined;
  readonly standing?: Standing | undefined;
}

/** The membership that a mail is about. */
export interface Standing {
  readonly team: string;
  /** The state that the recipient knows until this mail arrives. */
  readonly before: 'admin' | 'member';
}

const MASK = '(hidden)';

export function encryptBody(cipher: Cipher, body: MailBody): string {
  return cipher.encrypt(JSON.stringify(body));
}

export function decryptBody(cipher: Cipher, ciphertext: string): MailBody {
  return JSON.parse(cipher.decrypt(ciphertext)) as MailBody;
}

export function withoutSecret(body: MailBody): Pick<MailBody, 'text' | 'html'> {
  const { text, html, secret } = body;
  if (secret === undefined) return { text, html };
  return { text: text.replaceAll(secret, MASK), html: html.replaceAll(secret, MASK) };
}
