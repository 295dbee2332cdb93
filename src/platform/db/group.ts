import { asTransaction, Gathered, type Tx } from './database.ts';

/** The most writes in one transaction, which bounds how long the first of them waits. */
export const GROUP_LIMIT = 256;

/** A write that waits to join a group. */
export interface Member {
  work(tx: Tx): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Undoes the writes of one member. Without savepoints, a member that fails after a write costs the whole group. */
export interface Savepoints {
  begin(): void;
  end(): void;
  /** @returns whether the transaction still exists */
  undo(): boolean;
}

/**
 * Group commit: several writes share a transaction and its commit. Each member runs to its end before the next begins,
 * so a check still holds at the write that depends on it. Members are answered after the commit; until then no refusal
 * is final, because a group that rolled back runs its members again.
 */
export class Group {
  readonly #tx: Tx;
  readonly #savepoints: Savepoints | undefined;

  /** @param tx the transaction that the members share */
  constructor(tx: Tx, savepoints?: Savepoints) {
    this.#tx = tx;
    this.#savepoints = savepoints;
  }

  /**
   * A member that throws before its first write is refused alone.
   * @throws its error when the transaction must roll back
   */
  async run({ work, resolve, reject }: Member): Promise<void> {
    const shared = this.#tx;
    const savepoints = this.#savepoints;
    const effects: (() => void)[] = [];
    const gathered = new Gathered();
    let hasWritten = false;
    let hasFailed = false;
    const all = async <Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> => {
      if (!hasWritten && !isRead(sql)) {
        hasWritten = true;
        savepoints?.begin();
      }
      try {
        return await shared.all<Row>(sql, parameters);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    };
    const tx = asTransaction({
      dialect: shared.dialect,
      all,
      afterCommit: (effect) => void effects.push(effect),
      gather: (insert, row) => gathered.add(insert, row),
    });
    try {
      const value = await work(tx);
      // PostgreSQL carries out nothing more after a failed statement, even if the work caught its error.
      if (hasFailed && !savepoints) throw new Error('a statement of the transaction failed');
      if (hasWritten) savepoints?.end();
      gathered.moveTo(shared);
      shared.afterCommit(() => {
        resolve(value);
        for (const effect of effects) effect();
      });
    } catch (error) {
      const isAlone = savepoints ? !hasWritten || savepoints.undo() : !hasWritten && !hasFailed;
      if (!isAlone) throw error;
      shared.afterCommit(() => reject(error));
    }
  }
}

/** A plain SELECT changes nothing. It may lock rows, which harms no other member. */
const isRead = (sql: string) => /^\s*select\b/i.test(sql);
