import { TokenError } from './errors.ts';
import { ask, askOne } from './http.ts';
import { type CallbackHeaders, verifyCallback } from './signature.ts';
import type { Callback, NewObject, Tokens } from './types.ts';

export interface ApplicationOptions {
  /** Where the platform is, as `https://parley.example.org`. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The registered redirect address. */
  readonly redirectUri: string;
}

/** Your application, as the platform knows it. Its credentials go as HTTP Basic, so that no log sees them. */
export class ParleyApplication {
  readonly options: ApplicationOptions;
  readonly #authorization: string;

  constructor(options: ApplicationOptions) {
    this.options = options;
    const { clientId, clientSecret } = options;
    this.#authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  }

  /** Whether the credentials are right. @throws ParleyError with code 4010 when they are not */
  async test(): Promise<void> {
    await ask({ method: 'GET', url: this.#url('/v1/oauth2/test/app'), authorization: this.#authorization });
  }

  /** RFC 6749 §4.1.3. @param code from the redirect call; it works once @throws TokenError */
  exchangeCode(code: string): Promise<Tokens> {
    return this.#token({ grant_type: 'authorization_code', code, redirect_uri: this.options.redirectUri });
  }

  /** RFC 6749 §6. Keep the new refresh token: it replaces the one that was given. @throws TokenError */
  refresh(refreshToken: string): Promise<Tokens> {
    return this.#token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /** RFC 7009. Ends an access token, or a refresh token with all that came from it. @throws TokenError */
  async revoke(token: string): Promise<void> {
    await this.#form('/v1/oauth2/revoke', { token });
  }

  /** Registers an object, so that messages can mention it. Keep the id. @throws ParleyError */
  createObject(object: NewObject): Promise<{ id: string }> {
    return askOne({ method: 'POST', url: this.#objects(), authorization: this.#authorization, json: object });
  }

  /** @throws ParleyError with code 4040 for an object that does not exist */
  async deleteObject(id: string): Promise<void> {
    await ask({ method: 'DELETE', url: `${this.#objects()}/${id}`, authorization: this.#authorization });
  }

  /** Checks a call to one of your callback addresses. @param rawBody exactly as it came @throws SignatureError */
  verifyCallback(headers: CallbackHeaders, rawBody: string): Callback {
    return verifyCallback(headers, rawBody, this.options.clientSecret);
  }

  #objects(): string {
    return this.#url(`/v1/applications/${this.options.clientId}/objects`);
  }

  #url(path: string): string {
    return this.options.baseUrl.replace(/\/$/, '') + path;
  }

  async #token(form: Record<string, string>): Promise<Tokens> {
    return (await this.#form('/v1/oauth2/token', form)) as Tokens;
  }

  async #form(path: string, form: Record<string, string>): Promise<unknown> {
    const response = await fetch(this.#url(path), {
      method: 'POST',
      headers: { Authorization: this.#authorization },
      body: new URLSearchParams(form),
    });
    const answer = (await response.json().catch(() => ({}))) as { error?: string };
    if (!response.ok) throw new TokenError(answer.error ?? `status_${response.status}`);
    return answer;
  }
}
