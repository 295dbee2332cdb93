import { sql } from 'kysely';
import { inIdList, locked } from '#platform/db/index.ts';
import { type CallbackQueueRow, statement } from '#schema';
import { isAwake } from '../applications/index.ts';
import { isNotAsleep } from './delivery.store.ts';

/** An application that sleeps is not called. A deleted one is told that it was uninstalled. */
const isCalled = (queue: string) => sql<boolean>`NOT EXISTS (
  SELECT 1 FROM applications WHERE applications.id = ${sql.ref(`${queue}.application_id`)}
  AND applications.active = 1 AND NOT ${isAwake()})`;

/** Does nothing when the application has one. */
export const insertQueue = statement<{ applicationId: string }>()((q, p) =>
  q
    .insertInto('callback_queues')
    .values({
      application_id: p.applicationId,
      called_at: 0,
      num_failures: 0,
      failing_since: null,
      num_pauses: 0,
      paused_until: 0,
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/**
 * Applications that a notice is due for and none is under way to: the one that waited longest comes first, however much
 * waits for the others. Those of the owners in `full` are left out.
 * @param failing 1 for those whose last call failed, 0 for all others
 */
export const readyQueues = statement<{
  now: number;
  failing: number;
  full: readonly string[];
  limit: number;
}>()((q, p, dialect) =>
  q
    .selectFrom('callback_queues as queue')
    .innerJoin('applications', 'applications.id', 'queue.application_id')
    .select(['queue.application_id', 'applications.owner_id'])
    .where(({ not }) => not(inIdList(dialect, 'applications.owner_id', p.full)))
    .where('queue.paused_until', '<=', p.now)
    .where(isCalled('queue'))
    .where(sql<number>`CASE WHEN queue.num_failures > 0 THEN 1 ELSE 0 END`, '=', p.failing)
    .where(({ exists, not, selectFrom }) => {
      const notices = selectFrom('deliveries')
        .select('deliveries.id')
        .whereRef('deliveries.application_id', '=', 'queue.application_id')
        .where('deliveries.kind', 'in', ['uninstall', 'team_update']);
      const due = notices
        .where('deliveries.next_attempt_at', 'is not', null)
        .where('deliveries.next_attempt_at', '<=', p.now)
        .where('deliveries.lease_until', '<=', p.now)
        .where(isNotAsleep());
      const leased = notices
        .where('deliveries.lease_until', '>', sql.lit(0))
        .where('deliveries.lease_until', '>', p.now);
      return sql<boolean>`(${exists(due)} AND ${not(exists(leased))})`;
    })
    .orderBy('queue.called_at')
    .limit(p.limit),
);

/** Gives no row while another node claims for the application, or it is paused. */
export const lockReadyQueue = statement<{ applicationId: string; now: number }>()((q, p, dialect) => {
  const found = q
    .selectFrom('callback_queues')
    .select('application_id')
    .where('application_id', '=', p.applicationId)
    .where('paused_until', '<=', p.now)
    .where(isCalled('callback_queues'));
  return locked(dialect, found, 'skip locked');
});

/** Gives no row while the application, or the installation that a delivery tells of, sleeps. */
export const findCalled = statement<{ id: string }>()((q, p) =>
  q
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', p.id)
    .where(isCalled('deliveries'))
    .where(isNotAsleep()),
);

export const noteCall = statement<{ applicationId: string; now: number }>()((q, p) =>
  q.updateTable('callback_queues').set({ called_at: p.now }).where('application_id', '=', p.applicationId),
);

export const lockQueue = statement<{ applicationId: string }>()((q, p, dialect) => {
  const found = q.selectFrom('callback_queues').selectAll().where('application_id', '=', p.applicationId);
  return locked(dialect, found);
});

export const updateQueue = statement<Omit<CallbackQueueRow, 'called_at'>>()((q, p) =>
  q
    .updateTable('callback_queues')
    .set({
      num_failures: p.num_failures,
      failing_since: p.failing_since,
      num_pauses: p.num_pauses,
      paused_until: p.paused_until,
    })
    .where('application_id', '=', p.application_id),
);

/** The application answers: what waits for it goes on. Writes nothing where all was well. */
export const resumeQueue = statement<{ applicationId: string }>()((q, p) =>
  q
    .updateTable('callback_queues')
    .set({ num_failures: 0, failing_since: null, num_pauses: 0, paused_until: 0 })
    .where('application_id', '=', p.applicationId)
    .where((eb) => eb.or([eb('num_failures', '>', 0), eb('paused_until', '>', 0)])),
);
