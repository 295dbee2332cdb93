import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { Portion } from '#platform/jobs/index.ts';
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

/** Carries out batches for the members of a team, one page of them after the other. */
export const eachMember = (batch: Portion<{ teamId: string; userIds: readonly string[] }>): Step => ({
  erase: async (tx, teamId, after) => {
    const page = await listMemberIds.all(tx, { teamId, after, limit: MEMBERS });
    const userIds = page.map(({ id }) => id);
    if (userIds.length > 0 && (await batch(tx, { teamId, userIds }))) return after;
    return page.length < MEMBERS ? undefined : userIds.at(-1);
  },
});

/** Takes the members out of a team, after what others hold about their membership. */
export const membersStep = (forget: readonly ForgetMembers[]): Step =>
  eachMember(async (tx, members) => {
    for (const one of [...forget, leaveGroups.run, deleteMemberships.run]) await one(tx, members);
    return false;
  });

/** The last step: the team loses its invitations, its links and its name. @param deps.forget what others hold about invitations */
export const teamStep = (deps: {
  clock: Clock;
  record: Recorder;
  forget: Portion<{ teamId: string }>;
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
