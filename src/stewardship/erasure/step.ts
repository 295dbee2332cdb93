import type { Tx } from '#platform/db/index.ts';
import type { Batch } from '#platform/jobs/index.ts';

/** Erases one kind of rows of a person or a team, batch by batch. */
export interface Step {
  /**
   * Erases one batch beyond `place`.
   * @returns the place of its last row; undefined when there was nothing more
   */
  erase(tx: Tx, subjectId: string, place: string): Promise<string | undefined>;
  /** How long to wait before the next step. */
  readonly pauseMs?: number;
}

/** Rows in one transaction: few enough that writers do not wait long for it. */
export const BATCH = 300;

/** Longer than a transaction that read the user before the deletion can still be under way. */
export const LATECOMERS_MS = 10 * 60_000;

/** Carries out batches in their order, each until nothing is left. */
export const inOrder =
  <Params>(batches: readonly Batch<Params>[]): Batch<Params> =>
  async (tx, params) => {
    for (const batch of batches) if (await batch(tx, params)) return true;
    return false;
  };
