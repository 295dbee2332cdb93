import type { CallbackFailure } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { type KeepLease, type OnAttempt, retryAt } from '#platform/jobs/index.ts';
import {
  isBrokenOff,
  type Outbound,
  type OutboundAnswer,
  type Posting,
  retryAfterMs,
} from '#platform/outbound/index.ts';
import type { ApplicationRow, DeliveryRow } from '#schema';
import { type ApplicationService, findAnyApplication, type Progress } from '../applications/index.ts';
import {
  countAttempt,
  insertAttempt,
  lockDelivery,
  lockWaiting,
  markReplaced,
  noteSent,
  renewDelivery,
  rewriteWaiting,
  settleDelivery,
} from './delivery.store.ts';
import type { QueueService } from './queue.service.ts';
import { findCalled } from './queue.store.ts';
import { signedHeaders } from './signed-headers.ts';
import { mergeTeamUpdates, type NameMembers, type TeamUpdate } from './team-update.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long to wait after each failed attempt; after the last one the delivery has failed. */
export const BACKOFF_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];

const KEPT_BODY_CHARACTERS = 4096;
export const MASK = '(hidden)';

/** Why an attempt failed; undefined when the application accepted the call. */
export type Failure = CallbackFailure | undefined;

/** The cause of an attempt: the request that made the delivery, the worker, or the developer by hand. */
export type Occasion = 'first' | 'worker' | 'by_hand';

/** A request waits for the answer to these calls, so a later attempt would serve no purpose. */
export const isAwaited = ({ kind }: Pick<DeliveryRow, 'kind'>) => kind === 'install' || kind === 'test';

/** RFC 9110 §15.5.11: the resource is gone for good. */
const GONE = 'status_410';
/** Failures of this server: they do not count against the application. */
type OwnFailure = 'interrupted' | 'application_deleted' | 'address_removed';

/** What is sent, or why nothing is. */
type Composed =
  | {
      readonly posting: Posting & { readonly headers: Record<string, string> };
      /** The body without the secret. */
      readonly told: string;
      readonly secrets: readonly string[];
    }
  | 'application_deleted'
  | 'address_removed'
  | 'asleep';

/** The field of an application with the address for a call. */
const ADDRESSES = {
  install: 'preinstall_url',
  test: 'preinstall_url',
  uninstall: 'uninstall_url',
  team_update: 'team_update_url',
} as const;

/**
 * Makes one attempt to deliver, and records it. The caller has the delivery's lease. The call carries the current secret,
 * so it goes to the current address alone, and names people as they are named now. All of that is read when its turn has
 * come, since calls of one owner wait for each other.
 */
