import type { RunningServer } from '../../src/app/start.ts';

/** A client of the server with the cookie of one person. */
export class Person {
  readonly #server: RunningServer;
  #cookie = '';

  constructor(server: RunningServer) {
    this.#server = server;
  }

  /** @returns the first item of the answer's data */
  ask<T = { id: string }>(method: 'POST' | 'PUT' | 'PATCH', url: string, body: object = {}): Promise<T> {
    return this.#send(method, url, 'application/json', JSON.stringify(body));
  }

  /** @returns the id with which a message attaches the file */
  async upload(name: string, bytes: Buffer): Promise<string> {
    return (await this.sendFile<{ id: string }>('POST', '/v1/attachments', name, bytes)).id;
  }

  /** Sends a file alone, as a picture of somebody or something. */
  async sendFile<T>(method: 'POST' | 'PUT', url: string, name: string, bytes: Buffer): Promise<T> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    // Response encodes the form as fetch would.
    const encoded = new Response(form);
    const type = encoded.headers.get('content-type') ?? '';
    return this.#send<T>(method, url, type, Buffer.from(await encoded.arrayBuffer()));
  }

  /** Posts by an incoming webhook, which answers with a word. */
  async call(hook: string, payload: object): Promise<void> {
    await this.#request('POST', hook, 'application/json', JSON.stringify(payload));
  }

  /** Opens an application in a team, as the page does that asks the first time. @returns where the browser is sent */
  async open(applicationId: string, teamId: string, scopes: readonly string[]): Promise<string> {
    const path = `/v1/applications/${applicationId}/opening`;
    return (await this.ask<{ url: string }>('POST', path, { team: teamId, scopes })).url;
  }

  #headers() {
    const { url: origin } = this.#server;
    return { origin, host: new URL(origin).host, cookie: this.#cookie };
  }

  async #send<T>(
    method: 'POST' | 'PUT' | 'PATCH',
    url: string,
    type: string,
    payload: string | Buffer,
  ): Promise<T> {
    const answer = await this.#request(method, url, type, payload);
    return (JSON.parse(answer) as { data: T[] }).data[0] as T;
  }

  async #request(
    method: 'POST' | 'PUT' | 'PATCH',
    url: string,
    type: string,
    payload: string | Buffer,
  ): Promise<string> {
    const headers = { ...this.#headers(), 'content-type': type };
    const answer = await this.#server.inject({ method, url, headers, payload });
    const [cookie] = [answer.headers['set-cookie']].flat();
    if (typeof cookie === 'string') this.#cookie = cookie.split(';')[0] ?? '';
    if (answer.statusCode !== 200)
      throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.payload}`);
    return answer.payload;
  }
}
