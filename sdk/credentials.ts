import { ask, askOne, askPage, itemsOf, type Page, type Request } from './envelope.ts';
import { type ErrorItem, ParleyError } from './errors.ts';

type ApplicationRequest = Omit<Request, 'authorization' | 'url'> & { readonly path: string };

/** The id, the secret or both are wrong: the platform says no more than that. */
const NOT_AUTHORIZED = 4010;

/** Calls the platform as the application, with its credentials as HTTP Basic (RFC 7617), which no log records. */
export class Credentials {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly #secret: string | undefined;

  constructor({
    baseUrl,
    clientId,
    clientSecret,
  }: { baseUrl: string; clientId: string; clientSecret?: string }) {
    this.baseUrl = baseUrl;
    this.clientId = clientId;
    this.#secret = clientSecret;
  }

  /** Whether the application has no secret, and so names itself by its id. */
  get isPublic(): boolean {
    return this.#secret === undefined;
  }

  /** @throws TypeError for a public application, which acts for people alone */
  get secret(): string {
    if (this.#secret !== undefined) return this.#secret;
    throw new TypeError('A public application acts for people alone: this needs a clientSecret.');
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.clientId}:${this.secret}`).toString('base64')}`;
  }

  /** A path below the application's own. */
  pathOf(part: string): string {
    return `/v1/applications/${this.clientId}/${part}`;
  }

  all<T>(request: ApplicationRequest): Promise<T[]> {
    return this.#advised(ask<T>(this.#full(request)));
  }

  one<T>(request: ApplicationRequest): Promise<T> {
    return this.#advised(askOne<T>(this.#full(request)));
  }

  page<T>(request: ApplicationRequest): Promise<Page<T>> {
    return this.#advised(askPage<T>(this.#full(request)));
  }

  items<T>(path: string, filter: object): AsyncGenerator<T, void, undefined> {
    return itemsOf<T>(path, filter, (page) => this.page({ method: 'GET', path: page }));
  }

  /** The error for a refusal. A refusal of the credentials says what to check. */
  refusal(status: number, errors: readonly ErrorItem[]): ParleyError {
    const [first] = errors;
    if (first?.code !== NOT_AUTHORIZED) return new ParleyError(status, errors);
    const advice = `check clientId (${this.clientId}) and clientSecret`;
    return new ParleyError(status, errors, `${first.message} (${first.code}): ${advice}`);
  }

  async #advised<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ParleyError && error.code === NOT_AUTHORIZED)
        throw this.refusal(error.status, error.errors);
      throw error;
    }
  }

  #full({ path, ...rest }: ApplicationRequest): Request {
    return { ...rest, url: this.baseUrl + path, authorization: this.authorization };
  }
}
