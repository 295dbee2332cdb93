import { type SelectQueryBuilder, sql } from 'kysely';
import { type Dialect, inIdList, locked } from '#platform/db/index.ts';
import {
  deletion,
  insertion,
  leasedQueue,
  modification,
  type PushRow,
  statement,
  type Tables,
} from '#schema';
import { MOST_TOLD } from './push.row.ts';

/** The devices of some people whose sessions last, with the settings of each person. None of them is removed meanwhile. */
export const listDevices = statement<{ userIds: readonly string[]; now: number }>()((q, p, dialect) => {
  const found = q
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'push_subscriptions.session_id')
    .leftJoin('push_settings', 'push_settings.user_id', 'push_subscriptions.user_id')
    .select([
      'push_subscriptions.id',
      'push_subscriptions.user_id',
      'push_subscriptions.not_before',
      'push_settings.settings_json',
    ])
    // Found one by one: PostgreSQL without statistics of many people would join all of them.
    .select((eb) => [
      eb
        .selectFrom('users')
        .select('users.do_not_disturb_until')
        .whereRef('users.id', '=', 'push_subscriptions.user_id')
        .$asScalar()
        .$notNull()
        .as('do_not_disturb_until'),
      // Also of the invisible, whom nobody sees online.
      eb
        .selectFrom('presence')
        .select(sql<number | null>`max(presence.lease_until)`.as('until'))
        .whereRef('presence.user_id', '=', 'push_subscriptions.user_id')
        .as('online_until'),
    ])
    .where(inIdList(dialect, 'push_subscriptions.user_id', p.userIds))
    .where('sessions.expires_at', '>', p.now)
    .orderBy('push_subscriptions.id');
  return dialect === 'sqlite' ? found : found.forKeyShare('push_subscriptions');
});

const UUID_CHARACTERS = 36;

/** The ids of some messages, in a row. */
export const idsIn = (text: string): string[] => text.split(',').filter((id) => id !== '');

/** The newest ids of a text of them, each of which has a comma after it. */
function newest(dialect: Dialect, ids: string): string {
  const characters = MOST_TOLD * (UUID_CHARACTERS + 1);
  return dialect === 'sqlite' ? `substr(${ids}, -${characters})` : `right(${ids}, ${characters})`;
}

/**
 * A device has one row for a conversation: newer messages take the place of the one that waits, and do not delay it. A
 * message after one that is being pushed, or was, waits its own time.
 */
export const insertPushes = insertion('pushes')<keyof PushRow>(
  [
    'id',
    'subscription_id',
    'user_id',
    'topic',
    'is_new',
    'is_shown',
    'message_id',
    'invitation_id',
    'reason',
    'num_messages',
    'message_ids',
    'next_attempt_at',
    'lease_until',
    'created_at',
  ],
  (
    dialect,
  ) => `ON CONFLICT (subscription_id, topic) DO UPDATE SET is_new = 1, message_id = excluded.message_id, invitation_id = excluded.invitation_id,
    reason = excluded.reason, num_messages = pushes.num_messages + 1, next_attempt_at = CASE
      WHEN pushes.is_new = 1 AND pushes.lease_until = 0 AND pushes.next_attempt_at < excluded.next_attempt_at
      THEN pushes.next_attempt_at ELSE excluded.next_attempt_at END,
    message_ids = ${newest(dialect, 'pushes.message_ids || excluded.message_ids')}, created_at = excluded.created_at`,
);

const queue = leasedQueue('pushes', { key: 'id', due: 'next_attempt_at', lease: 'lease_until' });

export const { renew: renewPush, state: pushesState } = queue;

/**
 * Pushes that are due: to devices whose push services answer well (0), and to the others (1). Devices that wait for a place
 * at their host are left out.
 */
export const claimDueOfLane = [0, 1].map((lane) =>
  queue.claimDueOf<{ full: readonly string[] }>((due, p, dialect) =>
    due
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('push_subscriptions')
            .select('push_subscriptions.id')
            .where(sql<boolean>`push_subscriptions.id = pushes.subscription_id`)
            .where('push_subscriptions.lane', '=', lane),
        ),
      )
      .where(({ not }) => not(inIdList(dialect, 'subscription_id', p.full))),
  ),
);

