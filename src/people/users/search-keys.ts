import type { Database } from '#platform/db/index.ts';
import { searchKey } from './people-search.ts';
import { listOfFormerSearchKey, updateSearchKey } from './user.store.ts';

const AT_ONCE = 200;

/**
 * Makes the keys of accounts that have none, or one of an earlier folding, some at a time: those from before an upgrade, and
 * those that a server of the release before has written since. @returns whether there may be more
 */
export function fillSearchKeys(db: Database): Promise<boolean> {
  return db.write(async (tx) => {
    const rows = await listOfFormerSearchKey.all(tx, { limit: AT_ONCE });
    for (const row of rows) await updateSearchKey.run(tx, { id: row.id, searchKey: searchKey(row) });
    return rows.length === AT_ONCE;
  });
}
