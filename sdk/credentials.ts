import { ask, askOne, askPage, itemsOf, type Page, type Request } from './envelope.ts';

type ApplicationRequest = Omit<Request, 'authorization' | 'url'> & { readonly path: string };

/** Asks the platform as the application. Its credentials go as HTTP Basic (RFC 7617), so that no log sees them. */
export class Credentials {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly authorization: string;

  constructor({
    baseUrl,
    clientId,
    clientSecret,
  }: { baseUrl: string; clientId: string; clientSecret: string }) {
    this.baseUrl = baseUrl;
    this.clientId = clientId;
    this.authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  }

  /** A path below the application's own. */
  pathOf(part: string): string {
    return `/v1/applications/${this.clientId}/${part}`;
  }

  all<T>(request: ApplicationRequest): Promise<T[]> {
    return ask<T>(this.#full(request));
  }

  one<T>(request: ApplicationRequest): Promise<T> {
    return askOne<T>(this.#full(request));
  }

  page<T>(request: ApplicationRequest): Promise<Page<T>> {
    return askPage<T>(this.#full(request));
  }

  items<T>(path: string, filter: object): AsyncGenerator<T, void, undefined> {
    return itemsOf<T>(path, filter, (page) => this.page({ method: 'GET', path: page }));
  }

  #full({ path, ...rest }: ApplicationRequest): Request {
    return { ...rest, url: this.baseUrl + path, authorization: this.authorization };
  }
}
