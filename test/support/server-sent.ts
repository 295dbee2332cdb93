/** A stream of server-sent events that is read in the background, and can be waited on. */
export abstract class ServerSent<Event> {
  readonly events: Event[] = [];
  readonly status: number;
  isOver = false;
  readonly #abort: AbortController;
  #changed = Promise.withResolvers<void>();

  constructor(status: number, abort: AbortController) {
    this.status = status;
    this.#abort = abort;
  }

  /** Takes one event of the stream, before the next one is looked at. @param field gives a field's text */
  protected abstract take(field: (name: string) => string | undefined): unknown;

  /** Reads the body of an answer; of a refusal there is nothing to read. @returns whether it began */
  protected read({ status, body }: Response): boolean {
    if (status !== 200 || !body) {
      this.close();
      return false;
    }
    void this.#readAll(body);
    return true;
  }

  /** Resolves once the events so far are as wanted. @throws when the stream ends before */
  async until(wanted: (events: Event[]) => boolean): Promise<void> {
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

  async #readAll(body: ReadableStream<Uint8Array>): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + chunk).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          await this.take((name) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]);
          this.#wake();
        }
      }
    } catch {
      // Ended by us, or by the server without a word: both are the end.
    }
    this.isOver = true;
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
