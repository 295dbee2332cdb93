import type { Tx } from '#platform/db/index.ts';
import type { Portion } from '#platform/jobs/index.ts';

/** Erases one kind of rows of a person or a team, portion by portion. */
export interface Step {
  /**
   * Erases one portion beyond `place`.
   * @returns the place of its last row; undefined when there was nothing more
   */
  erase(tx: Tx, subjectId: string, place: string): Promise<string | undefined>;
  /** How long to wait before the next step. */
  readonly pauseMs?: number;
}

/** Rows in one transaction: few enough that writers do not wait long for it. */
export const PORTION = 300;

/** Longer than a transaction that read the user before the deletion can still be under way. */
export const LATECOMERS_MS = 10 * 60_000;

/** Carries out portions in their order, each until nothing is left. */
export const inOrder =
  <Params>(portions: readonly Portion<Params>[]): Portion<Params> =>
  async (tx, params) => {
    for (const portion of portions) if (await portion(tx, params)) return true;
    return false;
  };
