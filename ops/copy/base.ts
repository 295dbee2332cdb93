import { pause } from '../../src/platform/pause.ts';
import { basePrefix, chunkName, wholeName } from './catalogue.ts';
import type { LogThread } from './log-thread.ts';

interface BaseDeps {
  readonly thread: LogThread;
  readonly line: string;
  put(name: string, content: Uint8Array): Promise<void>;
  /** The pause between two attempts. */
  readonly everyMs: number;
  onError(error: unknown): void;
}

/** Copies the whole database while its file is frozen, and unfreezes it afterwards. */
export class BaseCopy {
  readonly after: number;
  readonly at = Date.now();
  /** The prefix of its objects' names. */
  readonly prefix: string;
  /** Whether every part was stored. */
  readonly done: Promise<boolean>;
  readonly #stopping = new AbortController();
  readonly #deps: BaseDeps;

  /** @param after the number of the segment that the base follows */
  constructor(after: number, deps: BaseDeps) {
    this.after = after;
    this.#deps = deps;
    this.prefix = basePrefix(deps.line, after, this.at);
    this.done = this.#run().catch((error: unknown) => {
      deps.onError(error);
      return false;
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.done;
  }

  async #run(): Promise<boolean> {
    const { thread, line } = this.#deps;
    const { prefix } = this;
    try {
      for (let number = 0; ; number++) {
        const { object, isLast } = await thread.ask('chunk', { line, number });
        if (!(await this.#put(chunkName(prefix, number), object))) return false;
        if (!isLast) continue;
        const whole = Buffer.from(JSON.stringify({ chunks: number + 1 }));
        return await this.#put(wholeName(prefix), whole);
      }
    } finally {
      await thread.ask('thaw');
    }
  }

  /** Retries until the object is stored; parts that are there already are kept. @returns false when it was stopped */
  async #put(name: string, content: Uint8Array): Promise<boolean> {
    const { put, everyMs, onError } = this.#deps;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await put(name, content);
        return true;
      } catch (error) {
        // Stored by an earlier attempt whose response was lost.
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return true;
        onError(error);
        await pause(everyMs, signal);
      }
    }
    return false;
  }
}
