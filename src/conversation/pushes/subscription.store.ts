import { inIdList, locked } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { type PushSubscriptionRow, rewriting, statement } from '#schema';

/** @returns no row where another request has noted the endpoint meanwhile */
export const insertSubscription = statement<PushSubscriptionRow>()((q, p) =>
  q
    .insertInto('push_subscriptions')
    .values({
      id: p.id,
      user_id: p.user_id,
      session_id: p.session_id,
      endpoint_hash: p.endpoint_hash,
      secret_ciphertext: p.secret_ciphertext,
      user_agent: p.user_agent,
      lane: p.lane,
      num_failures: p.num_failures,
      failing_since: p.failing_since,
      not_before: p.not_before,
      told_at: p.told_at,
      created_at: p.created_at,
    })
    .onConflict((conflict) => conflict.column('endpoint_hash').doNothing())
    .returning('id'),
);

export const findByEndpoint = statement<{ hash: string }>()((q, p) =>
  q.selectFrom('push_subscriptions').selectAll().where('endpoint_hash', '=', p.hash),
);

/** Gives a row for a session that lasts until the transaction ends. */
export const lockSession = statement<{ id: string }>()((q, p, dialect) =>
  locked(dialect, q.selectFrom('sessions').select('id').where('id', '=', p.id), 'share'),
);

/** The newest first. */
export const listSubscriptions = statement<{ userId: string }>()((q, p) =>
  q.selectFrom('push_subscriptions').selectAll().where('user_id', '=', p.userId).orderBy('id', 'desc'),
);

export const renewSubscription = statement<
  Pick<PushSubscriptionRow, 'id' | 'session_id' | 'secret_ciphertext' | 'user_agent'>
>()((q, p) =>
  q
    .updateTable('push_subscriptions')
    .set({ session_id: p.session_id, secret_ciphertext: p.secret_ciphertext, user_agent: p.user_agent })
    .where('id', '=', p.id),
);

/** Messages that wait for the device go with it. */
export const deleteSubscription = statement<{ id: string; userId: string }>()((q, p) =>
  q.deleteFrom('push_subscriptions').where('id', '=', p.id).where('user_id', '=', p.userId).returning('id'),
);

export const deleteSubscriptions = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q.deleteFrom('push_subscriptions').where(inIdList(dialect, 'id', p.ids)),
);

export const rewriteSubscriptions = rewriting('push_subscriptions', { id: LOWEST_ID }, ['secret_ciphertext']);

/** Those of all accounts. */
export const forgetSubscriptions = statement<object>()((q) => q.deleteFrom('push_subscriptions'));

export const noteTold = statement<{ id: string; lane: number; now: number }>()((q, p) =>
  q
    .updateTable('push_subscriptions')
    .set({ lane: p.lane, num_failures: 0, failing_since: null, not_before: 0, told_at: p.now })
    .where('id', '=', p.id),
);

export const noteFailure = statement<{ id: string; now: number; notBefore: number }>()((q, p) =>
  q
    .updateTable('push_subscriptions')
    .set((eb) => ({
      lane: 1,
      num_failures: eb('num_failures', '+', 1),
      failing_since: eb.fn.coalesce('failing_since', eb.val(p.now)),
      not_before: p.notBefore,
    }))
    .where('id', '=', p.id),
);

/** A device whose session lasts, and whose account works. */
export const findDevice = statement<{ id: string; now: number }>()((q, p) =>
  q
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
    .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
    .leftJoin('push_settings', 'push_settings.user_id', 'push_subscriptions.user_id')
    .selectAll('push_subscriptions')
    .select(['users.prefs_json', 'users.do_not_disturb_until', 'push_settings.settings_json'])
    .where('push_subscriptions.id', '=', p.id)
    .where('sessions.expires_at', '>', p.now)
    .where('users.active', '=', 1),
);
