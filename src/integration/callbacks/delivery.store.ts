import { sql } from 'kysely';
import { inIdList, locked, type Reader } from '#platform/db/index.ts';
import {
  type DeliveryAttemptRow,
  type DeliveryRow,
  leasedQueue,
  modification,
  query,
  statement,
} from '#schema';
import { isAwake } from '../applications/index.ts';

export const insertDelivery = statement<DeliveryRow>()((q, p) =>
  q.insertInto('deliveries').values({
    id: p.id,
    application_id: p.application_id,
    team_id: p.team_id,
    kind: p.kind,
    url: p.url,
    body_json: p.body_json,
    status: p.status,
    num_attempts: p.num_attempts,
    num_failures: p.num_failures,
    next_attempt_at: p.next_attempt_at,
    lease_until: p.lease_until,
    created_at: p.created_at,
    updated_at: p.updated_at,
    subscription_id: p.subscription_id,
  }),
);

/** After one more attempt to send events. */
export const noteEvents = statement<
  Pick<
    DeliveryRow,
    'id' | 'url' | 'body_json' | 'status' | 'num_attempts' | 'num_failures' | 'next_attempt_at' | 'updated_at'
  >
>()((q, p) =>
  q
    .updateTable('deliveries')
    .set({
      url: p.url,
      body_json: p.body_json,
      status: p.status,
      num_attempts: p.num_attempts,
      num_failures: p.num_failures,
      next_attempt_at: p.next_attempt_at,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

export const giveUpEventsOf = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('deliveries')
    .set({ status: 'failed', next_attempt_at: null, updated_at: p.now })
    .where('id', '=', p.id),
);

/** A subscription that ended sends nothing that waited. */
export const giveUpEvents = statement<{ applicationId: string; subscriptionId: string; now: number }>()(
  (q, p) =>
    q
      .updateTable('deliveries')
      .set({ status: 'failed', next_attempt_at: null, updated_at: p.now })
      .where('application_id', '=', p.applicationId)
      .where('next_attempt_at', 'is not', null)
      .where('kind', '=', 'events')
      .where('subscription_id', '=', p.subscriptionId),
);

export const findDelivery = statement<{ id: string }>()((q, p) =>
  q.selectFrom('deliveries').selectAll().where('id', '=', p.id),
);

type Notice = Extract<DeliveryRow['kind'], 'uninstall' | 'team_update'>;
/** Calls that no request waits for: the worker makes them, one at a time for each application. */
const NOTICES: readonly Notice[] = ['uninstall', 'team_update'];

const queue = leasedQueue('deliveries', {
  key: 'id',
  due: 'next_attempt_at',
  lease: 'lease_until',
  failures: 'num_failures',
});

/** What is for a team that has not agreed to the hands that the application is in waits. */
const isAsleep = (delivery: string) => sql<boolean>`EXISTS (
  SELECT 1 FROM installations WHERE installations.team_id = ${sql.ref(`${delivery}.team_id`)}
  AND installations.application_id = ${sql.ref(`${delivery}.application_id`)}
  AND installations.status IN ('pending', 'active') AND installations.asleep_since IS NOT NULL)`;

export const isNotAsleep = (delivery = 'deliveries') => sql<boolean>`NOT ${isAsleep(delivery)}`;

export const { renew: renewDelivery, state: deliveriesState } = queue;

/** Claims calls that a request should have ended and did not: the server was killed meanwhile. */
export const claimInterrupted = queue.claimDueOf((due) =>
  due.where('kind', 'not in', [...NOTICES, 'events']),
);

/** Claims an application's next notice, unless one is under way. */
export const claimNext = queue.claim<{ applicationId: string }>((due, p) =>
  due
    .where('application_id', '=', p.applicationId)
    .where('kind', 'in', NOTICES)
    .where(isNotAsleep())
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as leased')
            .select('leased.id')
            .where('leased.application_id', '=', p.applicationId)
            .where('leased.kind', 'in', NOTICES)
            .where('leased.lease_until', '>', sql.lit(0))
            .where('leased.lease_until', '>', p.now),
        ),
      ),
    )
    .orderBy('id'),
);

/** Claims a delivery for an attempt by hand, due or not. Gives no row while another attempt is under way. */
export const claimOne = statement<{ id: string; now: number; leaseUntil: number }>()((q, p) =>
  q
    .updateTable('deliveries')
    .set({ lease_until: p.leaseUntil })
    .where('id', '=', p.id)
    .where('lease_until', '<=', p.now)
    .returningAll(),
);

