import type { Client } from './client.ts';

/** A server-sent event as a client gets it. */
export interface ServerEvent {
  readonly id: number;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: data of every kind
  readonly data: any;
}

/** A stream that is read in the background, and can be waited on. */
export class EventStream {
  readonly events: ServerEvent[] = [];
  readonly status: number;
  isOver = false;
  readonly #abort = new AbortController();
  #changed = Promise.withResolvers<void>();

  private constructor(status: number) {
    this.status = status;
  }

  /** Begins once the server's first event is there. @param lastId as a browser that comes back sends it */
  static async open(client: Client, lastId?: number | string): Promise<EventStream> {
    const abort = new AbortController();
    const headers = {
      ...client.credentials(),
      ...(lastId !== undefined && { 'Last-Event-ID': String(lastId) }),
    };
    const response = await fetch(`${client.url}/v1/events`, { headers, signal: abort.signal });
    const stream = new EventStream(response.status);
    stream.#abort.signal.addEventListener('abort', () => abort.abort());
    if (response.status !== 200 || !response.body) return stream;
    void stream.#read(response.body);
    await stream.until((events) => events.length > 0);
    return stream;
  }

  /** The id from which a client would resume. */
  get lastId(): number {
    return this.events.at(-1)?.id ?? 0;
  }

  of(kind: string): ServerEvent[] {
    return this.events.filter((event) => event.kind === kind);
  }

  /** Resolves once the events so far are as wanted. @throws when the stream ends before */
  async until(wanted: (events: ServerEvent[]) => boolean): Promise<void> {
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
        for (const block of blocks) this.#take(block);
        this.#wake();
      }
    } catch {
      // Ended by us, or by the server without a word: both are the end.
    }
    this.isOver = true;
    this.#wake();
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const kind = field('event');
    if (kind === undefined) return;
    this.events.push({ id: Number(field('id')), kind, data: JSON.parse(field('data') ?? 'null') });
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
