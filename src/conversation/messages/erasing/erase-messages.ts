import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { Portion } from '#platform/jobs/index.ts';
import { inOrder } from '../../../stewardship/erasure/index.ts';
import {
  blankMessages,
  deleteAnswersBelow,
  deleteClicksIn,
  deletePinsIn,
  deleteReactions,
  deleteSavedIn,
  deleteSidebarUsers,
  deleteStatesAbout,
  deleteUnfurls,
  deleteVersions,
  unindex,
} from './erasing.store.ts';

/** Deletes what another domain holds about some messages. */
export type ForgetMessages = (tx: Tx, messageIds: string[]) => Promise<void>;

/** @returns whether there may be more to erase of these messages */
export type EraseMessages = (tx: Tx, ids: string[]) => Promise<boolean>;

/**
 * Keeps the rows, so that ids stay valid, and deletes what was written.
 * @param deps.ofPeople what another domain holds for each person about a message: in a large team, much for one message
 */
export function messageEraser(deps: {
  clock: Clock;
  forget: readonly ForgetMessages[];
  ofPeople: readonly Portion<{ ids: readonly string[] }>[];
}): EraseMessages {
  const { clock, forget } = deps;
  const forgetPeople = inOrder([
    deleteReactions,
    deleteSavedIn,
    deletePinsIn,
    deleteClicksIn,
    deleteAnswersBelow,
    deleteSidebarUsers,
    // Former members have states too.
    deleteStatesAbout,
    ...deps.ofPeople,
  ]);
  return async (tx, ids) => {
    if (ids.length === 0) return false;
    if (await forgetPeople(tx, { ids })) return true;
    await blankMessages.run(tx, { ids, now: clock() });
    await deleteVersions.run(tx, { ids });
    await deleteUnfurls.run(tx, { ids });
    await unindex(tx, { ids });
    for (const one of forget) await one(tx, ids);
    return false;
  };
}
