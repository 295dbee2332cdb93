import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { Recorder } from '../audit/index.ts';
import { BATCH, type Step } from './step.ts';
import {
  blankMessages,
  blankTeam,
  deleteHighFives,
  deleteInvitations,
  deleteMarks,
  deleteMemberships,
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

/** The rows stay, so that ids keep meaning something; what was written is gone. */
async function blank(tx: Tx, page: readonly Row[]): Promise<string | undefined> {
  const ids = page.map(({ id }) => id);
  if (ids.length > 0) {
    await blankMessages(tx, ids);
    await deleteHighFives(tx, ids);
    await unindex(tx, ids);
  }
  return page.length < BATCH ? undefined : ids.at(-1);
}

const eraseStream: Step = {
  erase: async (tx, teamId, after) => blank(tx, await pageOfStream.all(tx, { teamId, after, limit: BATCH })),
};

const eraseBesideStream: Step = {
  erase: async (tx, teamId, after) =>
    blank(tx, await pageBesideStream.all(tx, { teamId, after, limit: BATCH })),
};

const eraseReadState: Step = {
  erase: async (tx, teamId, after) => {
    const page = await pageOfMembers.all(tx, { teamId, after, limit: MEMBERS });
    const ids = page.map(({ user_id }) => user_id);
    if (ids.length > 0) {
      await deleteMarks(tx, teamId, ids);
      await deleteStates(tx, teamId, ids);
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
export function teamSteps({ clock, record }: { clock: Clock; record: Recorder }): readonly Step[] {
  return [
    eraseStream,
    eraseBesideStream,
    eraseReadState,
    eraseObjects(clock),
    eraseDeliveries,
    finish(clock, record),
  ];
}
