import type { Outcome } from './database.ts';

/** The outcome of each item of a batch, decided in any order. */
export class Outcomes<Item, T> {
  readonly #of = new Map<Item, Outcome<T>>();

  readonly refuse = (item: Item, error: unknown): void => {
    this.#of.set(item, { error });
  };

  accept(item: Item, value: T): void {
    this.#of.set(item, { value });
  }

  /** @throws when an item was neither accepted nor refused: its request would wait for ever */
  of(items: readonly Item[]): Outcome<T>[] {
    return items.map((item) => {
      const outcome = this.#of.get(item);
      if (!outcome) throw new Error('an item of a batch has no outcome');
      return outcome;
    });
  }
}
