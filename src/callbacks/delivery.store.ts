import { type IdList, inIdList, locked, type Reader } from '#platform/db/index.ts';
import { type DeliveryAttemptRow, type DeliveryRow, query, statement } from '../schema/index.ts';

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
    next_attempt_at: p.next_attempt_at,
    lease_until: p.lease_until,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

export const findDelivery = statement<{ id: string }>()((q, p) =>
  q.selectFrom('deliveries').selectAll().where('id', '=', p.id),
);

/** Tells without a transaction whether there is anything to do. */
export const anyDue = statement<{ now: number }>()((q, p) =>
  q
    .selectFrom('deliveries')
    .select('id')
    .where('next_attempt_at', 'is not', null)
    .where('next_attempt_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .limit(1),
);

/** Takes what is due for as long as the lease; a node that dies loses it and another one goes on. */
export const claimDue = statement<{ now: number; leaseUntil: number; limit: number }>()((q, p, dialect) => {
  const due = q
    .selectFrom('deliveries')
    .select('id')
    .where('next_attempt_at', 'is not', null)
    .where('next_attempt_at', '<=', p.now)
    .where('lease_until', '<=', p.now)
    .orderBy('next_attempt_at')
    .limit(p.limit);
  return q
    .updateTable('deliveries')
    .set({ lease_until: p.leaseUntil })
    .where('id', 'in', locked(dialect, due, 'skip locked'))
    .returningAll();
});

export const finishAttempt = statement<
  Pick<DeliveryRow, 'id' | 'status' | 'num_attempts' | 'next_attempt_at' | 'lease_until' | 'updated_at'>
>()((q, p) =>
  q
    .updateTable('deliveries')
    .set({
      status: p.status,
      num_attempts: p.num_attempts,
      next_attempt_at: p.next_attempt_at,
      lease_until: p.lease_until,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

/** Plans no further attempt to tell an application of a team. */
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

/** The delivery as it is now, and stays until the transaction ends. */
export const holdDelivery = statement<{ id: string }>()((q, p, dialect) => {
  const found = q.selectFrom('deliveries').selectAll().where('id', '=', p.id);
  return locked(dialect, found);
});

export const insertAttempt = statement<DeliveryAttemptRow>()((q, p) =>
  q.insertInto('delivery_attempts').values({
    id: p.id,
    delivery_id: p.delivery_id,
    number: p.number,
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

/** What is over, and so old that its id is below another one. */
export const holdOver = statement<{ below: string; limit: number }>()((q, p, dialect) => {
  const found = q
    .selectFrom('deliveries')
    .select('id')
    .where('id', '<', p.below)
    .where('next_attempt_at', 'is', null)
    .orderBy('id')
    .limit(p.limit);
  return locked(dialect, found, 'skip locked');
});

export const deleteAttempts = statement<{ ids: IdList }>()((q, p, dialect) =>
  q.deleteFrom('delivery_attempts').where(inIdList(dialect, 'delivery_id', p.ids)),
);

export const deleteDeliveries = statement<{ ids: IdList }>()((q, p, dialect) =>
  q.deleteFrom('deliveries').where(inIdList(dialect, 'id', p.ids)),
);

/** An application's deliveries, the newest first; of some teams only when `teams` is given. */
export function listDeliveries(
  db: Reader,
  applicationId: string,
  teams: readonly string[] | undefined,
  page: { limit: number; before: string | undefined },
): Promise<DeliveryRow[]> {
  return query(db, (q) => {
    let found = q.selectFrom('deliveries').selectAll().where('application_id', '=', applicationId);
    if (teams) found = found.where('team_id', 'in', [...teams]);
    if (page.before !== undefined) found = found.where('id', '<', page.before);
    return found.orderBy('id', 'desc').limit(page.limit + 1);
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