/** Ends every lease: for the start of the one server of an embedded database. */
export const endLeases = statement<object>()((q) =>
  q.updateTable('deliveries').set({ lease_until: 0 }).where('lease_until', '>', sql.lit(0)),
);

/** Keeps what was sent: the address and the body are those of the last attempt. */
export const noteSent = statement<Pick<DeliveryRow, 'id' | 'url' | 'body_json'>>()((q, p) =>
  q.updateTable('deliveries').set({ url: p.url, body_json: p.body_json }).where('id', '=', p.id),
);

/** Counts an attempt, also where another attempt settles the delivery. */
export const countAttempt = statement<Pick<DeliveryRow, 'id' | 'num_attempts' | 'updated_at'>>()((q, p) =>
  q
    .updateTable('deliveries')
    .set({ num_attempts: p.num_attempts, updated_at: p.updated_at })
    .where('id', '=', p.id),
);

export const settleDelivery = queue.settle(['status', 'num_failures', 'next_attempt_at']);

/** Locks the first delivery about a team that waits for an application and is not under way. */
export const lockWaiting = statement<
  Pick<DeliveryRow, 'kind'> & { applicationId: string; teamId: string; now: number }
>()((q, p, dialect) => {
  const found = q
    .selectFrom('deliveries')
    .selectAll()
    .where('application_id', '=', p.applicationId)
    .where('team_id', '=', p.teamId)
    .where('kind', '=', p.kind)
    .where('status', '=', 'pending')
    .where('next_attempt_at', 'is not', null)
    .where('lease_until', '<=', p.now)
    .orderBy('id')
    .limit(1);
  return locked(dialect, found);
});

/** Gives a waiting delivery another body and another due time. */
export const rewriteWaiting = statement<
  Pick<DeliveryRow, 'id' | 'body_json' | 'num_failures' | 'next_attempt_at' | 'updated_at'>
>()((q, p) =>
  q
    .updateTable('deliveries')
    .set({
      body_json: p.body_json,
      num_failures: p.num_failures,
      next_attempt_at: p.next_attempt_at,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

export const markReplaced = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('deliveries')
    .set({ status: 'replaced', next_attempt_at: null, updated_at: p.now })
    .where('id', '=', p.id),
);

/** Finds a notice about a team that is under way to an application, on any node. */
export const findUnderWay = statement<{ applicationId: string; teamId: string; now: number }>()((q, p) =>
  q
    .selectFrom('deliveries')
    .select('id')
    .where('application_id', '=', p.applicationId)
    .where('team_id', '=', p.teamId)
    .where('kind', 'in', NOTICES)
    .where('lease_until', '>', sql.lit(0))
    .where('lease_until', '>', p.now)
    .limit(1),
);

/**
 * Fails notices that have waited since before a time. What waits for an application that sleeps, or has just woken,
 * may be older: `heldBefore`.
 */
export const failOlder = modification('deliveries')<{ before: number; heldBefore: number; now: number }>(
  (p) => ({ status: 'failed', next_attempt_at: null, updated_at: p.now }),
  (rows, p) =>
    rows
      .where('kind', 'in', NOTICES)
      .where('next_attempt_at', 'is not', null)
      .where('created_at', '<', p.before)
      .where('lease_until', '<=', p.now)
      .where((eb) =>
        eb.or([
          eb('created_at', '<', p.heldBefore),
          sql<boolean>`NOT EXISTS (
          SELECT 1 FROM applications WHERE applications.id = deliveries.application_id
          AND (NOT ${isAwake()} OR applications.woken_at >= ${p.before}))
          AND NOT EXISTS (
          SELECT 1 FROM installations WHERE installations.team_id = deliveries.team_id
          AND installations.application_id = deliveries.application_id AND installations.status = 'active'
          AND (installations.asleep_since IS NOT NULL OR installations.woken_at >= ${p.before}))`,
        ]),
      ),
);

/** Fails the deliveries of a kind about a team that wait for an application. */
export const giveUpCalls = statement<
  Pick<DeliveryRow, 'kind'> & { applicationId: string; teamId: string; now: number }
>()((q, p) =>
  q
    .updateTable('deliveries')
    .set({ status: 'failed', next_attempt_at: null, updated_at: p.now })
    .where('team_id', '=', p.teamId)
    .where('application_id', '=', p.applicationId)
    .where('kind', '=', p.kind)
    .where('status', '=', 'pending'),
);

/** Puts off the deliveries of a kind about a team that wait for an application. */
export const deferCalls = statement<
  Pick<DeliveryRow, 'kind'> & { applicationId: string; teamId: string; until: number }
>()((q, p) =>
  q
    .updateTable('deliveries')
    .set({ next_attempt_at: p.until })
    .where('team_id', '=', p.teamId)
    .where('application_id', '=', p.applicationId)
    .where('kind', '=', p.kind)
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<', p.until),
);

/** Locks a delivery until the transaction ends. */
export const lockDelivery = statement<{ id: string }>()((q, p, dialect) => {
  const found = q.selectFrom('deliveries').selectAll().where('id', '=', p.id);
  return locked(dialect, found);
});

export const insertAttempt = statement<DeliveryAttemptRow>()((q, p) =>
  q.insertInto('delivery_attempts').values({
    id: p.id,
    delivery_id: p.delivery_id,
    number: p.number,
    url: p.url,
    started_at: p.started_at,
    duration_ms: p.duration_ms,
    request_headers_json: p.request_headers_json,
    status: p.status,
    response_headers_json: p.response_headers_json,
    response_body: p.response_body,
    reason: p.reason,
  }),
);

export const listAttempts = statement<{ deliveryId: string }>()((q, p) =>
  q
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', '=', p.deliveryId)
    .orderBy('number', 'desc')
    .limit(100),
);

/** Locks deliveries that are over and older than an id. */
export const lockFinished = statement<{ below: string; limit: number }>()((q, p, dialect) => {
  const found = q
    .selectFrom('deliveries')
    .select('id')
    .where('id', '<', p.below)
    .where('next_attempt_at', 'is', null)
    .orderBy('id')
    .limit(p.limit);
  return locked(dialect, found, 'skip locked');
});

export const deleteAttempts = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q.deleteFrom('delivery_attempts').where(inIdList(dialect, 'delivery_id', p.ids)),
);

export const deleteDeliveries = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q.deleteFrom('deliveries').where(inIdList(dialect, 'id', p.ids)),
);

