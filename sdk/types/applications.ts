/** A thing that lives in the application and that messages can mention (part 2.3 of the interface). */
export interface NewObject {
  name: string;
  /** The id of a team that has the application installed. */
  team: string;
  /** A category of your own. */
  type: string;
  /** Relative to the application's base address. */
  url: string;
}

/** The answer of the token route (part 2.2, RFC 6749 §5.1). */
export interface Tokens {
  access_token: string;
  token_type: string;
  /** Seconds. */
  expires_in: number;
  /** Exchanged for the next pair, which replaces it. */
  refresh_token: string;
  /** The granted scopes beyond the basic interface, separated by spaces. */
  scope?: string;
}
