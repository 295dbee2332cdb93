import type { Range } from './stream.store.ts';

/** A message as the subject of a mail names it. */
export interface MessageSummary {
  readonly author: string;
  /** The name of its team. */
  readonly team: string | null;
  readonly what: 'mention' | 'sidebar' | 'reply' | 'direct' | 'message';
}

/** Messages that a mail counts and does not show. */
export interface Rest {
  /** The name of their team; null for direct messages. */
  readonly team: string | null;
  readonly isMention: boolean;
  readonly count: number;
}

/** A mail names so many places; more would be longer than the messages that it shows. */
const MOST_PLACES = 10;

/** Where the messages are that a mail does not show, in brackets. */
export function namesOfRest(
  rest: readonly Rest[],
  separator: string,
  nameOf: (place: Rest) => string,
): string {
  if (rest.length === 0) return '';
  const names = rest.slice(0, MOST_PLACES).map(nameOf);
  return ` (${[...names, ...(rest.length > MOST_PLACES ? ['…'] : [])].join(separator)})`;
}

/** The facts that the text of each mail is made from. Names are inert. */
export interface Facts {
  email_verification: {
    /** The full name that the account has. */
    readonly name: string;
    /** When the account was made. */
    readonly at: string;
    /** The network address that asked for the mail; undefined in a mail that waits since before 0.1.0. */
    readonly from: string | undefined;
  };
  password_reset: { readonly name: string };
  invitation: { readonly from: string; readonly team: string };
  security: { readonly name: string } & (
    | { readonly event: 'guesses' }
    | { readonly event: 'sign_up' }
    | { readonly event: 'password_changed'; readonly at: string }
  );
  team_removed: { readonly actor: string; readonly team: string };
  team_role_changed: { readonly actor: string; readonly team: string; readonly admin: boolean };
  calls_paused: { readonly application: string; readonly since: string };
  messages: {
    readonly count: number;
    /** How many are not shown, and where they are. */
    readonly more: number;
    readonly rest: readonly Rest[];
    readonly first: MessageSummary;
    /** The author of all of them; otherwise undefined. */
    readonly author: string | undefined;
    /** The team of all of them; otherwise undefined. */
    readonly team: string | undefined;
  };
}

export type MailKind = keyof Facts;

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

/** The ids that the row of each mail keeps, from which its facts are read when it is sent. */
export interface Matters {
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

export interface Text {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The label of the link that the mail asks to follow. */
  readonly action?: string;
  readonly footer: string;
}

/** The parts that all mails share. */
export interface Common {
  readonly unsubscribe: string;
  readonly attachment: string;
  /** The name of what wrote a message and is no person. */
  readonly application: (name: string) => string;
  /** The page behind the link that unsubscribes. */
  readonly stop: { readonly title: string; readonly button: string };
  readonly stopped: { readonly title: string; readonly text: string };
}
