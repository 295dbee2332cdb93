import type { Database } from '#platform/db/index.ts';
import { searchKey } from './people-search.ts';
import { listWithoutSearchKey, updateSearchKey } from './user.store.ts';

const AT_ONCE = 200;

/** Makes the keys that accounts from before an upgrade lack, some at a time. @returns whether there may be more */
export function fillSearchKeys(db: Database): Promise<boolean> {
  return db.write(async (tx) => {
    const rows = await listWithoutSearchKey.all(tx, { limit: AT_ONCE });
    for (const row of rows) await updateSearchKey.run(tx, { id: row.id, searchKey: searchKey(row) });
    return rows.length === AT_ONCE;
  });
}
