import { DatabaseUnavailable } from './database.ts';

interface Waiter {
  admit(): void;
  refuse(error: Error): void;
}

/** A semaphore with a queue and a deadline. */
export class Gate {
  readonly #waitMs: number;
  readonly #first = new Set<Waiter>();
  readonly #others = new Set<Waiter>();
  #free: number;
  #closed = false;
  readonly #onWaited: (ms: number) => void;

  /** @param onWaited hears how long somebody waited, also in vain */
  constructor(places: number, waitMs: number, onWaited: (ms: number) => void = () => undefined) {
    this.#free = places;
    this.#waitMs = waitMs;
    this.#onWaited = onWaited;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#first.size + this.#others.size;
  }

  /**
   * Every caller who entered must call `leave` once. @param ahead enters before all who wait without it
   * @throws DatabaseUnavailable after the deadline, and when the gate is closed
   */
  enter(ahead = false): Promise<void> | undefined {
    if (this.#closed) return Promise.reject(closed());
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return this.#wait(ahead ? this.#first : this.#others);
  }

  leave(): void {
    const [next] = this.#first.size > 0 ? this.#first : this.#others;
    if (next) next.admit();
    else this.#free++;
  }

  close(): void {
    this.#closed = true;
    for (const waiter of [...this.#first, ...this.#others]) waiter.refuse(closed());
  }

  #wait(line: Set<Waiter>): Promise<void> {
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        clearTimeout(timer);
        line.delete(waiter);
        this.#onWaited(performance.now() - begun);
        settled();
      };
      const waiter: Waiter = {
        admit: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
      };
      const timer = setTimeout(() => waiter.refuse(tooManyWriters()), this.#waitMs);
      line.add(waiter);
    });
  }
}

const closed = () => new DatabaseUnavailable('the database is closed');
const tooManyWriters = () => new DatabaseUnavailable('too many writers wait for the database');

/** One gate per name, kept while it is in use. */
export class Lanes {
  readonly #places: number;
  readonly #waitMs: number;
  readonly #lanes = new Map<string, { gate: Gate; users: number }>();

  constructor(places: number, waitMs: number) {
    this.#places = places;
    this.#waitMs = waitMs;
  }

  /** @returns a function that leaves the lane */
  async enter(name: string): Promise<() => void> {
    const lane = this.#lanes.get(name) ?? { gate: new Gate(this.#places, this.#waitMs), users: 0 };
    this.#lanes.set(name, lane);
    lane.users++;
    const forget = () => {
      if (--lane.users === 0) this.#lanes.delete(name);
    };
    try {
      await lane.gate.enter();
    } catch (error) {
      forget();
      throw error;
    }
    return () => {
      lane.gate.leave();
      forget();
    };
  }

  close(): void {
    for (const { gate } of this.#lanes.values()) gate.close();
  }
}
