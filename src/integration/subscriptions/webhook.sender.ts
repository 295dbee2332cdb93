import type { CallbackFailure } from '#api';
import type { Cipher } from '#platform/crypto/index.ts';
import { type Database, type Tx, together } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { type KeepLease, LEASE_MS, type OnAttempt, retryAt } from '#platform/jobs/index.ts';
import { isBrokenOff, type Outbound, type OutboundAnswer, retryAfterMs } from '#platform/outbound/index.ts';
import type { EventConsumerRow, EventCursorRow, EventSubscriptionRow } from '#schema';
import { findBounds } from '../../conversation/live/index.ts';
import type { ApplicationService } from '../applications/index.ts';
import { afterFailure, type DeliveryLog, type PauseListener, signedHeaders } from '../callbacks/index.ts';
import { type Clicks, clicksIn } from './clicks.ts';
import type { Heard, HeardPage, LogReader } from './log.reader.ts';
import { findSubscription, lockSubscription } from './subscription.store.ts';
import {
  findAwake,
  findConsumerById,
  noteFailure,
  noteSuccess,
  renewCursor,
  settleCursor,
} from './webhook.store.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * How long to wait after each failed attempt (Standard Webhooks, "Deliverability and reliability"), with two more steps at the
 * beginning: a receiver that fails now and then fails twice in a row soon, and the events of the team wait meanwhile.
 */
