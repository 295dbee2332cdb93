import { Webhook } from 'standardwebhooks';
import type { Database } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { Outbound, OutboundAnswer } from '#platform/outbound/index.ts';
import type { ApplicationService, Progress } from '../applications/index.ts';
import type { DeliveryRow } from '../schema/index.ts';
import { finishAttempt, holdDelivery, insertAttempt } from './delivery.store.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long to wait after each failed attempt; after the last one the delivery has failed. */
const BACKOFF_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];

const KEPT_BODY_CHARACTERS = 4096;
export const MASK = '(hidden)';

/** How one attempt ended: undefined when the application answered exactly 200. */
export type Failure = string | undefined;

/** Who asks for the attempt: whoever made the delivery and waits for it, the worker, or the developer by hand. */
export type Occasion = 'first' | 'worker' | 'by_hand';

/** Whoever made it waits for its answer: nothing is served by calling again later. */
export const isAwaited = ({ kind }: DeliveryRow) => kind === 'install' || kind === 'test';

/** Makes one attempt to deliver, and records it. */
export function deliverySender(deps: {
  db: Database;
  clock: Clock;
  outbound: Outbound;
  applications: ApplicationService;
  progress: Progress;
}) {
  const { db, clock, outbound, applications, progress } = deps;

  return async function send(delivery: DeliveryRow, occasion: Occasion): Promise<Failure> {
    // Nobody recorded what became of it: the server was killed meanwhile.
    if (occasion === 'worker' && isAwaited(delivery)) return record(delivery, 'interrupted', {}, [], 'first');
    const secrets = await applications.secrets(db, delivery.application_id);
    const [current] = secrets;
    if (current === undefined) return record(delivery, 'application_deleted', {}, [], 'first');
    const body = JSON.stringify({ ...(JSON.parse(delivery.body_json) as object), client_secret: current });
    const startedAt = clock();
    const headers = signedHeaders(delivery.id, startedAt, body, secrets);
    const answer = await outbound.post(delivery.url, body, headers);
    return record(delivery, answer, headers, secrets, occasion);
  };

  async function record(
    delivery: DeliveryRow,
    outcome: OutboundAnswer | 'interrupted' | 'application_deleted',
    headers: Record<string, string>,
    secrets: readonly string[],
    occasion: Occasion,
  ): Promise<Failure> {
    const answer = typeof outcome === 'string' ? undefined : outcome;
    const failure = typeof outcome === 'string' ? outcome : failureOf(outcome);
    const now = clock();
    const response = answer?.ok ? answer : undefined;
    const mask = (text: string) => secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
    await db.write(async (tx) => {
      // Another attempt, by hand or by the worker, may have ended since.
      const before = (await holdDelivery.first(tx, { id: delivery.id })) ?? delivery;
      const number = before.num_attempts + 1;
      await insertAttempt.all(tx, {
        id: newId(),
        delivery_id: delivery.id,
        number,
        started_at: now - Math.round(answer?.durationMs ?? 0),
        duration_ms: Math.round(answer?.durationMs ?? 0),
        request_headers_json: JSON.stringify(headers),
        status: response?.status ?? null,
        response_headers_json: response ? mask(JSON.stringify(response.headers)) : null,
        response_body: response ? mask(response.body).slice(0, KEPT_BODY_CHARACTERS) : null,
        reason: failure ?? null,
      });
      await finishAttempt.all(tx, {
        id: delivery.id,
        updated_at: now,
        ...whatNow(before, failure, occasion, now),
        num_attempts: number,
      });
      if (failure === undefined) await progress.note(tx, delivery.application_id, 'callback_answered');
    });
    return failure;
  }
}

function whatNow(before: DeliveryRow, failure: Failure, occasion: Occasion, now: number) {
  const over = { next_attempt_at: null, lease_until: 0 };
  if (failure === undefined || before.status === 'delivered')
    return { status: 'delivered' as const, ...over };
  // A failure by hand changes nothing: what the worker has planned, it still does.
  const { status, next_attempt_at, lease_until, updated_at } = before;
  if (occasion === 'by_hand') return { status, next_attempt_at, lease_until, updated_at };
  // The wait is told by the one before, not by the number of attempts: those by hand count among them, too.
  const waited = next_attempt_at === null ? Number.POSITIVE_INFINITY : next_attempt_at - updated_at;
  const wait = occasion === 'worker' ? BACKOFF_MS.find((longer) => longer > waited) : undefined;
  if (wait === undefined) return { status: 'failed' as const, ...over };
  return { status: 'pending' as const, next_attempt_at: now + wait, lease_until: 0 };
}

/** Part 4.6: the callback must answer HTTP 200; any other success is none. */
function failureOf(answer: OutboundAnswer): Failure {
  if (!answer.ok) return answer.reason;
  return answer.status === 200 ? undefined : `status_${answer.status}`;
}

/** Standard Webhooks headers, signed with each secret that is good: during an overlap either one verifies. */
function signedHeaders(
  id: string,
  now: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) =>
    new Webhook(secret, { format: 'raw' }).sign(id, new Date(now), body),
  );
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
