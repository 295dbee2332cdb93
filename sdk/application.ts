import { randomUUID } from 'node:crypto';
import { ask, askOne } from './envelope.ts';
import { SignatureError, TokenError } from './errors.ts';
import { type Call, send } from './http.ts';
import { type CallbackHeaders, verifyCallback } from './signature.ts';
import type { NewObject, Tokens } from './types/applications.ts';
import type { Callback, InstallCallback, TeamUpdateCallback, UninstallCallback } from './types/callbacks.ts';

/**
 * A rotated refresh token stays valid for ten seconds. The last attempt must start within them, because later use
 * revokes everything issued from it.
 */
const REFRESH_TIMEOUT_MS = 3500;

/** The credentials from the registration, and the address of the platform. */
export interface ApplicationOptions {
  /** The platform's address, such as `https://parley.example.org`. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The registered redirect address. */
  readonly redirectUri: string;
}

type Repetition = Pick<Call, 'repeatable' | 'timeoutMs'>;

/** Keeps a new pair of tokens. */
export type SaveTokens = (tokens: Tokens) => Promise<void> | void;

/**
 * Your application, as the platform knows it. Its credentials go as HTTP Basic (RFC 7617), so that no log sees them.
 * Make one of it and share it. Every call may throw a TypeError when the platform cannot be reached.
 */
export class ParleyApplication {
  readonly options: ApplicationOptions;
  readonly #authorization: string;
  readonly #refreshes = new Map<string, Promise<Tokens>>();

  constructor(options: ApplicationOptions) {
    this.options = { ...options, baseUrl: options.baseUrl.replace(/\/+$/, '') };
    const { clientId, clientSecret } = options;
    this.#authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  }

  /** Resolves when the credentials are right. @throws ParleyError with code 4010 when they are not */
  async test(): Promise<void> {
    await ask({ method: 'GET', url: this.#url('/v1/oauth2/test/app'), authorization: this.#authorization });
  }

  /** RFC 6749 §4.1.3. @param code from the redirect call; it works once, for two minutes @throws TokenError */
  exchangeCode(code: string): Promise<Tokens> {
    // Sent once: a repeated code revokes what the first exchange issued.
    const { redirectUri } = this.options;
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    return this.#tokens(form, { repeatable: false });
  }

  /**
   * RFC 6749 §6. Calls with the same token at the same time share one request.
   * @param save keeps the new refresh token, which replaces the old one, before anybody uses the pair
   * @throws TokenError with `invalid_grant` when the user must open the application again
   */
  refresh(refreshToken: string, save: SaveTokens = () => undefined): Promise<Tokens> {
    const underWay = this.#refreshes.get(refreshToken);
    if (underWay) return underWay;
    const refresh = this.#refreshAndSave(refreshToken, save).finally(() =>
      this.#refreshes.delete(refreshToken),
    );
    this.#refreshes.set(refreshToken, refresh);
    return refresh;
  }

  /** RFC 7009. Revokes an access token, or a refresh token with everything issued from it. @throws TokenError */
  async revoke(token: string): Promise<void> {
    await this.#form('/v1/oauth2/revoke', { token }, { repeatable: true });
  }

  /**
   * Registers an object, so that messages can mention it.
   * @returns its id, which you keep
   * @throws ParleyError with code 4030 when the team does not have the application installed
   */
  createObject(object: NewObject): Promise<{ id: string }> {
    return askOne({
      method: 'POST',
      url: this.#url(this.#objects),
      authorization: this.#authorization,
      json: object,
      key: randomUUID(),
    });
  }

  /** Messages that mention it stay, without a link. @throws ParleyError with code 4040 for an unknown object */
  async deleteObject(id: string): Promise<void> {
    const url = this.#url(`${this.#objects}/${encodeURIComponent(id)}`);
    await ask({ method: 'DELETE', url, authorization: this.#authorization });
  }

  /** Checks a call to the pre-install address. @param rawBody exactly as it came @throws SignatureError */
  verifyInstall(headers: CallbackHeaders, rawBody: string | Uint8Array): InstallCallback {
    return ofType('team', this.verifyCallback(headers, rawBody));
  }

  /** Checks a call to the uninstall address. @param rawBody exactly as it came @throws SignatureError */
  verifyUninstall(headers: CallbackHeaders, rawBody: string | Uint8Array): UninstallCallback {
    return ofType('uninstall', this.verifyCallback(headers, rawBody));
  }

  /** Checks a call to the team update address. @param rawBody exactly as it came @throws SignatureError */
  verifyTeamUpdate(headers: CallbackHeaders, rawBody: string | Uint8Array): TeamUpdateCallback {
    return ofType('team_update', this.verifyCallback(headers, rawBody));
  }

  /** Verifies a call of any type, for applications with one address for all. @throws SignatureError */
  verifyCallback(headers: CallbackHeaders, rawBody: string | Uint8Array): Callback {
    return verifyCallback(headers, rawBody, this.options.clientSecret);
  }

  get #objects(): string {
    return `/v1/applications/${this.options.clientId}/objects`;
  }

  #url(path: string): string {
    return this.options.baseUrl + path;
  }

  async #refreshAndSave(refreshToken: string, save: SaveTokens): Promise<Tokens> {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const tokens = await this.#tokens(form, { repeatable: true, timeoutMs: REFRESH_TIMEOUT_MS });
    await save(tokens);
    return tokens;
  }

  async #tokens(form: Record<string, string>, how: Repetition): Promise<Tokens> {
    return (await this.#form('/v1/oauth2/token', form, how)) as Tokens;
  }

  async #form(path: string, form: Record<string, string>, how: Repetition): Promise<unknown> {
    const { status, body } = await send({
      method: 'POST',
      url: this.#url(path),
      headers: { Authorization: this.#authorization },
      body: new URLSearchParams(form),
      ...how,
    });
    if (status === 200 && body !== undefined) return body;
    throw new TokenError((body as { error?: string } | undefined)?.error ?? `status_${status}`, status);
  }
}

/** A genuine call sent to the wrong address must not be mistaken for the expected type. */
function ofType<T extends Callback['type']>(type: T, callback: Callback): Extract<Callback, { type: T }> {
  if (callback.type === type) return callback as Extract<Callback, { type: T }>;
  throw new SignatureError(`the call is of type ${callback.type}, not ${type}`);
}
