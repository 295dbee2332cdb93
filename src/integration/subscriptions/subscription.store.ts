import { sql } from 'kysely';
import { inIdList, locked } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { type EventSubscriptionRow, insertion, rewriting, statement } from '#schema';
import { isAwake } from '../applications/index.ts';

export const insertSubscription = insertion('event_subscriptions')([
  'id',
  'application_id',
  'kinds_json',
  'teams_json',
  'mentions_only',
  'own_messages',
  'is_own',
  'object_type',
  'begins_at',
  'webhook_url',
  'batch',
  'key_ciphertext',
  'previous_key_ciphertext',
  'previous_key_until',
  'ended',
  'num_failures',
  'failing_since',
  'num_pauses',
  'paused_until',
  'called_at',
  'created_at',
  'updated_at',
]);

export const findSubscription = statement<{ id: string }>()((q, p) =>
  q.selectFrom('event_subscriptions').selectAll().where('id', '=', p.id),
);

/** The application’s own, for clicks. */
export const findOwn = statement<{ applicationId: string }>()((q, p) =>
  q
    .selectFrom('event_subscriptions')
    .selectAll()
    .where('application_id', '=', p.applicationId)
    .where('is_own', '=', sql.lit(1)),
);

/** Those whose application is awake. */
export const findServed = statement<{ id: string }>()((q, p) =>
  q
    .selectFrom('event_subscriptions')
    .innerJoin('applications', 'applications.id', 'event_subscriptions.application_id')
    .selectAll('event_subscriptions')
    .where('event_subscriptions.id', '=', p.id)
    .where(isAwake()),
);

export const lockSubscription = statement<{ id: string }>()((q, p, dialect) =>
  locked(dialect, q.selectFrom('event_subscriptions').selectAll().where('id', '=', p.id)),
);

/** Keeps a subscription from being deleted while something of it is inserted. Those who do so wait for none of each other. */
export const shareSubscription = statement<{ id: string }>()((q, p, dialect) =>
  locked(dialect, q.selectFrom('event_subscriptions').selectAll().where('id', '=', p.id), 'key share'),
);

export const listSubscriptions = statement<{ applicationId: string }>()((q, p) =>
  q.selectFrom('event_subscriptions').selectAll().where('application_id', '=', p.applicationId).orderBy('id'),
);

export const updateSubscription = statement<
  Pick<
    EventSubscriptionRow,
    | 'id'
    | 'kinds_json'
    | 'teams_json'
    | 'mentions_only'
    | 'own_messages'
    | 'object_type'
    | 'webhook_url'
    | 'batch'
    | 'key_ciphertext'
    | 'ended'
    | 'num_failures'
    | 'failing_since'
    | 'num_pauses'
    | 'paused_until'
    | 'updated_at'
  >
>()((q, p) =>
  q
    .updateTable('event_subscriptions')
    .set({
      kinds_json: p.kinds_json,
      teams_json: p.teams_json,
      mentions_only: p.mentions_only,
      own_messages: p.own_messages,
      object_type: p.object_type,
      webhook_url: p.webhook_url,
      batch: p.batch,
      key_ciphertext: p.key_ciphertext,
      ended: p.ended,
      num_failures: p.num_failures,
      failing_since: p.failing_since,
      num_pauses: p.num_pauses,
      paused_until: p.paused_until,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

/** The key that was used until now stays good for a while. */
export const rotateKey = statement<{ id: string; ciphertext: string; until: number; now: number }>()((q, p) =>
  q
    .updateTable('event_subscriptions')
    .set({
      previous_key_ciphertext: sql.ref('key_ciphertext'),
      previous_key_until: p.until,
      key_ciphertext: p.ciphertext,
      updated_at: p.now,
    })
    .where('id', '=', p.id),
);

/** Keys before are dead at once. */
export const replaceKey = statement<{ id: string; ciphertext: string; now: number }>()((q, p) =>
  q
    .updateTable('event_subscriptions')
    .set({
      key_ciphertext: p.ciphertext,
      previous_key_ciphertext: null,
      previous_key_until: null,
      updated_at: p.now,
    })
    .where('id', '=', p.id),
);

export const rewriteKeys = rewriting('event_subscriptions', { id: LOWEST_ID }, [
  'key_ciphertext',
  'previous_key_ciphertext',
]);

/** Without the key that encrypted them, keys of webhooks are lost: their owners make new ones. */
export const endKeys = statement<object>()((q) =>
  q
    .updateTable('event_subscriptions')
    .set({
      key_ciphertext: null,
      previous_key_ciphertext: null,
      ended: 'failed',
    })
    .where('webhook_url', 'is not', null),
);

export const lockConsumers = statement<{ id: string }>()((q, p, dialect) =>
  locked(
    dialect,
    q.selectFrom('event_consumers').select('id').where('subscription_id', '=', p.id).orderBy('id'),
  ),
);

/** Those that send to the webhook. */
export const lockSenders = statement<{ id: string }>()((q, p, dialect) =>
  locked(
    dialect,
    q
      .selectFrom('event_consumers')
      .select('id')
      .where('subscription_id', '=', p.id)
      .where('kind', 'in', ['webhook', 'replay'])
      .orderBy('id'),
  ),
);

export const deleteCursors = statement<{ id: string }>()((q, p) =>
  q
    .deleteFrom('event_cursors')
    .where(
      'consumer_id',
      'in',
      q.selectFrom('event_consumers').select('id').where('subscription_id', '=', p.id),
    ),
);

export const deleteInstances = statement<{ id: string }>()((q, p) =>
  q
    .deleteFrom('event_copies')
    .where(
      'consumer_id',
      'in',
      q.selectFrom('event_consumers').select('id').where('subscription_id', '=', p.id),
    ),
);

export const deleteConsumers = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('event_consumers').where('subscription_id', '=', p.id),
);

export const deleteSubscription = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('event_subscriptions').where('id', '=', p.id),
);

export const cursorsOfTeam = statement<{ teamId: string; limit: number }>()((q, p) =>
  q.selectFrom('event_cursors').select('id').where('team_id', '=', p.teamId).orderBy('id').limit(p.limit),
);

export const deleteCursorsById = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q.deleteFrom('event_cursors').where(inIdList(dialect, 'id', p.ids)),
);
