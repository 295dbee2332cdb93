import { type RawBuilder, sql } from 'kysely';
import { type Dialect, inIdList, locked } from '#platform/db/index.ts';
import { MOST_COUNTED, type QueueState } from '#platform/jobs/index.ts';
import { type EventCursorRow, type EventSubscriptionRow, renewal, statement } from '#schema';
import { isAwake } from '../applications/index.ts';

/** Calls of one subscription that are under way at once, each about another team. */
export const CALLS_AT_ONCE = 4;
/** Kinds of the log that an application can hear of. */
const HEARD = [
  'message.created',
  'message.updated',
  'team.members',
  'installation.updated',
  'object.opened',
  'subject.updated',
  'click',
  'direct',
  'whereabouts',
] as const;

export interface Ready {
  readonly subscription_id: string;
  readonly consumer_id: string;
  readonly team_id: string;
  /** Of the application. */
  readonly owner_id: string;
  /** Null for a team of which nothing was sent yet. */
  readonly cursor_id: string | null;
  /** The calls of the subscription that are under way. */
  readonly busy: number;
  /** When the subscription had its last turn. */
  readonly called_at: number;
  /** Since when the team waits: for its first unread event, or since its last turn. */
  readonly since: number;
}

export interface Look {
  readonly now: number;
  /** How far back the end of an installation is still told of. */
  readonly since: number;
  /** 1 for those whose last call failed, 0 for all others. */
  readonly failing: number;
  /** Owners whose webhooks are left out. */
  readonly full: readonly string[];
  readonly limit: number;
  readonly ids: readonly string[];
}

/** Which part of the server a look is about. */
interface Part {
  /** Conditions of `subscription` and of `installations`. */
  readonly subscriptions: (dialect: Dialect, ids: readonly string[]) => RawBuilder<boolean>;
  readonly installations: (dialect: Dialect, p: Look) => RawBuilder<boolean>;
}

/** One that ended is told of where there is no later one, with which it is: once that does not sleep. */
const told = (p: Look) =>
  sql<boolean>`((installations.status = 'active' AND installations.asleep_since IS NULL)
    OR (installations.status = 'removed' AND installations.updated_at >= ${p.since} AND NOT EXISTS (
      SELECT 1 FROM installations AS live WHERE live.team_id = installations.team_id
      AND live.application_id = installations.application_id AND live.status = 'active')))`;

/** The events of a team that a consumer has not sent. */
const UNREAD = sql`FROM events WHERE events.audience = 'team' AND events.audience_id = installations.team_id
  AND events.place > coalesce(cursor.place, consumer.place)
  AND (consumer.up_to IS NULL OR events.place <= consumer.up_to)
  AND events.kind IN (${sql.join(HEARD.map((kind) => sql.lit(kind)))})`;

/** Webhooks and teams of which there is something unread, what waited longest first: the subscription, then its teams. */
const readyIn = ({ subscriptions, installations }: Part) =>
  statement<Look>()((q, p, dialect) =>
    q
      // Before all else: a planner without statistics joins each consumer with each installation of the server.
      .with(
        (name) => name('consumer').materialized(),
        (cte) =>
          cte
            .selectFrom('event_subscriptions as subscription')
            .innerJoin('event_consumers', 'event_consumers.subscription_id', 'subscription.id')
            .innerJoin('applications', 'applications.id', 'subscription.application_id')
            .select([
              'subscription.application_id',
              'subscription.called_at',
              'event_consumers.subscription_id',
              'event_consumers.id',
              'event_consumers.place',
              'event_consumers.up_to',
              'applications.owner_id',
            ])
            .select((eb) =>
              eb
                .selectFrom('event_cursors as leased')
                .innerJoin('event_consumers as theirs', 'theirs.id', 'leased.consumer_id')
                .select(sql<number>`count(*)`.as('count'))
                .whereRef('theirs.subscription_id', '=', 'subscription.id')
                .where('leased.lease_until', '>', p.now)
                // The condition of the index of leases.
                .where('leased.lease_until', '>', sql.lit(0))
                .as('busy'),
            )
            .where('subscription.webhook_url', 'is not', null)
            .where('subscription.ended', 'is', null)
            .where('subscription.paused_until', '<=', p.now)
            .where(isAwake())
            .where(({ not }) => not(inIdList(dialect, 'applications.owner_id', p.full)))
            .where(sql<number>`CASE WHEN subscription.num_failures > 0 THEN 1 ELSE 0 END`, '=', p.failing)
            .where('event_consumers.kind', 'in', ['webhook', 'replay'])
            .where(subscriptions(dialect, p.ids)),
      )
      .selectFrom('consumer')
      // SQLite keeps the order of a cross join: it would begin with all installations of the server.
      .crossJoin('installations')
      .whereRef('installations.application_id', '=', 'consumer.application_id')
      .leftJoin('event_cursors as cursor', (join) =>
        join
          .onRef('cursor.consumer_id', '=', 'consumer.id')
          .onRef('cursor.team_id', '=', 'installations.team_id'),
      )
      .select([
        'consumer.subscription_id',
        'consumer.id as consumer_id',
        'installations.team_id',
        'consumer.owner_id',
        'cursor.id as cursor_id',
        sql<number>`consumer.busy`.as('busy'),
      ])
      .where(
        sql<boolean>`consumer.busy < CASE WHEN CAST(${p.failing} AS integer) = 1 THEN 1 ELSE ${sql.lit(CALLS_AT_ONCE)} END`,
      )
      .where(installations(dialect, p))
      .where((eb) =>
        eb.or([
          eb('cursor.id', 'is', null),
          eb.and([eb('cursor.due_at', '<=', p.now), eb('cursor.lease_until', '<=', p.now)]),
        ]),
      )
      .select([
        'consumer.called_at',
        sql<number>`CASE WHEN cursor.due_at > 0 THEN cursor.due_at ELSE coalesce((SELECT events.created_at ${UNREAD} ORDER BY events.place LIMIT 1), 0) END`.as(
          'since',
        ),
      ])
      // The events to send again may be gone: then the call is over.
      .where(sql<boolean>`(cursor.sent_to IS NOT NULL OR EXISTS (SELECT events.place ${UNREAD}))`)
      .orderBy('consumer.called_at')
      .orderBy('consumer.id')
      .orderBy('since')
      .limit(p.limit),
  );

