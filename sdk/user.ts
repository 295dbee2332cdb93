import type { ParleyApplication, SaveTokens } from './application.ts';
import { MessageAuthor, messagePath, pinsPath } from './author.ts';
import { Caller, type Items, type TokenSource } from './caller.ts';
import { withQuery } from './envelope.ts';
import type {
  ConnectionFilter,
  CustomEmoji,
  Membership,
  Message,
  MessageFilter,
  MessageVersion,
  PinnedMessage,
  SessionUser,
  Subject,
  Tokens,
  UserProfile,
  UserSummary,
} from './types.ts';

/** Stores the tokens of one user. */
export interface TokenStore {
  load(): Promise<Tokens> | Tokens;
  /** Called with each new pair, before it is used. */
  save: SaveTokens;
}

/**
 * Acts on behalf of one user. Every call throws a ParleyError when the platform refuses it, with code 4012 for an
 * invalid token. With a token store, the token is refreshed once first; a TokenError means that the refresh failed.
 * Methods that change a message return undefined where the token may write and not read.
 */
export class ParleyUser extends MessageAuthor {
  /** @param tokens an access token, or a store with a pair, which is refreshed when it has expired */
  constructor(application: ParleyApplication, tokens: string | TokenStore) {
    const source = typeof tokens === 'string' ? fixed(tokens) : stored(application, tokens);
    super(new Caller(application.options.baseUrl, source));
  }

  /** Resolves when the token is good. */
  async test(): Promise<void> {
    await this.caller.all({ method: 'GET', path: '/v1/oauth2/test/app_as_user' });
  }

  /** The user themselves. */
  me(): Promise<SessionUser> {
    return this.caller.one({ method: 'GET', path: '/v1/users/me' });
  }

  /** @throws ParleyError with code 4001 for an unknown user */
  user(id: string): Promise<UserProfile> {
    return this.caller.one({ method: 'GET', path: `/v1/users/${encodeURIComponent(id)}` });
  }

  /**
   * The members of all the user's teams.
   * @param filter `query` matches part of the name; `users` keeps the members in common with each of these
   */
  connections(filter: ConnectionFilter = {}): Promise<UserSummary[]> {
    return this.caller.all({ method: 'GET', path: withQuery('/v1/users/me/connections', filter) });
  }

  /** The user's teams, as memberships. */
  teams(): Promise<Membership[]>;
  /** With `users`, only the ids of the teams that all of them belong to, too. */
  teams(filter: { users: readonly string[] }): Promise<string[]>;
  teams(filter?: { users: readonly string[] }): Promise<(Membership | string)[]> {
    const path = withQuery('/v1/users/me/teams', { users: filter?.users.join(',') });
    return this.caller.all({ method: 'GET', path });
  }

  /** The members of a team. @throws ParleyError with code 4040 when the user is not a member */
  teamUsers(team: string): Promise<Membership[]> {
    return this.caller.all({ method: 'GET', path: `/v1/teams/${encodeURIComponent(team)}/users` });
  }

  /** Messages that open a conversation, the newest first; with `q`, everything that holds the words. */
  messages(filter: MessageFilter = {}): Items<Message> {
    return this.caller.items('/v1/messages', filter);
  }

  /** The subjects of a team: the open ones by their last message, then the closed ones. */
  subjects(team: string): Items<Subject> {
    return this.caller.items(`/v1/teams/${encodeURIComponent(team)}/subjects`, {});
  }

  /** Lists the pins of a team, the newest first. */
  pins(team: string): Items<PinnedMessage> {
    return this.caller.items(pinsPath(team));
  }

  /**
   * Pins what the whole team reads.
   * @throws ParleyError with code 4090 for what only some read, and where the team has as many pins as it may have
   */
  pin(team: string, message: string): Promise<Message | undefined> {
    return this.caller.first({ method: 'PUT', path: pinsPath(team, message) });
  }

  unpin(team: string, message: string): Promise<Message | undefined> {
    return this.caller.first({ method: 'DELETE', path: pinsPath(team, message) });
  }

  /** The earlier texts of a message, the newest first. */
  versions(message: string): Items<MessageVersion> {
    return this.caller.items(`${messagePath(message)}/versions`);
  }

  /** The emoji that people added to the server, by their names. */
  customEmoji(): Items<CustomEmoji> {
    return this.caller.items('/v1/emoji');
  }

  /** The users who gave a message a high five, the newest first. */
  highFives(message: string): Items<UserSummary> {
    return this.caller.items(`${messagePath(message)}/high_fives`);
  }

  /** Giving it again changes nothing. */
  giveHighFive(message: string): Promise<Message | undefined> {
    return this.caller.first({ method: 'PUT', path: `${messagePath(message)}/high_five` });
  }

  withdrawHighFive(message: string): Promise<Message | undefined> {
    return this.caller.first({ method: 'DELETE', path: `${messagePath(message)}/high_five` });
  }
}

const fixed = (token: string): TokenSource => ({
  current: async () => token,
  renew: async () => undefined,
});

/** Tokens that are refreshed when they have expired. */
function stored(application: ParleyApplication, store: TokenStore): TokenSource {
  return {
    current: async () => (await store.load()).access_token,
    async renew(expired) {
      const tokens = await store.load();
      // Another process refreshed it meanwhile.
      if (tokens.access_token !== expired) return tokens.access_token;
      const fresh = await application.refresh(tokens.refresh_token, (pair) => store.save(pair));
      return fresh.access_token;
    },
  };
}
