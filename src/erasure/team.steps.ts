import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { Recorder } from '../audit/index.ts';
import { BATCH, type Step } from './step.ts';
import {
  blankMessages,
  blankTeam,
  deleteHighFives,
  deleteInvitations,
  deleteMailJobs,
  deleteMarks,
  deleteMemberships,
  deleteNotifications,
  deleteSidebarUsers,
  deleteStates,
  emptyDeliveries,
  emptyObjects,
  forgetResponsesOf,
  pageBesideStream,
  pageOfMembers,
  pageOfObjects,
  pageOfStream,
  pageOfTeamDeliveries,
  unindex,
} from './team.store.ts';

/** A member's exceptions may be many: few members at once. */
const MEMBERS = 20;

interface Row {
  readonly id: string;
}

export type DetachFiles = (tx: Tx, messageIds: readonly string[]) => Promise<void>;

/** The rows stay, so that ids keep meaning something; what was written is gone. */
function eraseMessages(clock: Clock, detachFiles: DetachFiles, pageOf: typeof pageOfStream): Step {
  return {
    erase: async (tx, teamId, after) => {
      const page: readonly Row[] = await pageOf.all(tx, { teamId, after, limit: BATCH });
      const ids = page.map(({ id }) => id);
      if (ids.length > 0) {
        await blankMessages(tx, ids, clock());
        await deleteHighFives(tx, ids);
        await deleteSidebarUsers(tx, ids);
        await deleteMailJobs(tx, ids);
        await unindex(tx, ids);
        // They are removed like all files that no message holds.
        await detachFiles(tx, ids);
      }
      return page.length < BATCH ? undefined : ids.at(-1);
    },
  };
}

const eraseReadState: Step = {
  erase: async (tx, teamId, after) => {
    const page = await pageOfMembers.all(tx, { teamId, after, limit: MEMBERS });
    const ids = page.map(({ user_id }) => user_id);
    if (ids.length > 0) {
      await deleteMarks(tx, teamId, ids);
      await deleteStates(tx, teamId, ids);
      await deleteNotifications(tx, teamId, ids);
      await deleteMemberships(tx, teamId, ids);
    }
    return page.length < MEMBERS ? undefined : ids.at(-1);
  },
};

const eraseObjects = (clock: Clock): Step => ({
  erase: async (tx, teamId, after) => {
    const page = await pageOfObjects.all(tx, { teamId, after, limit: BATCH });
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) await emptyObjects(tx, ids, clock());
    return page.length < BATCH ? undefined : ids.at(-1);
  },
});

const eraseDeliveries: Step = {
  erase: async (tx, teamId, after) => {
    const page = await pageOfTeamDeliveries.all(tx, { teamId, after, limit: BATCH });
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) {
      await emptyDeliveries(tx, ids);
      await forgetResponsesOf(tx, ids);
    }
    return page.length < BATCH ? undefined : ids.at(-1);
  },
};

const finish = (clock: Clock, record: Recorder): Step => ({
  erase: async (tx, teamId) => {
    await deleteInvitations.all(tx, { teamId });
    await blankTeam.all(tx, { teamId, now: clock() });
    await record(tx, { action: 'team.erased', target: ['team', teamId], teamId });
    return undefined;
  },
});

/** Whatever else belongs to a team has its step here. */
export function teamSteps(deps: {
  clock: Clock;
  record: Recorder;
  detachFiles: DetachFiles;
}): readonly Step[] {
  const { clock, record, detachFiles } = deps;
  return [
    eraseMessages(clock, detachFiles, pageOfStream),
    eraseMessages(clock, detachFiles, pageBesideStream),
    eraseReadState,
    eraseObjects(clock),
    eraseDeliveries,
    finish(clock, record),
  ];
}
