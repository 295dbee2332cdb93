import { fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { HeardId } from '../test/support/receivers.ts';

const CHUNK = 1024 * 1024;
/** A line that a kill cut off has no dot at its end. */
const LINE = /^(\S+) (\S+) \.$/;

/** The events that a receiver, or the copies of a group, have handled: a file that is synced before the acknowledgement. */
export class Journal {
  /** In the order of the file. */
  readonly handled: HeardId[] = [];
  readonly #file: number;
  readonly #ids = new Set<string>();
  readonly #chunk = Buffer.alloc(CHUNK);
  #read = 0;
  #rest = '';

  constructor(file: string) {
    this.#file = openSync(file, 'a+');
    this.refresh();
  }

  /** How many ids were handled. */
  get size(): number {
    return this.#ids.size;
  }

  /** Handles the events that are new, also to the other copies, and syncs them. */
  handle(events: readonly HeardId[]): void {
    this.refresh();
    const fresh = events.filter(({ id }) => !this.#ids.has(id));
    if (fresh.length === 0) return;
    // The break comes first, and ends a line that was cut off.
    writeSync(this.#file, fresh.map(({ id, team }) => `\n${id} ${team} .`).join(''));
    fsyncSync(this.#file);
    this.refresh();
  }

  /** Reads what was added since, by this process or another one. */
  refresh(): void {
    for (;;) {
      const size = readSync(this.#file, this.#chunk, 0, CHUNK, this.#read);
      if (size === 0) break;
      this.#read += size;
      const lines = (this.#rest + this.#chunk.toString('latin1', 0, size)).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.#note(line);
    }
    if (this.#note(this.#rest)) this.#rest = '';
  }

  #note(line: string): boolean {
    const [, id, team] = LINE.exec(line) ?? [];
    if (id === undefined || team === undefined) return false;
    this.#ids.add(id);
    this.handled.push({ id, team });
    return true;
  }
}
