import { QueueFull } from './fair-queue.ts';

interface Limits {
  /** Without it, there is no limit for all together. */
  readonly atOnce?: number;
  readonly ofSource: number;
  /** How many at once concern one target. Without it there is no limit. */
  readonly ofTarget?: number;
  /** How many wait at most: of one source, and of all. Without them there is no limit. */
  readonly waitingOfSource?: number;
  readonly waiting?: number;
  /** Work that has not begun after this time is refused. */
  readonly longestWaitMs?: number;
}

interface Piece {
  readonly target: string | undefined;
  readonly start: () => void;
}

/** Counts by name, and knows the names that have some. */
class Counts {
  readonly #counts = new Map<string, number>();
  of = (name: string): number => this.#counts.get(name) ?? 0;
  add(name: string, by: 1 | -1): void {
    const left = this.of(name) + by;
    if (left === 0) this.#counts.delete(name);
    else this.#counts.set(name, left);
  }
}

/**
 * Runs a few pieces of work at once, and of each source fewer. Sources take turns, so that one with many pieces delays the
 * others by one turn at most.
 */
export class Turns {
  readonly #limits: Limits;
  /** By source; the first one has waited longest for its turn. */
  readonly #waiting = new Map<string, Piece[]>();
  readonly #running = new Counts();
  readonly #targets = new Counts();
  #atWork = 0;
  #numWaiting = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * @param target has a share of its own, whatever the sources; a piece that waits for it holds nothing else up
   * @throws QueueFull when too much waits, or this would wait too long
   */
  async run<T>(source: string, work: () => Promise<T>, target?: string): Promise<T> {
    if (this.#atWork < (this.#limits.atOnce ?? Infinity) && this.#hasRoom(source, target))
      this.#count(source, target, 1);
    else await this.#wait(source, target);
    try {
      return await work();
    } finally {
      this.#count(source, target, -1);
      this.#startNext();
    }
  }

  /** How many pieces of a source wait or run. */
  countOf(source: string): number {
    return (this.#waiting.get(source)?.length ?? 0) + this.#running.of(source);
  }

  #hasRoom(source: string, target: string | undefined): boolean {
    const { ofSource, ofTarget = Infinity } = this.#limits;
    return (
      this.#running.of(source) < ofSource && (target === undefined || this.#targets.of(target) < ofTarget)
    );
  }

  #count(source: string, target: string | undefined, by: 1 | -1): void {
    this.#atWork += by;
    this.#running.add(source, by);
    if (target !== undefined) this.#targets.add(target, by);
  }

  #wait(source: string, target: string | undefined): Promise<void> {
    const { waitingOfSource = Infinity, waiting = Infinity, longestWaitMs } = this.#limits;
    const others = this.#waiting.get(source);
    if ((others?.length ?? 0) >= waitingOfSource) throw new QueueFull(true);
    if (this.#numWaiting >= waiting) throw new QueueFull(false);
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#take(source, piece);
        reject(new QueueFull(true));
      };
      const timer = longestWaitMs === undefined ? undefined : setTimeout(giveUp, longestWaitMs);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const piece: Piece = { target, start };
      this.#numWaiting += 1;
      if (others) others.push(piece);
      else this.#waiting.set(source, [piece]);
    });
  }

  /** Takes a piece out of what waits. @returns whether its source has more */
  #take(source: string, piece: Piece): boolean {
    const pieces = this.#waiting.get(source) as Piece[];
    pieces.splice(pieces.indexOf(piece), 1);
    this.#numWaiting -= 1;
    if (pieces.length === 0) this.#waiting.delete(source);
    return pieces.length > 0;
  }

  /** Passes over sources and targets that have their share: these are few. */
  #startNext(): void {
    for (const [source, pieces] of this.#waiting) {
      const piece = pieces.find(({ target }) => this.#hasRoom(source, target));
      if (!piece) continue;
      if (this.#take(source, piece)) {
        this.#waiting.delete(source);
        this.#waiting.set(source, pieces);
      }
      this.#count(source, piece.target, 1);
      piece.start();
      return;
    }
  }
}
