import { QueueFull } from './fair-queue.ts';

type Start = () => void;

interface Limits {
  readonly atOnce: number;
  readonly ofSource: number;
  /** How many wait at most: of one source, and of all. Without them there is no limit. */
  readonly waitingOfSource?: number;
  readonly waiting?: number;
}

/**
 * Runs a few pieces of work at once, and of each source fewer. Sources take turns, so that one with many pieces delays the
 * others by one turn at most.
 */
export class Turns {
  readonly #limits: Limits;
  /** By source; the first one has waited longest for its turn. */
  readonly #waiting = new Map<string, Start[]>();
  readonly #running = new Map<string, number>();
  #atWork = 0;
  #numWaiting = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @throws QueueFull when too much waits */
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
    const { waitingOfSource = Infinity, waiting = Infinity } = this.#limits;
    const others = this.#waiting.get(source);
    if ((others?.length ?? 0) >= waitingOfSource) throw new QueueFull(true);
    if (this.#numWaiting >= waiting) throw new QueueFull(false);
    this.#numWaiting += 1;
    if (others) others.push(start);
    else this.#waiting.set(source, [start]);
  }

  /** Passes over sources that have their share: these are few. */
  #startNext(): void {
    for (const [source, starts] of this.#waiting) {
      if (!this.#hasRoom(source)) continue;
      const start = starts.shift();
      this.#numWaiting -= 1;
      this.#waiting.delete(source);
      if (starts.length > 0) this.#waiting.set(source, starts);
      this.#begin(source);
      start?.();
      return;
    }
  }
}