export const listReady = readyIn({ subscriptions: () => sql`1 = 1`, installations: (_, p) => told(p) });

/** The same among some teams, as long as they have the application. */
export const listReadyOfTeams = readyIn({
  subscriptions: (dialect, ids) =>
    sql`EXISTS (SELECT 1 FROM installations AS its WHERE its.application_id = subscription.application_id
      AND its.status = 'active' AND ${inIdList(dialect, 'its.team_id', ids)})`,
  installations: (dialect, { ids }) =>
    sql`(installations.status = 'active' AND installations.asleep_since IS NULL AND ${inIdList(dialect, 'installations.team_id', ids)})`,
});

/** The same among those of some owners. */
export const listReadyOfOwners = readyIn({
  subscriptions: (dialect, ids) => inIdList(dialect, 'applications.owner_id', ids),
  installations: (_, p) => told(p),
});

/** How many teams of webhooks have something unread, as far as they are counted, and since when its first is due. */
export const webhooksState: QueueState = statement<object>()((q) =>
  q
    .selectFrom(
      q
        .selectFrom('event_subscriptions as subscription')
        .innerJoin('event_consumers as consumer', 'consumer.subscription_id', 'subscription.id')
        .innerJoin('event_cursors as cursor', 'cursor.consumer_id', 'consumer.id')
        .innerJoin('installations', (join) =>
          join
            .onRef('installations.application_id', '=', 'subscription.application_id')
            .onRef('installations.team_id', '=', 'cursor.team_id')
            .on('installations.status', '=', 'active')
            .on('installations.asleep_since', 'is', null),
        )
        .innerJoin('applications', (join) =>
          join.onRef('applications.id', '=', 'subscription.application_id').on(isAwake()),
        )
        .innerJoin('events', (join) =>
          join.on('events.place', '=', (eb) =>
            eb
              .selectFrom('events as unread')
              .select(sql<number>`min(place)`.as('place'))
              .where('unread.audience', '=', sql.lit('team'))
              .whereRef('unread.audience_id', '=', 'cursor.team_id')
              .whereRef('unread.place', '>', 'cursor.place')
              .where('unread.kind', 'in', HEARD)
              .where((of) =>
                of.or([of('consumer.up_to', 'is', null), of('unread.place', '<=', of.ref('consumer.up_to'))]),
              ),
          ),
        )
        .select(
          sql<number>`CASE WHEN cursor.num_failures > 0 THEN cursor.due_at ELSE events.created_at END`.as(
            'since',
          ),
        )
        .where('consumer.kind', 'in', ['webhook', 'replay'])
        .where('subscription.webhook_url', 'is not', null)
        .where('subscription.ended', 'is', null)
        .limit(sql.lit(MOST_COUNTED))
        .as('calls'),
    )
    .select([sql<number>`count(*)`.as('waiting'), sql<number | null>`min(since)`.as('since')]),
);

/** Whether a webhook may be called. */
export const hasWebhook = statement<object>()((q) =>
  q
    .selectFrom('event_subscriptions')
    .select('id')
    .where('webhook_url', 'is not', null)
    .where('ended', 'is', null)
    .limit(1),
);

/** Takes a cursor for a call. Gives no row while another node has it, or it is not due. */
export const claimCursor = statement<{
  consumerId: string;
  teamId: string;
  now: number;
  leaseUntil: number;
}>()((q, p) =>
  q
    .updateTable('event_cursors')
    .set({ lease_until: p.leaseUntil })
    .where('consumer_id', '=', p.consumerId)
    .where('team_id', '=', p.teamId)
    .where('lease_until', '<=', p.now)
    .where('due_at', '<=', p.now)
    .returningAll(),
);

/** Ends the leases of all calls. */
export const endCalls = statement<object>()((q) =>
  q.updateTable('event_cursors').set({ lease_until: 0 }).where('lease_until', '>', sql.lit(0)),
);

