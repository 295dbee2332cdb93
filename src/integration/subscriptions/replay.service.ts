import { Conflict, InvalidFields } from '#api';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { countConsumers, insertConsumer } from './consumer.store.ts';
import type { GroupService, Of } from './group.service.ts';
import type { Developer, SubscriptionService } from './subscription.service.ts';

/** Of one subscription, at a time. */
export const MOST_REPLAYS = 3;

export type ReplayService = ReturnType<typeof replayService>;

/** Sends a range of events to a webhook once more, beside what it is sent anyway. */
export function replayService(deps: {
  clock: Clock;
  subscriptions: SubscriptionService;
  groups: GroupService;
  wakeWorker: () => void;
}) {
  const { clock, subscriptions, groups, wakeWorker } = deps;

  /** @throws Conflict without a webhook, or for one more than may run @throws InvalidFields */
  async function replay(
    tx: Tx,
    caller: Developer,
    of: Of,
    range: { since: string; until?: string },
  ): Promise<{ id: string }> {
    const subscription = await subscriptions.accessLocked(tx, caller, of);
    if (subscription.webhook_url === null)
      throw new Conflict('no_webhook', 'The subscription has no webhook');
    const running = await countConsumers.first(tx, { subscription_id: subscription.id, kind: 'replay' });
    if (Number(running?.count) >= MOST_REPLAYS)
      throw new Conflict('replaying', `At most ${MOST_REPLAYS} ranges are replayed at a time`);
    const place = await groups.placeOf(subscription, range.since);
    const upTo =
      range.until === undefined
        ? await subscriptions.newestPlace(tx)
        : await groups.placeOf(subscription, range.until, 'until');
    if (upTo < place) throw new InvalidFields({ field: 'until', message: 'must not be before since' });
    const [id, now] = [newId(), clock()];
    const consumer = { id, subscription_id: subscription.id, kind: 'replay', name: id } as const;
    await insertConsumer(tx, [{ ...consumer, place, up_to: upTo, used_at: now, created_at: now }]);
    tx.afterCommit(wakeWorker);
    return { id };
  }

  return { replay };
}
