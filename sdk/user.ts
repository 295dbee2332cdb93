import { randomUUID } from 'node:crypto';
import type { ParleyApplication, SaveTokens } from './application.ts';
import { ask, askOne, type Request } from './envelope.ts';
import { ParleyError } from './errors.ts';
import type { Tokens } from './types/applications.ts';
import type { Message, NewMessage } from './types/messages.ts';
import type { Membership } from './types/teams.ts';
import type { SessionUser, UserProfile, UserSummary } from './types/users.ts';

const EXPIRED = 4012;

/** Stores the tokens of one user. */
export interface TokenStore {
  load(): Promise<Tokens> | Tokens;
  /** Called with each new pair, before it is used. */
  save: SaveTokens;
}

type UserRequest = Omit<Request, 'authorization' | 'url'> & { readonly path: string };

/**
 * Acts on behalf of one user. Every call throws a ParleyError when the platform refuses it, with code 4012 for an
 * invalid token. With a token store, the token is refreshed once first; a TokenError means that the refresh failed.
 */
export class ParleyUser {
  readonly #application: ParleyApplication;
  readonly #tokens: string | TokenStore;

  /** @param tokens an access token, or a store with a pair, which is refreshed when it has expired */
  constructor(application: ParleyApplication, tokens: string | TokenStore) {
    this.#application = application;
    this.#tokens = tokens;
  }

  /** Resolves when the token is good. */
  async test(): Promise<void> {
    await this.#all({ method: 'GET', path: '/v1/oauth2/test/app_as_user' });
  }

  /** The user themselves. */
  me(): Promise<SessionUser> {
    return this.#one({ method: 'GET', path: '/v1/users/me' });
  }

  /** @throws ParleyError with code 4001 for an unknown user */
  user(id: string): Promise<UserProfile> {
    return this.#one({ method: 'GET', path: `/v1/users/${encodeURIComponent(id)}` });
  }

  /**
   * The members of all the user's teams.
   * @param filter `query` matches part of the name; `users` keeps the members in common with each of these
   */
  connections(filter: { query?: string; users?: readonly string[] } = {}): Promise<UserSummary[]> {
    const query = new URLSearchParams();
    if (filter.query !== undefined) query.set('query', filter.query);
    for (const user of filter.users ?? []) query.append('users', user);
    return this.#all({ method: 'GET', path: `/v1/users/me/connections?${query}` });
  }

  /** The user's teams, as memberships. */
  teams(): Promise<Membership[]>;
  /** With `users`, only the ids of the teams that all of them belong to, too. */
  teams(filter: { users: readonly string[] }): Promise<string[]>;
  teams(filter?: { users: readonly string[] }): Promise<(Membership | string)[]> {
    const query = filter ? `?${new URLSearchParams({ users: filter.users.join(',') })}` : '';
    return this.#all({ method: 'GET', path: `/v1/users/me/teams${query}` });
  }

  /** The members of a team. @throws ParleyError with code 4040 when the user is not a member */
  teamUsers(team: string): Promise<Membership[]> {
    return this.#all({ method: 'GET', path: `/v1/teams/${encodeURIComponent(team)}/users` });
  }

  /**
   * Posts on the user's behalf.
   * @param key names this message for a day: posting again with the same key and content gives the first answer
   *   again. Without one, each call posts, and only a lost answer is repeated.
   */
  postMessage(message: NewMessage, key: string = randomUUID()): Promise<Message> {
    return this.#one({ method: 'POST', path: '/v1/messages', json: message, key });
  }

  #one<T>(request: UserRequest): Promise<T> {
    return this.#withGoodToken((full) => askOne<T>(full), request);
  }

  #all<T>(request: UserRequest): Promise<T[]> {
    return this.#withGoodToken((full) => ask<T>(full), request);
  }

  async #withGoodToken<T>(run: (request: Request) => Promise<T>, request: UserRequest): Promise<T> {
    const { path, ...rest } = request;
    const url = this.#application.options.baseUrl + path;
    const runWith = (token: string) => run({ ...rest, url, authorization: `Bearer ${token}` });
    if (typeof this.#tokens === 'string') return runWith(this.#tokens);
    const { access_token } = await this.#tokens.load();
    try {
      return await runWith(access_token);
    } catch (error) {
      if (!(error instanceof ParleyError) || error.code !== EXPIRED) throw error;
      return runWith(await this.#renew(this.#tokens, access_token));
    }
  }

  /** @returns an access token other than the one that has expired */
  async #renew(store: TokenStore, expired: string): Promise<string> {
    const tokens = await store.load();
    // Another process refreshed it meanwhile.
    if (tokens.access_token !== expired) return tokens.access_token;
    const fresh = await this.#application.refresh(tokens.refresh_token, (pair) => store.save(pair));
    return fresh.access_token;
  }
}
