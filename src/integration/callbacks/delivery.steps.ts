import { ERASED_AT_ONCE, type Step } from '../../stewardship/erasure/index.ts';
import {
  emptyDeliveries,
  forgetResponses,
  forgetResponsesOf,
  pageOfDeliveries,
  pageOfTeamDeliveries,
  rewriteDelivery,
} from './delivery.store.ts';
import { withoutPerson } from './without-person.ts';

/** Bodies of calls name people. The calls stay in the log of deliveries, without the person. */
export const personDeliveries: Step = {
  erase: async (tx, userId, after) => {
    const page = await pageOfDeliveries.all(tx, { after, limit: ERASED_AT_ONCE });
    for (const { id, body_json } of page.filter((row) => row.body_json.includes(userId))) {
      const body = withoutPerson(JSON.parse(body_json), userId);
      await rewriteDelivery.run(tx, { id, body: JSON.stringify(body) });
      // The application's answer may repeat what it was sent.
      await forgetResponses.run(tx, { deliveryId: id });
    }
    return page.length < ERASED_AT_ONCE ? undefined : page.at(-1)?.id;
  },
};

/** Empties the calls about a team. */
export const teamDeliveries: Step = {
  erase: async (tx, teamId, after) => {
    const page = await pageOfTeamDeliveries.all(tx, { teamId, after, limit: ERASED_AT_ONCE });
    const ids = page.map(({ id }) => id);
    await emptyDeliveries.run(tx, { ids });
    await forgetResponsesOf.run(tx, { ids });
    return page.length < ERASED_AT_ONCE ? undefined : page.at(-1)?.id;
  },
};
