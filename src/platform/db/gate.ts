import { DatabaseClosed, DatabaseUnavailable } from './database.ts';

interface Waiter {
  readonly since: number;
  admit(): void;
  refuse(error: Error): void;
}

/** A semaphore with a queue and a deadline. */
export class Gate {
  #waitMs: number;
  #tooLong = tooManyWriters;
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
    for (const waiter of this.#all()) waiter.refuse(closed());
  }

  /** Nobody waits longer than this any more, those who wait already included: the server stops. */
  hurry(waitMs: number): void {
    this.#waitMs = Math.min(waitMs, this.#waitMs);
    this.#tooLong = closed;
    for (const waiter of this.#all())
      setTimeout(waiter.refuse, waiter.since + waitMs - performance.now(), closed());
  }

  #all(): Waiter[] {
    return [...this.#first, ...this.#others];
  }

  #wait(line: Set<Waiter>): Promise<void> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void) => {
        clearTimeout(timer);
        // It may have been refused while it was admitted, or the other way round.
        if (!line.delete(waiter)) return;
        this.#onWaited(performance.now() - since);
        settled();
      };
      const waiter: Waiter = {
        since,
        admit: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
      };
      const timer = setTimeout(() => waiter.refuse(this.#tooLong()), this.#waitMs);
      line.add(waiter);
    });
  }
}

const closed = (): DatabaseUnavailable => new DatabaseClosed('the database is closed');
const tooManyWriters = () => new DatabaseUnavailable('too many writers wait for the database');

/** One gate per name, kept while it is in use. */
export class Lanes {
  readonly #places: number;
  #waitMs: number;
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

  hurry(waitMs: number): void {
    this.#waitMs = Math.min(waitMs, this.#waitMs);
    for (const { gate } of this.#lanes.values()) gate.hurry(waitMs);
  }
}
