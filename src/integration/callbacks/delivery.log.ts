import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { DeliveryRow, EventSubscriptionRow } from '#schema';
import { findDelivery, giveUpEventsOf, insertAttempt, insertDelivery, noteEvents } from './delivery.store.ts';

/** An attempt to send events to a webhook. */
export interface EventAttempt {
  readonly id: string;
  /** Not the first attempt at these events. */
  readonly isRepeated: boolean;
  readonly subscription: Pick<EventSubscriptionRow, 'id' | 'application_id' | 'webhook_url'>;
  readonly teamId: string;
  readonly eventIds: readonly string[];
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly nextAttemptAt: number | null;
  readonly attempt: {
    readonly startedAt: number;
    readonly durationMs: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly status: number | null;
    readonly reason: string | null;
  };
}

export type DeliveryLog = ReturnType<typeof deliveryLog>;

/**
 * Keeps the calls that send events in the list of all calls. It keeps ids and no content: neither what the events said,
 * because a message may be deleted, nor what was answered, because that may repeat it.
 */
export function deliveryLog(clock: Clock) {
  async function note(tx: Tx, given: EventAttempt): Promise<void> {
    const now = clock();
    const { id, subscription, attempt } = given;
    const before = given.isRepeated ? await findDelivery.first(tx, { id }) : undefined;
    const number = (before?.num_attempts ?? 0) + 1;
    const row: DeliveryRow = {
      id,
      application_id: subscription.application_id,
      team_id: given.teamId,
      kind: 'events',
      url: subscription.webhook_url ?? '',
      body_json: JSON.stringify({ events: given.eventIds }),
      status: given.status,
      num_attempts: number,
      num_failures: (before?.num_failures ?? 0) + Number(attempt.reason !== null),
      next_attempt_at: given.nextAttemptAt,
      lease_until: 0,
      created_at: before?.created_at ?? now,
      updated_at: now,
      subscription_id: subscription.id,
    };
    if (before) await noteEvents.run(tx, row);
    else await insertDelivery.run(tx, row);
    await insertAttempt.run(tx, {
      id: newId(),
      delivery_id: id,
      number,
      url: row.url,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      request_headers_json: JSON.stringify(attempt.headers),
      status: attempt.status,
      response_headers_json: null,
      response_body: null,
      reason: attempt.reason,
    });
  }

  /** The events are not the application's to hear any more. */
  const giveUp = (tx: Tx, id: string) => giveUpEventsOf.run(tx, { id, now: clock() });

  return { note, giveUp };
}
