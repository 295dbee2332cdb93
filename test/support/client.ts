import { expectDocumented } from './openapi.ts';

/** An answer as it came; `data` and `errors` are those of the envelope. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any[];
  /** The code of the first error; undefined on success. */
  readonly code: number | undefined;
}

export interface Asked {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is; give the Content-Type among the headers. */
  readonly raw?: string | Uint8Array | FormData;
  /** Sent form-encoded. */
  readonly form?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

/** Talks HTTP to a server, and checks each answer against the OpenAPI document. Keeps cookies like a browser. */
export class Client {
  readonly url: string;
  readonly #headers: Record<string, string>;
  readonly #cookies = new Map<string, string>();
  /** Shown where the server asks for it, as a person at a page does: tests move the clock. A copy has none, as a thief. */
  password: string | undefined;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.url = url;
    this.#headers = headers;
  }

  /** All cookies as the header has them, the session's first. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** A caller with a copy of these cookies, which changes independently. */
  copy(): Client {
    return this.at(this.url);
  }

  /** The same caller at another server. */
  at(url: string): Client {
    const copy = new Client(url, this.#headers);
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value);
    return copy;
  }

  /** The same server, asked with an access token. */
  withToken(token: string): Client {
    return new Client(this.url, { Authorization: `Bearer ${token}` });
  }

  /** The same server, asked with an application's credentials (HTTP Basic). */
  withCredentials(id: string, secret: string): Client {
    return new Client(this.url, {
      Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    });
  }

  /** The headers by which the server knows the caller. */
  credentials(): Record<string, string> {
    return { ...this.#headers, ...(this.cookie && { Cookie: this.cookie }) };
  }

  get(path: string, asked: Asked = {}): Promise<Answer> {
    return this.ask('GET', path, asked);
  }

  post(path: string, json: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('POST', path, { json, headers });
  }

  put(path: string, json: unknown = {}): Promise<Answer> {
    return this.ask('PUT', path, { json });
  }

  patch(path: string, json: unknown = {}): Promise<Answer> {
    return this.ask('PATCH', path, { json });
  }

  delete(path: string): Promise<Answer> {
    return this.ask('DELETE', path, {});
  }

  async ask(method: string, path: string, asked: Asked): Promise<Answer> {
    const answer = await this.#send(method, path, asked);
    const { password } = this;
    if (password === undefined || answer.body?.errors?.[0]?.reason !== 'password_needed') return answer;
    await this.#send('POST', '/v1/sessions/current/confirmation', { json: { password } });
    return this.#send(method, path, asked);
  }

  async #send(method: string, path: string, { json, raw, form, headers }: Asked): Promise<Answer> {
    const body = form
      ? new URLSearchParams(form)
      : raw !== undefined
        ? raw
        : json === undefined
          ? undefined
          : JSON.stringify(json);
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        Origin: this.url,
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...(this.cookie && { Cookie: this.cookie }),
        ...this.#headers,
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/);
      this.#cookies.set(name, value);
    }
    const text = await response.text();
    const parsed = response.headers.get('content-type')?.startsWith('application/json')
      ? JSON.parse(text)
      : undefined;
    expectDocumented(method, path, response, parsed);
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: parsed,
      data: parsed?.data,
      code: parsed?.errors?.[0]?.code,
    };
  }
}
