import type { Cipher } from '#platform/crypto/index.ts';
import type { MailRow } from '#schema';
import type { Facts, MailKind } from './mail.facts.ts';
import type { Range } from './stream.store.ts';

/** The membership that a mail is about. */
export interface Standing {
  readonly team: string;
  /** The state that the recipient knows until this mail arrives. */
  readonly before: 'admin' | 'member';
}

/** A link that opens an account or a team to its holder. */
interface WithSecret {
  readonly secret: string;
}

interface Matters {
  email_verification: WithSecret & { readonly from?: string };
  password_reset: WithSecret;
  invitation: WithSecret;
  security: { readonly event: Facts['security']['event'] };
  team_removed: {
    readonly standing: Standing;
    readonly actorId: string;
    /** The name that the team had then: a former member hears of no later one. */
    readonly teamName: string;
  };
  team_role_changed: { readonly standing: Standing; readonly actorId: string; readonly admin: boolean };
  calls_paused: { readonly applicationId: string };
  messages: {
    /** The parts of streams that it tells of, besides the messages whose notifications name the mail. */
    readonly streams: readonly Range[];
  };
}

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
