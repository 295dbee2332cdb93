import { sql } from 'kysely';
import { inIdList, locked } from '#platform/db/index.ts';
import { deletion, type EventConsumerRow, type EventCursorRow, insertion, renewal, statement } from '#schema';

/** Does nothing when there is one of this name. */
export const insertConsumer = insertion('event_consumers')(
  ['id', 'subscription_id', 'kind', 'name', 'place', 'up_to', 'used_at', 'created_at'],
  () => 'ON CONFLICT (subscription_id, kind, name) DO NOTHING',
);

export const findConsumer = statement<Pick<EventConsumerRow, 'subscription_id' | 'kind' | 'name'>>()((q, p) =>
  q
    .selectFrom('event_consumers')
    .selectAll()
    .where('subscription_id', '=', p.subscription_id)
    .where('kind', '=', p.kind)
    .where('name', '=', p.name),
);

export const countConsumers = statement<Pick<EventConsumerRow, 'subscription_id' | 'kind'>>()((q, p) =>
  q
    .selectFrom('event_consumers')
    .select(sql<number>`count(*)`.as('count'))
    .where('subscription_id', '=', p.subscription_id)
    .where('kind', '=', p.kind),
);

export const listGroups = statement<{ subscriptionId: string; now: number }>()((q, p) =>
  q
    .selectFrom('event_consumers')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('event_copies')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('event_copies.consumer_id', '=', 'event_consumers.id')
        .where('lease_until', '>', p.now)
        .as('copies'),
    )
    .where('subscription_id', '=', p.subscriptionId)
    .where('kind', '=', 'group')
    .orderBy('name'),
);

export const setPlace = statement<{ id: string; place: number; now: number }>()((q, p) =>
  q.updateTable('event_consumers').set({ place: p.place, used_at: p.now }).where('id', '=', p.id),
);

export const setPlaces = statement<{ consumerId: string; place: number }>()((q, p) =>
  q.updateTable('event_cursors').set({ place: p.place }).where('consumer_id', '=', p.consumerId),
);

export const noteUse = statement<{ id: string; now: number }>()((q, p) =>
  q.updateTable('event_consumers').set({ used_at: p.now }).where('id', '=', p.id),
);

export const deleteConsumer = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('event_consumers').where('id', '=', p.id),
);

export const deleteCursorsOf = statement<{ consumerId: string }>()((q, p) =>
  q.deleteFrom('event_cursors').where('consumer_id', '=', p.consumerId),
);

export const deleteInstancesOf = statement<{ consumerId: string }>()((q, p) =>
  q.deleteFrom('event_copies').where('consumer_id', '=', p.consumerId),
);

/** Does nothing for a team that has one. */
export const insertCursors = insertion('event_cursors')(
  ['id', 'consumer_id', 'team_id', 'place', 'lease_until', 'due_at', 'num_failures'],
  () => 'ON CONFLICT (consumer_id, team_id) DO NOTHING',
);

export const listCursors = statement<{ consumerId: string }>()((q, p) =>
  q.selectFrom('event_cursors').selectAll().where('consumer_id', '=', p.consumerId).orderBy('team_id'),
);

export const listCursorsIn = statement<{ consumerId: string; teamIds: readonly string[] }>()(
  (q, p, dialect) =>
    q
      .selectFrom('event_cursors')
      .selectAll()
      .where('consumer_id', '=', p.consumerId)
      .where(inIdList(dialect, 'team_id', p.teamIds)),
);

/** A cursor goes forward only. */
export const acknowledge = statement<{ consumerId: string; teamId: string; place: number }>()((q, p) =>
  q
    .updateTable('event_cursors')
    .set({ place: p.place })
    .where('consumer_id', '=', p.consumerId)
    .where('team_id', '=', p.teamId)
    .where('place', '<', p.place),
);

export const insertInstance = insertion('event_copies')(['id', 'consumer_id', 'lease_until']);

export const deleteInstance = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('event_copies').where('id', '=', p.id),
);

export const freeTeams = statement<{ copyId: string }>()((q, p) =>
  q.updateTable('event_cursors').set({ copy_id: null }).where('copy_id', '=', p.copyId),
);

export const freeTeam = statement<{ copyId: string; id: string }>()((q, p) =>
  q
    .updateTable('event_cursors')
    .set({ copy_id: null })
    .where('id', '=', p.id)
    .where('copy_id', '=', p.copyId),
);

export const renewInstance = renewal('event_copies', { key: 'id', lease: 'lease_until' });

export const findConsumerById = statement<{ id: string }>()((q, p) =>
  q.selectFrom('event_consumers').select('id').where('id', '=', p.id),
);

/** Serialises the instances of a group while they take and give back teams. */
export const lockConsumer = statement<{ id: string }>()((q, p, dialect) =>
  locked(dialect, q.selectFrom('event_consumers').selectAll().where('id', '=', p.id)),
);

export const listInstances = statement<{ consumerId: string; now: number }>()((q, p) =>
  q
    .selectFrom('event_copies')
    .select('id')
    .where('consumer_id', '=', p.consumerId)
    .where('lease_until', '>', p.now)
    .orderBy('id'),
);

export const takeTeams = statement<{ copyId: string; ids: readonly string[] }>()((q, p, dialect) =>
  q
    .updateTable('event_cursors')
    .set({ copy_id: p.copyId })
    .where(inIdList(dialect, 'id', p.ids)),
);

export const purgeInstances = deletion('event_copies')<{ before: number }>((rows, p) =>
  rows.where('lease_until', '<', p.before),
);

/** Ends the leases of all streams. */
export const endInstances = statement<object>()((q) =>
  q.updateTable('event_copies').set({ lease_until: 0 }).where('lease_until', '>', sql.lit(0)),
);

export type Cursor = EventCursorRow;
