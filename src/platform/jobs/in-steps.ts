import type { Tx } from '../db/index.ts';
import { LOWEST_ID } from '../ids.ts';

/** Work on the rows of one subject: on a few in its own transaction, on many in later ones. */
export interface InSteps {
  /** Carries it out on all rows, unless they are too many for one transaction. @returns whether it did */
  atOnce(tx: Tx, subjectId: string): Promise<boolean>;
  /** Carries it out on some rows. @param after the last row before @returns the last one, while there may be more */
  some(tx: Tx, subjectId: string, after: string): Promise<string | undefined>;
}

/** @param of.most the rows of one transaction @param of.page reads rows in the order of their ids */
export function inSteps<Row>(of: {
  readonly most: number;
  page(tx: Tx, subjectId: string, after: string, limit: number): Promise<readonly Row[]>;
  idOf(row: Row): string;
  /** Is not asked for no rows. */
  carryOut(tx: Tx, rows: readonly Row[], subjectId: string): Promise<void>;
}): InSteps {
  const { most, page, idOf, carryOut } = of;
  return {
    async atOnce(tx, subjectId) {
      const rows = await page(tx, subjectId, LOWEST_ID, most + 1);
      if (rows.length > most) return false;
      if (rows.length > 0) await carryOut(tx, rows, subjectId);
      return true;
    },
    async some(tx, subjectId, after) {
      const rows = await page(tx, subjectId, after, most);
      const last = rows.at(-1);
      if (last !== undefined) await carryOut(tx, rows, subjectId);
      return last === undefined || rows.length < most ? undefined : idOf(last);
    },
  };
}
