import type { Clock } from '#platform/ids.ts';
import { ERASED_AT_ONCE, type Step } from '../stewardship/erasure/index.ts';
import { emptyObjects, pageOfObjects } from './object.store.ts';

/** Empties the objects of a team. */
export const teamObjects = (clock: Clock): Step => ({
  erase: async (tx, teamId, after) => {
    const page = await pageOfObjects.all(tx, { teamId, after, limit: ERASED_AT_ONCE });
    const ids = page.map(({ id }) => id);
    await emptyObjects.run(tx, { ids, now: clock() });
    return page.length < ERASED_AT_ONCE ? undefined : page.at(-1)?.id;
  },
});
