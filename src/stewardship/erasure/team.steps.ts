import { idList } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { listMemberIds } from '../../teams/index.ts';
import type { Recorder } from '../audit/index.ts';
import type { EraseMessages } from './erase-messages.ts';
import { BATCH, type Step } from './step.ts';
import {
  blankTeam,
  deleteInvitationMails,
  deleteInvitations,
  deleteMarks,
  deleteMemberships,
  deleteNotifications,
  deleteStatesAbout,
  emptyDeliveries,
  emptyObjects,
  forgetResponsesOf,
  pageBesideStream,
  pageOfObjects,
  pageOfStream,
  pageOfTeamDeliveries,
} from './team.store.ts';

/** A member's exceptions may be many: few members at once. */
const MEMBERS = 20;

interface Row {
  readonly id: string;
}

function messageStep(eraseMessages: EraseMessages, pageOf: typeof pageOfStream): Step {
  return {
    erase: async (tx, teamId, after) => {
      const page: readonly Row[] = await pageOf.all(tx, { teamId, after, limit: BATCH });
      const ids = page.map(({ id }) => id);
      await eraseMessages(tx, ids);
      // Also those of former members.
      await deleteStatesAbout.run(tx, { ids: idList(tx.dialect, ids) });
      return page.length < BATCH ? undefined : ids.at(-1);
    },
  };
}

const eraseReadState: Step = {
  erase: async (tx, teamId, after) => {
    const page = await listMemberIds.all(tx, { teamId, after, limit: MEMBERS });
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) {
      await deleteMarks(tx, teamId, ids);
      await deleteNotifications(tx, teamId, ids);
      await deleteMemberships(tx, teamId, ids);
    }
    return page.length < MEMBERS ? undefined : ids.at(-1);
  },
};

const eraseObjects = (clock: Clock): Step => ({
  erase: async (tx, teamId, after) => {
    const page = await pageOfObjects.all(tx, { teamId, after, limit: BATCH });
    const ids = idList(
      tx.dialect,
      page.map(({ id }) => id),
    );
    await emptyObjects.run(tx, { ids, now: clock() });
    return page.length < BATCH ? undefined : page.at(-1)?.id;
  },
});

const eraseDeliveries: Step = {
  erase: async (tx, teamId, after) => {
    const page = await pageOfTeamDeliveries.all(tx, { teamId, after, limit: BATCH });
    const ids = idList(
      tx.dialect,
      page.map(({ id }) => id),
    );
    await emptyDeliveries.run(tx, { ids });
    await forgetResponsesOf.run(tx, { ids });
    return page.length < BATCH ? undefined : page.at(-1)?.id;
  },
};

const finish = (clock: Clock, record: Recorder): Step => ({
  erase: async (tx, teamId) => {
    await deleteInvitations.run(tx, { teamId });
    await deleteInvitationMails.run(tx, { teamId });
    await blankTeam.run(tx, { teamId, now: clock() });
    await record(tx, { action: 'team.erased', target: ['team', teamId], teamId });
    return undefined;
  },
});

/** Whatever else belongs to a team has its step here. */
export function teamSteps(deps: {
  clock: Clock;
  record: Recorder;
  eraseMessages: EraseMessages;
}): readonly Step[] {
  const { clock, record, eraseMessages } = deps;
  return [
    messageStep(eraseMessages, pageOfStream),
    messageStep(eraseMessages, pageBesideStream),
    eraseReadState,
    eraseObjects(clock),
    eraseDeliveries,
    finish(clock, record),
  ];
}