/** Not where a newer message has come meanwhile. */
export const settlePush = queue.settle(['is_new', 'is_shown', 'next_attempt_at'], ['num_messages']);

/** Ends the lease of a row that could not be settled, so that it is due at once. */
export const releasePush = statement<{ id: string; lease_until: number }>()((q, p) =>
  q
    .updateTable('pushes')
    .set({ lease_until: 0 })
    .where('id', '=', p.id)
    .where('lease_until', '=', p.lease_until),
);

/** The same for a row whose message is on the device by now, although a newer one has come. */
export const releaseShown = statement<{ id: string; lease_until: number }>()((q, p) =>
  q
    .updateTable('pushes')
    .set({ lease_until: 0, is_shown: 1 })
    .where('id', '=', p.id)
    .where('lease_until', '=', p.lease_until),
);

/** Not where a newer message has come meanwhile. */
export const deletePush = statement<Pick<PushRow, 'id' | 'num_messages'>>()((q, p) =>
  q.deleteFrom('pushes').where('id', '=', p.id).where('num_messages', '=', p.num_messages),
);

/** Other messages for the device wait as long. */
export const postponePushes = statement<{ subscriptionId: string; notBefore: number }>()((q, p) =>
  q
    .updateTable('pushes')
    .set({ next_attempt_at: p.notBefore })
    .where('subscription_id', '=', p.subscriptionId)
    .where('next_attempt_at', '<', p.notBefore),
);

/** The row of a push, so that what concerns its message waits until its result is noted, or is seen. */
export const lockPush = statement<{ id: string }>()((q, p, dialect) =>
  locked(dialect, q.selectFrom('pushes').select('id').where('id', '=', p.id)),
);

/** What the devices of some people show, and is not looked at again yet. */
const standing = <Selected>(
  rows: SelectQueryBuilder<Tables, 'pushes', Selected>,
  userIds: readonly string[],
  dialect: Dialect,
) =>
  rows
    .where(inIdList(dialect, 'user_id', userIds))
    .where('is_shown', '=', 1)
    .where('next_attempt_at', 'is', null);

/**
 * Has what a person's devices show looked at again, because something was read. Readers wait for no row that is locked:
 * it gets a new message, or was shown just now and is looked at once more.
 */
export const recheckShown = statement<{ userIds: readonly string[]; at: number }>()((q, p, dialect) => {
  const shown = standing(q.selectFrom('pushes').select('id'), p.userIds, dialect);
  return q
    .updateTable('pushes')
    .set({ next_attempt_at: p.at })
    .where('id', 'in', locked(dialect, shown, 'skip locked'));
});

/** The same for what the devices of some members show of their team. */
export const recheckTeam = modification('pushes')<{
  teamId: string;
  userIds: readonly string[];
  at: number;
}>(
  ({ at }) => ({ next_attempt_at: at }),
  (rows, p, dialect) =>
    standing(rows, p.userIds, dialect).where((eb) =>
      eb.exists(
        eb
          .selectFrom('messages')
          .select('messages.id')
          .whereRef('messages.id', '=', 'pushes.message_id')
          .where('messages.team_id', '=', p.teamId),
      ),
    ),
);

/** The same for a message that was deleted. A push of it that is under way is waited for. */
export const recheckMessage = statement<{ messageId: string; at: number }>()((q, p, dialect) =>
  q
    .updateTable('pushes')
    // One that was not told yet keeps its time: its push service may have asked for a pause.
    .set({ next_attempt_at: sql<number>`CASE WHEN is_new = 1 THEN next_attempt_at ELSE ${p.at} END` })
    .where(
      'id',
      'in',
      locked(
        dialect,
        q.selectFrom('pushes').select('id').where('message_id', '=', p.messageId).orderBy('subscription_id'),
      ),
    ),
);

export const purgePushes = deletion('pushes')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<', p.before),
);

/** Where a message is, for its title. */
export const findTeamOf = statement<{ messageId: string }>()((q, p) =>
  q
    .selectFrom('messages')
    .leftJoin('teams', 'teams.id', 'messages.team_id')
    .select('teams.name as team')
    .where('messages.id', '=', p.messageId),
);
