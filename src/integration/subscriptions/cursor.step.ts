import { ERASED_AT_ONCE, type Step } from '../../stewardship/erasure/index.ts';
import { cursorsOfTeam, deleteCursorsById } from './subscription.store.ts';

/** Deletes how far applications have read a team's events. */
export const teamCursors: Step = {
  erase: async (tx, teamId) => {
    const page = await cursorsOfTeam.all(tx, { teamId, limit: ERASED_AT_ONCE });
    await deleteCursorsById.run(tx, { ids: page.map(({ id }) => id) });
    return page.length < ERASED_AT_ONCE ? undefined : page.at(-1)?.id;
  },
};
