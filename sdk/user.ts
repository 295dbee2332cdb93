import { randomUUID } from 'node:crypto';
import type { ParleyApplication } from './application.ts';
import { ParleyError } from './errors.ts';
import { ask, askOne, type Request } from './http.ts';
import type {
  Membership,
  Message,
  NewMessage,
  SessionUser,
  Tokens,
  UserProfile,
  UserSummary,
} from './types.ts';

const EXPIRED = 4012;

/** Where the application keeps one user's tokens. */
export interface TokenStore {
  load(): Promise<Tokens> | Tokens;
  /** Called with each new pair, before it is used. */
  save(tokens: Tokens): Promise<void> | void;
}

type UserRequest = Omit<Request, 'authorization' | 'url'> & { readonly path: string };

/** Acts on behalf of a user. An access token that has expired is refreshed once, by itself. */
export class ParleyUser {
  readonly #application: ParleyApplication;
  readonly #store: TokenStore;
  #refreshing: Promise<Tokens> | undefined;

  constructor(application: ParleyApplication, store: TokenStore) {
    this.#application = application;
    this.#store = store;
  }

  /** The user themselves. @throws ParleyError @throws TokenError when the tokens have ended for good */
  async me(): Promise<SessionUser> {
    return this.#one({ method: 'GET', path: '/v1/users/me' });
  }

  /** @throws ParleyError with code 4001 for an unknown user */
  async user(id: string): Promise<UserProfile> {
    return this.#one({ method: 'GET', path: `/v1/users/${encodeURIComponent(id)}` });
  }

  /** The members of all the user's teams; with `query` those of that name, with `users` those in common with them. */
  connections(filter: { query?: string; users?: string[] } = {}): Promise<UserSummary[]> {
    const query = new URLSearchParams();
    if (filter.query !== undefined) query.set('query', filter.query);
    for (const user of filter.users ?? []) query.append('users', user);
    return this.#all({ method: 'GET', path: `/v1/users/me/connections?${query}` });
  }

  teams(): Promise<Membership[]> {
    return this.#all({ method: 'GET', path: '/v1/users/me/teams' });
  }

  /** The ids of the teams in which all of `users` are, too. */
  teamsWith(users: readonly string[]): Promise<string[]> {
    return this.#all({
      method: 'GET',
      path: `/v1/users/me/teams?users=${users.map(encodeURIComponent).join(',')}`,
    });
  }

  /** @throws ParleyError with code 4040 when the user is no member */
  teamUsers(team: string): Promise<Membership[]> {
    return this.#all({ method: 'GET', path: `/v1/teams/${encodeURIComponent(team)}/users` });
  }

  /**
   * Posts on the user's behalf.
   * @param key names this message: posting again with the same key and content gives the first answer again
   */
  postMessage(message: NewMessage, key: string = randomUUID()): Promise<Message> {
    return this.#one({
      method: 'POST',
      path: '/v1/messages',
      json: message,
      headers: { 'Idempotency-Key': key },
    });
  }

  #one<T>(request: UserRequest): Promise<T> {
    return this.#withFreshToken((full) => askOne<T>(full), request);
  }

  #all<T>(request: UserRequest): Promise<T[]> {
    return this.#withFreshToken((full) => ask<T>(full), request);
  }

  async #withFreshToken<T>(
    send: (request: Request) => Promise<T>,
    { path, ...request }: UserRequest,
  ): Promise<T> {
    const url = this.#application.options.baseUrl.replace(/\/$/, '') + path;
    const tokens = await this.#store.load();
    try {
      return await send({ ...request, url, authorization: `Bearer ${tokens.access_token}` });
    } catch (error) {
      if (!(error instanceof ParleyError) || error.code !== EXPIRED) throw error;
      const fresh = await this.#refresh(tokens);
      return send({ ...request, url, authorization: `Bearer ${fresh.access_token}` });
    }
  }

  /** Requests that find the token expired at the same time share one refresh. */
  #refresh(tokens: Tokens): Promise<Tokens> {
    this.#refreshing ??= this.#replace(tokens).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #replace(tokens: Tokens): Promise<Tokens> {
    const fresh = await this.#application.refresh(tokens.refresh_token);
    await this.#store.save(fresh);
    return fresh;
  }
}
