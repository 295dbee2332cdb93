import { ask, askFirst, askOne, askPage, itemsOf, type Request } from './envelope.ts';
import { ParleyError } from './errors.ts';
import { fetchFile } from './files.ts';

const EXPIRED = 4012;

/** A list that is read page by page, with `for await`. */
export type Items<T> = AsyncGenerator<T, void, undefined>;

/** An access token, and how it is replaced. */
export interface TokenSource {
  current(): Promise<string>;
  /** @returns another token in place of one that has expired; undefined when there is no way to it */
  renew(expired: string): Promise<string | undefined>;
}

/** A request. It names no type of Node.js or of browsers, because declarations of the package show it. */
interface CallerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
  /** A `FormData`. */
  readonly form?: unknown;
  readonly key?: string;
  readonly timeoutMs?: number;
}

/** Asks the platform with an access token, and once more with the next one when the token has expired. */
export class Caller {
  readonly #baseUrl: string;
  readonly #source: TokenSource;

  constructor(baseUrl: string, source: TokenSource) {
    this.#baseUrl = baseUrl;
    this.#source = source;
  }

  one<T>(request: CallerRequest): Promise<T> {
    return this.#withGoodToken((full) => askOne<T>(full), request);
  }

  /** For what is done also where the token may not read what it changed: then the answer is empty. */
  first<T>(request: CallerRequest): Promise<T | undefined> {
    return this.#withGoodToken((full) => askFirst<T>(full), request);
  }

  all<T>(request: CallerRequest): Promise<T[]> {
    return this.#withGoodToken((full) => ask<T>(full), request);
  }

  items<T>(path: string, filter: object = {}): Items<T> {
    return itemsOf<T>(path, filter, (page) =>
      this.#withGoodToken((full) => askPage<T>(full), { method: 'GET', path: page }),
    );
  }

  file(path: string): Promise<Uint8Array> {
    return this.#withGoodToken(fetchFile, { method: 'GET', path });
  }

  async #withGoodToken<T>(run: (request: Request) => Promise<T>, request: CallerRequest): Promise<T> {
    const { path, form, ...rest } = request;
    const full = {
      ...rest,
      url: this.#baseUrl + path,
      ...(form !== undefined && { form: form as FormData }),
    };
    const runWith = (token: string) => run({ ...full, authorization: `Bearer ${token}` });
    const token = await this.#source.current();
    try {
      return await runWith(token);
    } catch (error) {
      if (!(error instanceof ParleyError) || error.code !== EXPIRED) throw error;
      const next = await this.#source.renew(token);
      if (next === undefined) throw error;
      return runWith(next);
    }
  }
}
