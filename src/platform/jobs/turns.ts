type Start = () => void;

/**
 * Runs a few pieces of work at once, and of each source fewer. Sources take turns, so that one with many pieces delays the
 * others by one turn at most.
 */
export class Turns {
  readonly #limits: { readonly atOnce: number; readonly ofSource: number };
  /** By source; the first one has waited longest for its turn. */
  readonly #waiting = new Map<string, Start[]>();
  readonly #running = new Map<string, number>();
  #atWork = 0;

  constructor(limits: { readonly atOnce: number; readonly ofSource: number }) {
    this.#limits = limits;
  }

  async run<T>(source: string, work: () => Promise<T>): Promise<T> {
    if (this.#atWork < this.#limits.atOnce && this.#hasRoom(source)) this.#begin(source);
    else await new Promise<void>((resolve) => this.#wait(source, resolve));
    try {
      return await work();
    } finally {
      this.#end(source);
      this.#startNext();
    }
  }

  /** How many pieces of a source wait or run. */
  countOf(source: string): number {
    return (this.#waiting.get(source)?.length ?? 0) + (this.#running.get(source) ?? 0);
  }

  #hasRoom = (source: string): boolean => (this.#running.get(source) ?? 0) < this.#limits.ofSource;

  #begin(source: string): void {
    this.#atWork += 1;
    this.#running.set(source, (this.#running.get(source) ?? 0) + 1);
  }

  #end(source: string): void {
    this.#atWork -= 1;
    const left = (this.#running.get(source) as number) - 1;
    if (left === 0) this.#running.delete(source);
    else this.#running.set(source, left);
  }

  #wait(source: string, start: Start): void {
    const others = this.#waiting.get(source);
    if (others) others.push(start);
    else this.#waiting.set(source, [start]);
  }

  /** Passes over sources that have their share: these are few. */
  #startNext(): void {
    for (const [source, starts] of this.#waiting) {
      if (!this.#hasRoom(source)) continue;
      const start = starts.shift();
      this.#waiting.delete(source);
      if (starts.length > 0) this.#waiting.set(source, starts);
      this.#begin(source);
      start?.();
      return;
    }
  }
}
