import type { Cipher } from '#platform/crypto/index.ts';
import type { MailRow } from '#schema';
import { catalogue } from './catalogue.ts';
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
    /** What a mail of an earlier release tells of. */
    readonly messageIds?: readonly string[];
  };
}

export type MatterOf<Kind extends MailKind> = Matters[Kind] & { readonly kind: Kind };

/**
 * What a mail is about. It names rows, and holds no text: that is composed from these rows each time that the mail is
 * sent or shown.
 */
export type Matter = { [Kind in MailKind]: MatterOf<Kind> }[MailKind];

/** A finished mail, as earlier releases stored it. */
interface Finished {
  readonly kind?: undefined;
  readonly text: string;
  readonly secret?: string;
  readonly standing?: Standing;
}

/**
 * Stands where earlier releases look for the text. One that still serves during an upgrade fails to send the mail for
 * now, since it reads no files for mails, and leaves it to a server of this release.
 */
const LEFT_TO_LATER_RELEASES = { path: 'composed when it is sent' };

export function encryptMatter(cipher: Cipher, matter: Matter): string {
  return cipher.encrypt(
    JSON.stringify({ ...matter, text: LEFT_TO_LATER_RELEASES, html: LEFT_TO_LATER_RELEASES }),
  );
}

type Stored = Pick<MailRow, 'kind' | 'subject' | 'body_ciphertext'>;

const decrypt = (cipher: Cipher, ciphertext: string) =>
  JSON.parse(cipher.decrypt(ciphertext)) as Matter | Finished;

/** @returns undefined for a mail of an earlier release whose matter cannot be told from its text */
export function matterOf(cipher: Cipher, row: Stored): Matter | undefined {
  const stored = decrypt(cipher, row.body_ciphertext);
  return stored.kind === undefined ? matterOfFinished(row, stored) : stored;
}

/** The membership that a mail of any release is about. */
export function standingOf(cipher: Cipher, row: Pick<MailRow, 'body_ciphertext'>): Standing | undefined {
  const stored = decrypt(cipher, row.body_ciphertext);
  return 'standing' in stored ? stored.standing : undefined;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** A line of its own; what people wrote is indented. */
const MESSAGE_LINK = new RegExp(`^https?://\\S+/messages/(${UUID})$`, 'gm');
const APPLICATION_LINK = new RegExp(`https?://\\S+/developers/(${UUID})/deliveries$`, 'm');

function matterOfFinished({ kind, subject }: Stored, { text, secret }: Finished): Matter | undefined {
  switch (kind) {
    case 'email_verification':
    case 'password_reset':
    case 'invitation':
      return secret === undefined ? undefined : { kind, secret };
    case 'security': {
      const event = EVENTS.find((one) => subjectsOf(one).includes(subject));
      return event && { kind, event };
    }
    case 'calls_paused': {
      const applicationId = APPLICATION_LINK.exec(text)?.[1];
      return applicationId === undefined ? undefined : { kind, applicationId };
    }
    case 'messages':
      return {
        kind,
        streams: [],
        messageIds: [...text.matchAll(MESSAGE_LINK)].map(([, id]) => id as string),
      };
    default:
      // Mails about memberships named people and teams by name only.
      return undefined;
  }
}

const EVENTS = ['guesses', 'sign_up', 'password_changed'] as const;

const subjectsOf = (event: Facts['security']['event']) =>
  Object.values(catalogue.security.texts).map((text) => text({ name: '', event, at: '' }).subject);