export function deliverySender(deps: {
  db: Database;
  clock: Clock;
  outbound: Outbound;
  applications: ApplicationService;
  progress: Progress;
  queues: QueueService;
  nameMembers: NameMembers;
  keepLease: KeepLease;
  onAttempt: OnAttempt;
}) {
  const { db, clock, outbound, applications, progress, queues, nameMembers, keepLease, onAttempt } = deps;

  return async function send(delivery: DeliveryRow, occasion: Occasion): Promise<Failure> {
    // The server was killed before the request could record the outcome.
    if (occasion === 'worker' && isAwaited(delivery)) return record(delivery, 'interrupted', {}, [], 'first');
    const application = await findAnyApplication.first(db, { id: delivery.application_id });
    if (!application) return record(delivery, 'application_deleted', {}, [], 'first');
    let composed: Composed | undefined;
    const { id, lease_until: leasedUntil } = delivery;
    const lease = keepLease(leasedUntil, (tx, to) => renewDelivery.first(tx, { id, ...to }));
    const answer = await outbound
      .post(application.owner_id, async () => {
        composed = await compose(delivery);
        return typeof composed === 'object' ? composed.posting : undefined;
      })
      .finally(lease.end);
    const held = { ...delivery, lease_until: await lease.end() };
    if (occasion === 'worker' && (composed === 'asleep' || (answer && isBrokenOff(answer))))
      return release(held);
    if (composed === 'asleep') return record(held, 'interrupted', {}, [], occasion);
    if (typeof composed === 'string') return record(held, composed, {}, [], 'first');
    // A call that did not get its turn was not composed.
    const { posting, told, secrets } = composed ?? { posting: undefined, told: undefined, secrets: [] };
    const sent = { ...held, url: posting?.url ?? held.url, body_json: told ?? held.body_json };
    return record(
      sent,
      answer as OutboundAnswer,
      posting?.headers ?? {},
      secrets,
      occasion,
      delivery.body_json,
    );
  };

  /** What to send, once the turn of the call has come. */
  async function compose(delivery: DeliveryRow): Promise<Composed> {
    const { id, application_id: applicationId, kind } = delivery;
    const secrets = await applications.secretsToSign(db, applicationId, kind);
    const [current] = secrets;
    if (current === undefined) return 'application_deleted';
    if (!(await findCalled.first(db, { id }))) return 'asleep';
    const application = await findAnyApplication.first(db, { id: applicationId });
    const url = addressOf(delivery, application);
    if (!url) return 'address_removed';
    const told = await tellingNow(delivery);
    const body = JSON.stringify({ ...told, client_secret: current });
    const headers = signedHeaders({ id, now: clock(), body }, { keys: secrets, format: 'raw' });
    return { posting: { url, body, headers }, told: JSON.stringify(told), secrets };
  }

  /** Leaves a call for the next start, or for another node. */
  async function release(held: DeliveryRow): Promise<Failure> {
    await db.write(async (tx) => {
      const row = await lockDelivery.first(tx, { id: held.id });
      if (row) await settleDelivery.run(tx, { ...row, lease_until: held.lease_until });
    });
    return 'closed';
  }

  async function tellingNow({ kind, body_json }: DeliveryRow): Promise<object> {
    const told = JSON.parse(body_json) as object;
    return kind === 'team_update' ? nameMembers(db, told as Partial<TeamUpdate>) : told;
  }

  /** @param before the body as it was claimed. Where it is another one by now, a person was erased, or more is to be told. */
  async function record(
    delivery: DeliveryRow,
    outcome: OutboundAnswer | OwnFailure,
    headers: Record<string, string>,
    secrets: readonly string[],
    occasion: Occasion,
    before = delivery.body_json,
  ): Promise<Failure> {
    const answer = typeof outcome === 'string' ? undefined : outcome;
    const failure = typeof outcome === 'string' ? outcome : failureOf(outcome, delivery);
    const now = clock();
    const response = answer?.ok ? answer : undefined;
    const askedPauseMs = failure === undefined ? 0 : retryAfterMs(response?.headers['retry-after'], now);
    const mask = (text: string) => secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
    const gaveUp = await db.write(async (tx) => {
      const row = await lockDelivery.first(tx, { id: delivery.id });
      if (!row) return false;
      const number = row.num_attempts + 1;
      await insertAttempt.run(tx, {
        id: newId(),
        delivery_id: delivery.id,
        number,
        url: delivery.url,
        started_at: now - Math.round(answer?.durationMs ?? 0),
        duration_ms: Math.round(answer?.durationMs ?? 0),
        request_headers_json: JSON.stringify(headers),
        status: response?.status ?? null,
        response_headers_json: response ? mask(JSON.stringify(response.headers)) : null,
        response_body: response ? mask(response.body).slice(0, KEPT_BODY_CHARACTERS) : null,
        reason: failure ?? null,
      });
      const body_json = row.body_json === before ? delivery.body_json : row.body_json;
      if (row.url !== delivery.url || row.body_json !== body_json)
        await noteSent.run(tx, { id: row.id, url: delivery.url, body_json });
      await countAttempt.run(tx, { id: delivery.id, num_attempts: number, updated_at: now });
      // After the lease has run out, another attempt settles the delivery.
      const isOurs = row.lease_until === delivery.lease_until;
      const isOver = isOurs && (await settle(tx, row, { failure, occasion, askedPauseMs, now }));
      if (failure === undefined) {
        await queues.succeeded(tx, delivery.application_id);
        await progress.note(tx, delivery.application_id, 'callback_answered');
      } else if (occasion === 'worker' && failure !== GONE) {
        await queues.failed(tx, delivery.application_id, askedPauseMs);
      }
      return isOver;
    });
    onAttempt(failure === undefined ? 'succeeded' : gaveUp ? 'given_up' : 'failed');
    return failure;
  }

  /** Settles a delivery after an attempt. @returns whether it is given up */
  async function settle(
    tx: Tx,
    row: DeliveryRow,
    attempt: { failure: Failure; occasion: Occasion; askedPauseMs: number; now: number },
  ): Promise<boolean> {
    const { failure, occasion, askedPauseMs, now } = attempt;
    const { id, lease_until, num_failures, status, next_attempt_at } = row;
    const finish = async (to: Partial<Pick<DeliveryRow, 'status' | 'num_failures' | 'next_attempt_at'>>) => {
      await settleDelivery.run(tx, { id, lease_until, status, num_failures, next_attempt_at: null, ...to });
      return to.status === 'failed';
    };
    if (failure === undefined) return finish({ status: 'delivered' });
    // A failure by hand leaves the attempts of the worker as planned.
    if (occasion === 'by_hand') return finish({ next_attempt_at });
    // The delivery was given up or delivered by hand meanwhile.
    if (status !== 'pending') return finish({});
    const retry = occasion === 'worker' && failure !== GONE ? retryAt(now, BACKOFF_MS, num_failures) : null;
    if (retry === null) return finish({ status: 'failed' });
    const at = Math.max(retry, now + askedPauseMs);
    await finish({ num_failures: num_failures + 1, next_attempt_at: at });
    if (row.kind === 'team_update') await leaveToNewer(tx, { ...row, num_failures: num_failures + 1 }, at);
    return false;
  }

  /** Merges a failed update into a newer one that waits already; that call is made when this one was to be repeated. */
  async function leaveToNewer(tx: Tx, failed: DeliveryRow, at: number): Promise<void> {
    const { application_id: applicationId, team_id: teamId } = failed;
    if (teamId === null) return;
    const waiting = await lockWaiting.all(tx, { kind: 'team_update', applicationId, teamId, now: clock() });
    const newer = waiting.find(({ id }) => id > failed.id);
    if (!newer) return;
    const body = mergeTeamUpdates(
      JSON.parse(failed.body_json) as Partial<TeamUpdate>,
      JSON.parse(newer.body_json) as TeamUpdate,
    );
    await rewriteWaiting.run(tx, {
      id: newer.id,
      body_json: JSON.stringify(body),
      num_failures: failed.num_failures,
      next_attempt_at: at,
      updated_at: clock(),
    });
    await markReplaced.run(tx, { id: failed.id, now: clock() });
  }
}

const addressOf = ({ kind }: DeliveryRow, application: ApplicationRow | undefined) =>
  kind === 'events' ? undefined : application?.[ADDRESSES[kind]];

/** Part 4.6: installing needs exactly 200. Any success settles a notice. */
function failureOf(answer: OutboundAnswer, delivery: DeliveryRow): Failure {
  if (!answer.ok) return answer.reason;
  const { status } = answer;
  const isTaken = isAwaited(delivery) ? status === 200 : status >= 200 && status < 300;
  return isTaken ? undefined : `status_${status}`;
}
