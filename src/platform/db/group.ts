import {
  asTransaction,
  type Batch,
  DatabaseUnavailable,
  Gathered,
  type Outcome,
  type Tx,
} from './database.ts';

/** The most writes in one transaction, which bounds how long the first of them waits. */
export const GROUP_LIMIT = 256;

/** An item that waits to join a group. */
export interface Member {
  readonly batch: Batch<unknown, unknown>;
  readonly item: unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** @returns the answer to an item, which the caller of `add` gives */
export function join<Item, T>(batch: Batch<Item, T>, item: Item, add: (member: Member) => void): Promise<T> {
  return new Promise<T>((resolve, reject) =>
    add({
      batch: batch as Batch<unknown, unknown>,
      item,
      resolve: resolve as (value: unknown) => void,
      reject,
    }),
  );
}

/** A write of its own kind: a batch that no other item joins. */
export const only =
  <T>(work: (tx: Tx) => Promise<T>): Batch<undefined, T> =>
  async (tx) => [{ value: await work(tx) }];

/** Undoes the writes of one batch. Without savepoints, a batch that fails after a write costs the whole group. */
export interface Savepoints {
  begin(): void;
  end(): void;
  /** @returns whether the transaction still exists */
  undo(): boolean;
}

/**
 * Group commit: several writes share a transaction and its commit. Items of one batch are carried out together, one
 * batch to its end before the next begins, so a check still holds at the write that depends on it. Members are answered
 * after the commit; until then no refusal is final, because a group that rolled back runs its members again.
 */
export class Group {
  readonly #tx: Tx;
  readonly #savepoints: Savepoints | undefined;

  /** @param tx the transaction that the members share */
  constructor(tx: Tx, savepoints?: Savepoints) {
    this.#tx = tx;
    this.#savepoints = savepoints;
  }

  /** @throws the error of a batch when the transaction must roll back */
  async run(members: readonly Member[]): Promise<void> {
    for (const [batch, joined] of Map.groupBy(members, (member) => member.batch)) {
      await this.#carryOut(batch, joined);
    }
  }

  /** A batch that throws before its first write does not affect the others. */
  async #carryOut(batch: Member['batch'], members: readonly Member[]): Promise<void> {
    const shared = this.#tx;
    const savepoints = this.#savepoints;
    const effects: (() => void)[] = [];
    const gathered = new Gathered();
    let hasWritten = false;
    let failure: { error: unknown } | undefined;
    const tx = asTransaction({
      dialect: shared.dialect,
      all: async <Row>(sql: string, parameters: readonly unknown[]) => {
        if (!hasWritten && !isRead(sql)) {
          hasWritten = true;
          savepoints?.begin();
        }
        try {
          return await shared.all<Row>(sql, parameters);
        } catch (error) {
          failure ??= { error };
          throw error;
        }
      },
      afterCommit: (effect) => void effects.push(effect),
      gather: (insert, row) => gathered.add(insert, row),
    });
    try {
      const items = members.map(({ item }) => item);
      const outcomes = await batch(tx, items);
      // PostgreSQL carries out nothing more after a failed statement, even if the batch caught its error.
      if (failure && !savepoints) throw failure.error;
      if (hasWritten) savepoints?.end();
      gathered.moveTo(shared);
      shared.afterCommit(() => {
        for (const [index, member] of members.entries()) answer(member, outcomes[index]);
        for (const effect of effects) effect();
      });
    } catch (error) {
      const mayStay = savepoints ? !hasWritten || savepoints.undo() : !hasWritten && !failure;
      if (!mayStay) throw failure?.error instanceof DatabaseUnavailable ? failure.error : error;
      const [first, ...others] = members;
      if (others.length > 0) for (const member of members) await this.#carryOut(batch, [member]);
      else shared.afterCommit(() => first?.reject(error));
    }
  }
}

function answer({ resolve, reject }: Member, outcome: Outcome<unknown> | undefined): void {
  if (!outcome) reject(new Error('the batch gave no outcome for one of its items'));
  else if ('error' in outcome) reject(outcome.error);
  else resolve(outcome.value);
}

/** A plain SELECT changes nothing. It may lock rows, which harms no other member. */
const isRead = (sql: string) => /^\s*select\b/i.test(sql);