export const renewCursor = renewal('event_cursors', { key: 'id', lease: 'lease_until' });

/**
 * Ends a turn, unless somebody has the row: who edits a subscription locks it before its cursors, and a call that waited for
 * it with its cursor would be waited for in turn.
 */
export const noteCalled = statement<{ id: string; now: number }>()((q, p, dialect) =>
  q
    .updateTable('event_subscriptions')
    .set({ called_at: p.now })
    .where(
      'id',
      'in',
      locked(
        dialect,
        q.selectFrom('event_subscriptions').select('id').where('id', '=', p.id),
        'no key update skip locked',
      ),
    ),
);

export const findConsumerById = statement<{ id: string }>()((q, p) =>
  q.selectFrom('event_consumers').selectAll().where('id', '=', p.id),
);

/** Gives a row where an application may be sent what happens in a team. */
export const findAwake = statement<{ applicationId: string; teamId: string }>()((q, p) =>
  q
    .selectFrom('applications')
    .select('applications.id')
    .where('applications.id', '=', p.applicationId)
    .where(isAwake())
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('installations')
            .select('installations.id')
            .where('installations.team_id', '=', p.teamId)
            .whereRef('installations.application_id', '=', 'applications.id')
            .where('installations.status', '=', 'active')
            .where('installations.asleep_since', 'is not', null),
        ),
      ),
    ),
);

/** Moves a cursor on, where its lease is still the given one. Gives no row where it is not. */
export const settleCursor = statement<
  Pick<
    EventCursorRow,
    'id' | 'place' | 'due_at' | 'num_failures' | 'failing_since' | 'sent_to' | 'delivery_id'
  > & { held: number; leaseUntil: number }
>()((q, p) =>
  q
    .updateTable('event_cursors')
    .set({
      place: p.place,
      lease_until: p.leaseUntil,
      due_at: p.due_at,
      num_failures: p.num_failures,
      failing_since: p.failing_since,
      sent_to: p.sent_to,
      delivery_id: p.delivery_id,
    })
    .where('id', '=', p.id)
    .where('lease_until', '=', p.held)
    .returning('id'),
);

/** The record of a webhook after a call that succeeded. It may have been ended by another call meanwhile, and stays so. */
export const noteSuccess = statement<{ id: string }>()((q, p) =>
  q
    .updateTable('event_subscriptions')
    .set({ num_failures: 0, failing_since: null, num_pauses: 0, paused_until: 0 })
    .where('id', '=', p.id),
);

/** The record of a webhook after a call that failed. */
export const noteFailure = statement<
  Pick<
    EventSubscriptionRow,
    'id' | 'ended' | 'num_failures' | 'failing_since' | 'num_pauses' | 'paused_until'
  >
>()((q, p) =>
  q
    .updateTable('event_subscriptions')
    .set({
      ended: p.ended,
      num_failures: p.num_failures,
      failing_since: p.failing_since,
      num_pauses: p.num_pauses,
      paused_until: p.paused_until,
    })
    .where('id', '=', p.id),
);

/** A webhook that is called again begins its waiting calls at once. */
export const hurry = statement<{ subscriptionId: string }>()((q, p) =>
  q
    .updateTable('event_cursors')
    .set({ due_at: 0, num_failures: 0, failing_since: null })
    .where(
      'consumer_id',
      'in',
      q.selectFrom('event_consumers').select('id').where('subscription_id', '=', p.subscriptionId),
    ),
);

/** Replays that nothing is left of. */
export const listFinished = statement<{ now: number; before: number; limit: number }>()((q, p, dialect) =>
  locked(
    dialect,
    q
      .selectFrom('event_consumers')
      .select('event_consumers.id')
      .where('event_consumers.kind', '=', 'replay')
      .where('event_consumers.created_at', '<', p.before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('event_subscriptions as subscription')
              .innerJoin('installations', 'installations.application_id', 'subscription.application_id')
              .innerJoin('events', (join) =>
                join
                  .onRef('events.audience_id', '=', 'installations.team_id')
                  .on('events.audience', '=', sql.lit('team')),
              )
              .leftJoin('event_cursors as cursor', (join) =>
                join
                  .on(sql<boolean>`cursor.consumer_id = event_consumers.id`)
                  .onRef('cursor.team_id', '=', 'installations.team_id'),
              )
              .select('events.place')
              .where(sql<boolean>`subscription.id = event_consumers.subscription_id`)
              .where('installations.status', '=', 'active')
              .where('events.kind', 'in', HEARD)
              .where(sql<boolean>`events.place > coalesce(cursor.place, event_consumers.place)`)
              .where(sql<boolean>`events.place <= event_consumers.up_to`),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('event_cursors as busy')
              .select('busy.id')
              .where(sql<boolean>`busy.consumer_id = event_consumers.id`)
              .where('busy.lease_until', '>', p.now)
              .where('busy.lease_until', '>', sql.lit(0)),
          ),
        ),
      )
      .limit(p.limit),
  ),
);
