type Start = () => void;

interface Piece {
  readonly cost: number;
  readonly start: Start;
}

/**
 * Spreads work that keeps the thread over turns of the event loop, so that other requests come in between. Each turn has a
 * budget; what exceeds it waits for the next turns, in which sources take turns. Work that fits waits for nothing.
 */
export class Pace {
  readonly #perTurn: number;
  #left: number;
  #isScheduled = false;
  /** By source; the first one has waited longest. */
  readonly #waiting = new Map<string, Piece[]>();

  constructor(perTurn: number) {
    this.#perTurn = perTurn;
    this.#left = perTurn;
  }

  /**
   * Waits until a piece of work may begin.
   * @param isBegun goes before other pieces of its source: what it has read waits in memory
   */
  async turn(source: string, cost: number, isBegun = false): Promise<void> {
    if (this.#waiting.size === 0 && this.#fits(cost)) return this.#take(cost);
    await new Promise<void>((start) => {
      const own = this.#waiting.get(source) ?? [];
      if (isBegun) own.unshift({ cost, start });
      else own.push({ cost, start });
      this.#waiting.set(source, own);
      this.#schedule();
    });
  }

  /** A piece that is larger than the budget has a turn of its own. */
  #fits = (cost: number): boolean => cost <= this.#left || this.#left === this.#perTurn;

  #take(cost: number): void {
    this.#left -= cost;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#left = this.#perTurn;
      this.#startSome();
    });
  }

  #startSome(): void {
    for (const [source, [piece, ...others]] of this.#waiting) {
      if (!piece || !this.#fits(piece.cost)) break;
      this.#waiting.delete(source);
      if (others.length > 0) this.#waiting.set(source, others);
      this.#take(piece.cost);
      piece.start();
    }
    if (this.#waiting.size > 0) this.#schedule();
  }
}