/** An application's deliveries, the newest first; of some teams only when `teams` is given. */
export function listDeliveries(
  db: Reader,
  applicationId: string,
  { teams, subscription }: { teams: readonly string[] | undefined; subscription: string | undefined },
  page: { limit: number; before: string | undefined },
): Promise<DeliveryRow[]> {
  return query(db, (q, dialect) => {
    let found = q.selectFrom('deliveries').selectAll().where('application_id', '=', applicationId);
    if (teams) found = found.where(inIdList(dialect, 'team_id', teams));
    if (subscription !== undefined) found = found.where('subscription_id', '=', subscription);
    if (page.before !== undefined) found = found.where('id', '<', page.before);
    return found.orderBy('id', 'desc').limit(page.limit);
  });
}

/** The teams that a user administers and in which the application was ever installed. */
export const administeredTeams = statement<{ userId: string; applicationId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .select('memberships.team_id')
    .where('memberships.user_id', '=', p.userId)
    .where('memberships.membership_type', '=', 1)
    .where('teams.active', '=', 1)
    .where(
      'memberships.team_id',
      'in',
      q
        .selectFrom('installations')
        .select('installations.team_id')
        .where('application_id', '=', p.applicationId),
    ),
);

/** Whether a team has an application, or is just installing it. */
export const findLiveInstallation = statement<{ applicationId: string; teamId: string }>()((q, p) =>
  q
    .selectFrom('installations')
    .select(['id', 'asleep_since'])
    .where('team_id', '=', p.teamId)
    .where('application_id', '=', p.applicationId)
    .where('status', 'in', ['pending', 'active']),
);

export const pageOfDeliveries = statement<{ after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('deliveries')
    .select(['id', 'body_json'])
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const rewriteDelivery = statement<{ id: string; body: string }>()((q, p) =>
  q.updateTable('deliveries').set({ body_json: p.body }).where('id', '=', p.id),
);

export const forgetResponses = statement<{ deliveryId: string }>()((q, p) =>
  q
    .updateTable('delivery_attempts')
    .set({ response_headers_json: null, response_body: null })
    .where('delivery_id', '=', p.deliveryId),
);

export const pageOfTeamDeliveries = statement<{ teamId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('deliveries')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const emptyDeliveries = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .updateTable('deliveries')
    .set({ body_json: '{}' })
    .where(inIdList(dialect, 'id', p.ids)),
);

export const forgetResponsesOf = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .updateTable('delivery_attempts')
    .set({ response_headers_json: null, response_body: null })
    .where(inIdList(dialect, 'delivery_id', p.ids)),
);
