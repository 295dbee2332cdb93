import { MessageAuthor, messagePath } from './author.ts';
import { Caller, type Items, type TokenSource } from './caller.ts';
import type { Membership, Message, NewUnfurl } from './types.ts';

/**
 * Acts as the application itself in one team: `app.inTeam(team)`. It posts under the application's name and icon, and needs the
 * scope `messages:write`. Every call throws a ParleyError when the platform refuses it, and a TokenError where the team
 * does not have the application installed (`invalid_target`) or has not granted a scope (`invalid_scope`).
 */
export class ParleyBot extends MessageAuthor {
  readonly #team: string;

  /** @param askToken gets a token for the team (RFC 6749 §4.4) */
  constructor(baseUrl: string, team: string, askToken: () => Promise<string>) {
    super(new Caller(baseUrl, new OwnTokens(askToken)));
    this.#team = team;
  }

  /** The members of the team, with their roles: `membership_type` 1 is an admin. Needs `members:read`. */
  members(): Items<Membership> {
    return this.caller.items(`/v1/teams/${encodeURIComponent(this.#team)}/users`, { limit: 100 });
  }

  /**
   * Shows what links to the application lead to, below the message, in place of what it showed there before. An empty list
   * takes all away. Needs `messages:read`, too.
   */
  unfurl(message: string, unfurls: readonly NewUnfurl[]): Promise<Message> {
    return this.caller.one({ method: 'PUT', path: `${messagePath(message)}/unfurls`, json: { unfurls } });
  }
}

/** A token that calls at the same time share. There is no refresh token: another one is asked for. */
class OwnTokens implements TokenSource {
  readonly #ask: () => Promise<string>;
  #token: Promise<string> | undefined;

  constructor(ask: () => Promise<string>) {
    this.#ask = ask;
  }

  current(): Promise<string> {
    if (this.#token) return this.#token;
    const asked = this.#ask();
    this.#token = asked;
    // A refusal is not kept: the team may install the application later.
    asked.catch(() => this.#forget(asked));
    return asked;
  }

  async renew(expired: string): Promise<string> {
    const asked = this.#token;
    if (asked && (await asked) === expired) this.#forget(asked);
    return this.current();
  }

  #forget(asked: Promise<string>): void {
    if (this.#token === asked) this.#token = undefined;
  }
}
