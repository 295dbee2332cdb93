import { vi } from 'vitest';
import type { Database, Tx } from '../../src/platform/db/index.ts';

/** The statements of one batch of writes. */
interface Counted {
  /** The batch carries out items that others have given, as those of requests. */
  readonly hasItems: boolean;
  readonly texts: string[];
  /** The length of their parameters: many rows can be in one statement. */
  length: number;
}

/** Records the statements that a database is asked for in transactions. @returns `stop`, which gives those of each batch */
export function countStatements(db: Database): { stop(): readonly Counted[] } {
  const made: Counted[] = [];
  const batch = db.batch.bind(db);
  const spy = vi.spyOn(db, 'batch').mockImplementation((work, item, how) =>
    batch(
      (tx, items) => {
        const counted: Counted = { hasItems: item !== undefined, texts: [], length: 0 };
        made.push(counted);
        return work(recording(tx, counted), items);
      },
      item,
      how,
    ),
  );
  return {
    stop: () => {
      spy.mockRestore();
      return made;
    },
  };
}

const recording = (tx: Tx, counted: Counted): Tx =>
  new Proxy(tx, {
    get(target, name) {
      if (name !== 'all') return Reflect.get(target, name);
      return (sql: string, parameters: readonly unknown[]) => {
        counted.texts.push(sql);
        counted.length += JSON.stringify(parameters).length;
        return target.all(sql, parameters);
      };
    },
  });
