import { MessageAuthor, messagePath, pinsPath } from './author.ts';
import { Caller, type Items, type TokenSource } from './caller.ts';
import type { AnswerContent } from './respond.ts';
import type { FileFilter, Membership, Message, NewUnfurl, PinnedMessage, PostedFile } from './types.ts';

/**
 * Acts as the application itself in one team: `app.inTeam(team)`. It posts under the application's name and icon: to the team
 * with the scope `messages:write`, to people with `direct:app`. Lists of the team's messages need a person: `ParleyUser`,
 * or the events. Every call throws a ParleyError when the platform refuses it, and a TokenError where the team
 * does not have the application installed (`invalid_target`) or has not granted a scope (`invalid_scope`).
 */
export class ParleyBot extends MessageAuthor {
  readonly #team: string;

  /** @param askToken gets a token for the team (RFC 6749 §4.4) */
  constructor(baseUrl: string, team: string, askToken: () => Promise<string>) {
    super(new Caller(baseUrl, new OwnTokens(askToken)));
    this.#team = team;
  }

  /**
   * Writes to a member of the team, in the direct conversation that they have with the application; it begins with the
   * first message. Needs `direct:app`. @param key as in `postMessage`
   * @throws ParleyError with code 4008 for one who is not in the team, and 4030 `application_blocked`
   */
  writeTo(user: string, content: AnswerContent, key?: string): Promise<Message> {
    const message = typeof content === 'string' ? { text: content } : content;
    return this.postMessage({ ...message, addressed_users: [user] }, key);
  }

  /** The messages between a member and the application, the newest first. Needs `direct:app`. */
  conversation(user: string): Items<Message> {
    return this.caller.items('/v1/messages', { with: user, limit: 50 });
  }

  /** The members of the team, with their roles: `membership_type` 1 is an admin. Needs `members:read`. */
  members(): Items<Membership> {
    return this.caller.items(`/v1/teams/${encodeURIComponent(this.#team)}/users`, { limit: 100 });
  }

  /** The files of the team, the newest first, each with the message that holds it. Needs `messages:read`. */
  files(filter: FileFilter = {}): Items<PostedFile> {
    return this.caller.items(`/v1/teams/${encodeURIComponent(this.#team)}/files`, filter);
  }

  /** Lists the pins of the team, the newest first. Needs `messages:read`. */
  pins(): Items<PinnedMessage> {
    return this.caller.items(pinsPath(this.#team));
  }

  /**
   * Pins what the whole team reads. Needs `messages:read`, too.
   * @throws ParleyError with code 4090 for what only some read, and where the team has as many pins as it may have
   */
  pin(message: string): Promise<Message | undefined> {
    return this.caller.first({ method: 'PUT', path: pinsPath(this.#team, message) });
  }

  unpin(message: string): Promise<Message | undefined> {
    return this.caller.first({ method: 'DELETE', path: pinsPath(this.#team, message) });
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
