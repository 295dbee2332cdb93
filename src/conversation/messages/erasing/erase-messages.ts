import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import {
  blankMessages,
  deleteReactions,
  deleteSidebarUsers,
  deleteUnfurls,
  deleteVersions,
  unindex,
} from './erasing.store.ts';

/** Deletes what another domain holds about some messages. */
export type ForgetMessages = (tx: Tx, messageIds: string[]) => Promise<void>;

export type EraseMessages = (tx: Tx, ids: string[]) => Promise<void>;

/** Keeps the rows, so that ids stay valid, and deletes what was written. */
export function messageEraser(deps: { clock: Clock; forget: readonly ForgetMessages[] }): EraseMessages {
  const { clock, forget } = deps;
  return async (tx, ids) => {
    if (ids.length === 0) return;
    await blankMessages.run(tx, { ids, now: clock() });
    await deleteVersions.run(tx, { ids });
    await deleteUnfurls.run(tx, { ids });
    await deleteReactions.run(tx, { ids });
    await deleteSidebarUsers.run(tx, { ids });
    await unindex(tx, { ids });
    for (const one of forget) await one(tx, ids);
  };
}
