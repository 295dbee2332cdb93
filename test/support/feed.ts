import { expect } from 'vitest';
import type { Client } from './client.ts';
import type { RegisteredApplication } from './people.ts';
import type { TestServer } from './server.ts';

/** An event as an application gets it. */
export interface Heard {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: data of every kind
  readonly data: any;
}

/** The address of a subscription. */
export const pathOf = (application: RegisteredApplication, subscription: string) =>
  `/v1/applications/${application.id}/subscriptions/${subscription}`;

/** Subscribes with the application's credentials. @returns the subscription */
export async function subscribe(application: RegisteredApplication, fields: object = {}) {
  const answer = await application.credentials.post(`/v1/applications/${application.id}/subscriptions`, {
    kinds: ['message.posted'],
    ...fields,
  });
  if (answer.status !== 200) throw new Error(`subscribing failed: ${answer.text}`);
  return answer.data[0] as { id: string; key?: string };
}

/** Waits until all that was committed is in the log: PostgreSQL gives places a moment later. */
export async function allPlaced({ running: { db } }: TestServer): Promise<void> {
  const waiting = () => db.all('SELECT kind FROM events WHERE place IS NULL', []);
  await expect.poll(waiting).toEqual([]);
}

/** Every event after a cursor, page by page. */
export async function pullAll(
  client: Client,
  path: string,
  query = 'limit=3',
): Promise<{ events: Heard[]; cursor: string }> {
  const events: Heard[] = [];
  let cursor: string | undefined;
  for (;;) {
    const after = cursor === undefined ? '' : `&after=${cursor}`;
    const answer = await client.get(`${path}/events?${query}${after}`);
    if (answer.status !== 200) throw new Error(`pulling failed: ${answer.text}`);
    events.push(...(answer.data as Heard[]));
    cursor = answer.body.meta.next_cursor as string;
    if (!answer.body.meta.more) return { events, cursor };
  }
}

/** A stream of an application, which is read in the background. */
export class Feed {
  readonly events: Heard[] = [];
  /** The data as they came. */
  readonly lines: string[] = [];
  begin: string | undefined;
  isOver = false;
  /** Called with each event, before the next one is looked at. */
  onEvent: ((event: Heard) => Promise<unknown>) | undefined;
  readonly status: number;
  readonly #abort: AbortController;
  #changed = Promise.withResolvers<void>();

  private constructor(status: number, abort: AbortController) {
    this.status = status;
    this.#abort = abort;
  }

  static async open(
    client: Client,
    path: string,
    {
      consumer = 'default',
      lastId,
      onEvent,
    }: {
      consumer?: string;
      lastId?: string;
      onEvent?: (event: Heard) => Promise<unknown>;
    } = {},
  ): Promise<Feed> {
    const abort = new AbortController();
    const headers = { ...client.credentials(), ...(lastId !== undefined && { 'Last-Event-ID': lastId }) };
    const response = await fetch(`${client.url}${path}/stream?consumer=${consumer}`, {
      headers,
      signal: abort.signal,
    });
    const feed = new Feed(response.status, abort);
    feed.onEvent = onEvent;
    if (response.status !== 200 || !response.body) {
      abort.abort();
      return feed;
    }
    void feed.#read(response.body);
    await feed.until(() => feed.begin !== undefined);
    return feed;
  }

  /** Resolves once the events so far are as wanted. @throws when the stream ends before */
  async until(wanted: (events: Heard[]) => boolean): Promise<void> {
    while (!wanted(this.events)) {
      if (this.isOver) throw new Error(`the stream ended after ${JSON.stringify(this.events)}`);
      await this.#changed.promise;
    }
  }

  async ended(): Promise<void> {
    while (!this.isOver) await this.#changed.promise;
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) await this.#take(block);
      }
    } catch {
      // Ended by us, or by the server without a word: both are the end.
    }
    this.isOver = true;
    this.#wake();
  }

  async #take(block: string): Promise<void> {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const kind = field('event');
    if (kind === undefined) return;
    if (field('id') === undefined) this.begin = kind;
    else {
      const line = field('data') ?? '';
      const event = JSON.parse(line) as Heard;
      this.lines.push(line);
      this.events.push(event);
      await this.onEvent?.(event);
    }
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
