import type { Tx } from '#platform/db/index.ts';

/** One kind of rows that has to go. */
export interface Step {
  /**
   * Erases one batch beyond `place`.
   * @returns the place of its last row; undefined when there was nothing more
   */
  erase(tx: Tx, subjectId: string, place: string): Promise<string | undefined>;
  /** How long to wait before the next step. */
  readonly pauseMs?: number;
}

/** Rows in one transaction: small enough that nobody who writes at the same time is kept waiting. */
export const BATCH = 300;