export const WEBHOOK_BACKOFF_MS = [
  5 * SECOND,
  20 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** The longest wait that a receiver may ask for. */
const LONGEST_ASKED_MS = 24 * HOUR;
/** Calls about one team before others take their turn. */
const CALLS_IN_A_ROW = 20;
/** Rows that are looked at in one statement. */
const AT_ONCE = 100;
/** How long what was read is sent: texts, rights, the address and its keys are read again after that. */
const READ_GOOD_FOR_MS = SECOND;
/** RFC 9110 §15.5.11: the resource is gone for good. */
const GONE = 'status_410';

/** A team whose events are sent to a webhook, by the holder of its cursor's lease. */
export interface Claimed {
  /** Of the application. */
  readonly ownerId: string;
  readonly subscription: EventSubscriptionRow;
  readonly consumer: EventConsumerRow;
  readonly cursor: EventCursorRow;
  /** The newest place of the log before the subscription was read. What comes after it is judged by a later reading. */
  readonly newest: number;
}

type Turn = Omit<Claimed, 'ownerId'>;

/** The events of one call. */
interface ToSend {
  readonly events: readonly Heard[];
  /** Where the cursor stands after them. Rows after the last event may be none of the subscription's. */
  readonly place: number;
  /** Whether more of the team was found to send. */
  readonly more: boolean;
}

/** A call as it was made. */
interface Sent {
  readonly toSend: ToSend;
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** Sends the events of one team to a webhook, in their order, until there are none, one fails, or others wait. */
export function webhookSender(deps: {
  db: Database;
  clock: Clock;
  cipher: Cipher;
  outbound: Outbound;
  applications: ApplicationService;
  reader: LogReader;
  deliveries: DeliveryLog;
  keepLease: KeepLease;
  onPause: PauseListener;
  onAttempt: OnAttempt;
  clicks: Clicks;
}) {
  const { db, clock, cipher, outbound, applications, reader, deliveries, keepLease, onPause, onAttempt } =
    deps;
  const { clicks } = deps;

  const mayBeCalled = (subscription: EventSubscriptionRow) =>
    subscription.webhook_url !== null && subscription.ended === null && subscription.paused_until <= clock();

  return async function carryOut({ ownerId, ...claimed }: Claimed): Promise<void> {
    let held: EventCursorRow | undefined = claimed.cursor;
    let turn = mayBeCalled(claimed.subscription) ? claimed : undefined;
    for (let calls = 0; turn && calls < CALLS_IN_A_ROW; turn = await again(claimed, held)) {
      const readAt = clock();
      const page: HeardPage = await nextPage(turn);
      const waiting = callsOf(turn.subscription, page);
      if (waiting.length === 0) {
        held = await moveOn(held, Math.max(held.place, page.place), page.more ? undefined : 0);
        if (!held || !page.more) return;
      }
      for (let next = waiting.shift(); next; next = isOld(readAt, clock()) ? undefined : waiting.shift()) {
        calls += 1;
        held = await call({ ...turn, cursor: held }, { ...next, readAt }, ownerId);
        if (!held) return;
      }
    }
    // The others of its webhook have their turn.
    await moveOn({ ...held, due_at: turn ? clock() : held.due_at }, held.place, 0);
  };

  /** Reads the rows of a turn again. @returns undefined when the subscription is no more, or is not to be called */
  async function again(turn: Turn, cursor: EventCursorRow): Promise<Turn | undefined> {
    const newest = Number((await findBounds.first(db, {}))?.newest ?? 0);
    const [subscription, consumer] = await together([
      findSubscription.first(db, { id: turn.subscription.id }),
      findConsumerById.first(db, { id: cursor.consumer_id }),
    ]);
    return subscription && consumer && mayBeCalled(subscription)
      ? { subscription, consumer, cursor, newest }
      : undefined;
  }

  /** The events to send next: those of the call that failed, or what is new. */
  async function nextPage({ subscription, consumer, cursor, newest }: Turn): Promise<HeardPage> {
    const upTo = Math.min(cursor.sent_to ?? newest, consumer.up_to ?? newest);
    return reader.readTeam(subscription, cursor.team_id, { after: cursor.place, upTo, limit: AT_ONCE });
  }

  /** Moves a cursor without a call. @returns undefined where the lease is another one by now */
  async function moveOn(cursor: EventCursorRow, place: number, leaseUntil = clock() + LEASE_MS) {
    const isOver = cursor.sent_to !== null && place >= cursor.sent_to;
    const moved = {
      ...cursor,
      place,
      ...(isOver && { sent_to: null, num_failures: 0, failing_since: null, delivery_id: null, due_at: 0 }),
    };
    const held = cursor.lease_until;
    const settled = await db.write(async (tx) => {
      const found = await settleCursor.first(tx, { ...moved, held, leaseUntil });
      if (found && isOver && cursor.delivery_id !== null) await deliveries.giveUp(tx, cursor.delivery_id);
      return found;
    });
    return settled ? { ...moved, lease_until: leaseUntil } : undefined;
  }

  /** Makes one call. @param read what to send, and when it was read @returns the cursor while it may go on */
  async function call(
    turn: Turn,
    read: ToSend & { readonly readAt: number },
    ownerId: string,
  ): Promise<EventCursorRow | undefined> {
    const { id, lease_until: leasedUntil } = turn.cursor;
    const deliveryId = turn.cursor.delivery_id ?? newId();
    let sent: Sent | undefined;
    const lease = keepLease(leasedUntil, (tx, to) => renewCursor.first(tx, { id, ...to }));
    const answer = await outbound
      .post(ownerId, async () => {
        const fresh = await freshen(turn, read);
        if (!fresh) return undefined;
        const { subscription, toSend } = fresh;
        const { events } = toSend;
        const isList = subscription.batch > 1;
        const [first] = events;
        const body = isList ? `[${events.map(({ json }) => json).join(',')}]` : (first as Heard).json;
        const headers = signed(subscription, isList ? deliveryId : (first as Heard).id, clock(), body);
        const url = subscription.webhook_url as string;
        sent = { toSend, url, headers };
        // Its events have ids.
        return { url, body, headers, mayRepeat: true };
      })
      .finally(lease.end);
    const held = { ...turn.cursor, lease_until: await lease.end() };
    // Left for the next start, for another node, or for the next look.
    if (!answer || !sent || isBrokenOff(answer)) return void (await moveOn(held, held.place, 0));
    return record({ ...turn, cursor: held }, sent, { deliveryId, answer });
  }

  /** Reads the events again if they are old, since a call waits for others of its owner. @returns undefined for none */
  async function freshen(turn: Turn, { readAt, ...toSend }: ToSend & { readAt: number }) {
    if (!isOld(readAt, clock())) return { subscription: turn.subscription, toSend };
    const now = await again(turn, turn.cursor);
    const [next] = now ? callsOf(now.subscription, await nextPage(now)) : [];
    return now && next && { subscription: now.subscription, toSend: next };
  }

  async function record(
    { subscription: { id }, cursor }: Turn,
    { toSend, url, headers }: Sent,
    { deliveryId, answer }: { deliveryId: string; answer: OutboundAnswer },
  ): Promise<EventCursorRow | undefined> {
    const { events } = toSend;
    const failure = failureOf(answer);
    const now = clock();
    const asked = failure !== undefined && answer.ok ? retryAfterMs(answer.headers['retry-after'], now) : 0;
    const outcome = await db.write(async (tx) => {
      const subscription = await findForRecord(tx, id, failure);
      if (!subscription) return undefined;
      // Another address has another record.
      const isCurrent = subscription.webhook_url === url;
      const next =
        failure === undefined
          ? succeeded(toSend, cursor)
          : isCurrent
            ? failed(subscription, cursor, { events, failure, asked, now })
            : moved(cursor, events);
      const of = { applicationId: subscription.application_id, teamId: cursor.team_id };
      const goesOn = failure === undefined && toSend.more && (await findAwake.first(tx, of)) !== undefined;
      const leaseUntil = goesOn ? now + LEASE_MS : 0;
      const settled = await settleCursor.first(tx, {
        ...next.cursor,
        delivery_id: failure === undefined || next.isOver ? null : deliveryId,
        held: cursor.lease_until,
        leaseUntil,
      });
      // Another node has the cursor since: it tells of this call again.
      if (!settled) return undefined;
      await deliveries.note(tx, {
        id: deliveryId,
        isRepeated: cursor.delivery_id !== null,
        subscription: { ...subscription, webhook_url: url },
        teamId: cursor.team_id,
        eventIds: events.map((event) => event.id),
        status: failure === undefined ? 'delivered' : next.isOver ? 'failed' : 'pending',
        nextAttemptAt: failure === undefined || next.isOver ? null : next.cursor.due_at,
        attempt: {
          startedAt: now - Math.round(answer.durationMs),
          durationMs: Math.round(answer.durationMs),
          headers,
          status: answer.ok ? answer.status : null,
          reason: failure ?? null,
        },
      });
      if (isCurrent) await noteRecord(tx, subscription, { failure, asked, now, ended: next.ended });
      // Retries go on for longer than anybody waits for an answer.
      if (failure === undefined) await clicks.end(tx, clicksIn(events));
      else if (next.ended !== null) await clicks.hurry(tx, subscription.application_id);
      return { ...next, leaseUntil, goesOn };
    });
    onAttempt(failure === undefined ? 'succeeded' : outcome?.isOver ? 'given_up' : 'failed');
    if (!outcome?.goesOn) return undefined;
    return { ...outcome.cursor, delivery_id: null, lease_until: outcome.leaseUntil };
  }

  /** Locks a webhook whose record changes before its cursor is, as who edits it does: failures are counted in turn. */
  async function findForRecord(tx: Tx, id: string, failure: CallbackFailure | undefined) {
    const found = failure === undefined ? await findSubscription.first(tx, { id }) : undefined;
    return found && !hasRecord(found) ? found : lockSubscription.first(tx, { id });
  }

  /** Counts for the pauses of the webhook; tells its owner of the first one. */
  async function noteRecord(
    tx: Tx,
    subscription: EventSubscriptionRow,
    {
      failure,
      asked,
      now,
      ended,
    }: {
      failure: CallbackFailure | undefined;
      asked: number;
      now: number;
      ended: EventSubscriptionRow['ended'];
    },
  ): Promise<void> {
    const { id } = subscription;
    if (failure === undefined) return hasRecord(subscription) ? noteSuccess.run(tx, { id }) : undefined;
    const after = afterFailure(subscription, now, asked);
    await noteFailure.run(tx, { id, ...after, ended: ended ?? subscription.ended });
    const isFirst = subscription.num_pauses === 0 && after.num_pauses === 1;
    const application = isFirst ? await applications.byId(tx, subscription.application_id) : undefined;
    if (application)
      await onPause(tx, { application, failingSince: after.failing_since, until: after.paused_until });
  }

  function failed(
    subscription: EventSubscriptionRow,
    cursor: EventCursorRow,
    {
      events,
      failure,
      asked,
      now,
    }: { events: readonly Heard[]; failure: CallbackFailure; asked: number; now: number },
  ): Next {
    const to = (events.at(-1) as Heard).place;
    const since = cursor.failing_since ?? now;
    const failing = { ...cursor, failing_since: since, num_failures: cursor.num_failures + 1, sent_to: to };
    const again = { ...cursor, failing_since: null, num_failures: 0, sent_to: null, due_at: 0 };
    if (failure === GONE) return { cursor: again, isOver: true, ended: 'gone' };
    const retry = retryAt(now, WEBHOOK_BACKOFF_MS, cursor.num_failures);
    if (retry !== null) {
      const due_at = Math.max(retry, now + Math.min(asked, LONGEST_ASKED_MS));
      return { cursor: { ...failing, due_at }, isOver: false, ended: null };
    }
    // The receiver took others meanwhile, so it is these that it cannot take.
    const takesOthers = subscription.failing_since === null || subscription.failing_since > since;
    if (takesOthers) return { cursor: { ...again, place: to }, isOver: true, ended: null };
    return { cursor: again, isOver: true, ended: 'failed' };
  }

  function signed(
    subscription: EventSubscriptionRow,
    id: string,
    now: number,
    body: string,
  ): Record<string, string> {
    const {
      key_ciphertext: current,
      previous_key_ciphertext: previous,
      previous_key_until: until,
    } = subscription;
    const isGood = previous !== null && until !== null && until > now;
    const keys = [current, isGood ? previous : null]
      .filter((key) => key !== null)
      .map((key) => cipher.decrypt(key));
    return signedHeaders({ id, now, body }, { keys });
  }
}

interface Next {
  readonly cursor: EventCursorRow;
  /** No further attempt follows for these events. */
  readonly isOver: boolean;
  readonly ended: EventSubscriptionRow['ended'];
}

function succeeded({ place }: ToSend, cursor: EventCursorRow): Next {
  const done = { place, sent_to: null, due_at: 0, num_failures: 0, failing_since: null };
  return { cursor: { ...cursor, ...done }, isOver: true, ended: null };
}

/** A failure at an address that is not the webhook's any more: the same events go to the new one at once. */
function moved(cursor: EventCursorRow, events: readonly Heard[]): Next {
  const to = (events.at(-1) as Heard).place;
  const again = { sent_to: to, due_at: 0, num_failures: 0, failing_since: null };
  return { cursor: { ...cursor, ...again }, isOver: false, ended: null };
}

const hasRecord = ({ num_failures, paused_until }: EventSubscriptionRow) =>
  num_failures !== 0 || paused_until !== 0;

const isOld = (readAt: number, now: number) => Math.abs(now - readAt) > READ_GOOD_FOR_MS;

/** Calls of up to `batch` events, in their order. */
function callsOf({ batch }: EventSubscriptionRow, { events, place, more }: HeardPage): ToSend[] {
  const count = Math.ceil(events.length / batch);
  return Array.from({ length: count }, (_, index) => {
    const some = events.slice(index * batch, (index + 1) * batch);
    return index === count - 1
      ? { events: some, place, more }
      : { events: some, place: (some.at(-1) as Heard).place, more: true };
  });
}

function failureOf(answer: OutboundAnswer): CallbackFailure | undefined {
  if (!answer.ok) return answer.reason;
  return answer.status >= 200 && answer.status < 300 ? undefined : `status_${answer.status}`;
}
