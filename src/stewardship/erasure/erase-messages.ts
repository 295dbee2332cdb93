import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import {
  blankMessages,
  deleteHighFives,
  deleteMailJobs,
  deleteSidebarUsers,
  deleteVersions,
  unindex,
} from './message.store.ts';

/** Takes the files of some messages from them; then they are removed like all that no message holds. */
export type DetachFiles = (tx: Tx, messageIds: readonly string[]) => Promise<void>;

export type EraseMessages = (tx: Tx, ids: string[]) => Promise<void>;

/** The rows stay, so that ids keep meaning something; what was written is gone. */
export function messageEraser(deps: { clock: Clock; detachFiles: DetachFiles }): EraseMessages {
  const { clock, detachFiles } = deps;
  return async (tx, ids) => {
    if (ids.length === 0) return;
    await blankMessages(tx, ids, clock());
    await deleteVersions(tx, ids);
    await deleteHighFives(tx, ids);
    await deleteSidebarUsers(tx, ids);
    await deleteMailJobs(tx, ids);
    await unindex(tx, ids);
    await detachFiles(tx, ids);
  };
}
