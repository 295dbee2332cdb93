import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { Batch } from '#platform/jobs/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import type { Step } from '../stewardship/erasure/index.ts';
import { deleteDomainRulesOf } from './domain-rule.store.ts';
import {
  blankTeam,
  deleteGroups,
  deleteInvitations,
  deleteJoinLinks,
  deleteMemberships,
  deleteRemovals,
} from './erasing.store.ts';
import { leaveGroups } from './group.store.ts';
import { listMemberIds } from './team.store.ts';

/** A member's exceptions may be many: few members at once. */
const MEMBERS = 20;

/** Deletes what another domain holds about some members of a team, before their memberships. */
export type ForgetMembers = (
  tx: Tx,
  members: { teamId: string; userIds: readonly string[] },
) => Promise<void>;

/** Takes the members out of a team, after what others hold about their membership. */
export const membersStep = (forget: readonly ForgetMembers[]): Step => ({
  erase: async (tx, teamId, after) => {
    const page = await listMemberIds.all(tx, { teamId, after, limit: MEMBERS });
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) {
      for (const one of [...forget, leaveGroups.run, deleteMemberships.run])
        await one(tx, { teamId, userIds: ids });
    }
    return page.length < MEMBERS ? undefined : ids.at(-1);
  },
});

/** The last step: the team loses its invitations, its links and its name. @param deps.forget what others hold about invitations */
export const teamStep = (deps: {
  clock: Clock;
  record: Recorder;
  forget: Batch<{ teamId: string }>;
}): Step => ({
  erase: async (tx, teamId, place) => {
    for (const forget of [
      deleteInvitations,
      deleteJoinLinks,
      deleteRemovals,
      deleteDomainRulesOf,
      deleteGroups,
      deps.forget,
    ])
      if (await forget(tx, { teamId })) return place;
    await blankTeam.run(tx, { teamId, now: deps.clock() });
    await deps.record(tx, { action: 'team.erased', target: ['team', teamId], teamId });
    return undefined;
  },
});
