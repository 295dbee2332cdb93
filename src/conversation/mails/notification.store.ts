import { type Kysely, sql } from 'kysely';
import { eachOnce, inIdList, preparing, type Tx } from '#platform/db/index.ts';
import { deletion, insertion, type MailNotificationRow, statement, type Tables } from '#schema';

const insertNew = insertion('mail_notifications')<keyof MailNotificationRow, { user_id: string }>(
  ['user_id', 'message_id', 'reason', 'created_at', 'collected_at', 'mail_id'],
  () => 'ON CONFLICT (user_id, message_id) DO NOTHING RETURNING user_id',
);

/** @returns the users for whom there was no notification of the message yet */
export async function insertNotifications(
  tx: Tx,
  rows: readonly MailNotificationRow[],
): Promise<readonly string[]> {
  return (await insertNew(tx, rows)).map((row) => row.user_id);
}

const insertBatches = insertion('mail_batches')(['user_id', 'due_at'], (dialect) =>
  dialect === 'sqlite'
    ? 'ON CONFLICT (user_id) DO NOTHING'
    : 'ON CONFLICT (user_id) DO UPDATE SET due_at = mail_batches.due_at',
);

interface Batch {
  readonly user_id: string;
  readonly due_at: number;
}

const insertInOrder = preparing(insertBatches, (batches: readonly Batch[]) =>
  eachOnce(
    batches,
    ({ user_id }) => user_id,
    (one, other) => (other.due_at < one.due_at ? other : one),
  ),
);

/**
 * Begins to collect for these users, unless that has begun. On PostgreSQL the row is locked either way, so that the
 * transaction that collects for them waits, and then sees what this one wrote; SQLite runs one transaction at a time.
 */
export function openBatches(tx: Tx, userIds: readonly string[], dueAt: number): void {
  for (const user_id of userIds) tx.gather(insertInOrder, { user_id, due_at: dueAt });
}

export const listDueBatches = statement<{ now: number; limit: number }>()((q, p) =>
  q
    .selectFrom('mail_batches')
    .select('user_id')
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .limit(p.limit),
);

/** Gives the row to the first caller only. */
export const takeBatch = statement<{ userId: string; now: number }>()((q, p) =>
  q
    .deleteFrom('mail_batches')
    .where('user_id', '=', p.userId)
    .where('due_at', '<=', p.now)
    .returning('user_id'),
);

export const postponeBatch = statement<{ userId: string; dueAt: number }>()((q, p) =>
  q.updateTable('mail_batches').set({ due_at: p.dueAt }).where('user_id', '=', p.userId),
);

interface Collected {
  readonly userId: string;
  readonly messageIds: readonly string[];
  readonly now: number;
}

/** A message that waits to be mailed. */
export interface Waiting {
  message_id: string;
  /** The preference that asks for it. */
  reason: string;
  /** The name of the team in which it can be read. */
  space_name: string | null;
  /** Of one in a sidebar: whether the conversation beside which that is was muted. */
  beside_muted: number | null;
}

/** What a person is told of, in the order in which it was posted. */
const noticed = (q: Kysely<Tables>, userId: string) =>
  q
    .selectFrom('mail_notifications')
    .innerJoin('messages', 'messages.id', 'mail_notifications.message_id')
    .leftJoin('teams', 'teams.id', 'messages.team_id')
    .leftJoin('sidebars', 'sidebars.id', 'messages.sidebar_id')
    .leftJoin('messages as beside', 'beside.id', 'sidebars.message_id')
    .leftJoin('message_states', (join) =>
      join
        .on('message_states.message_id', '=', sql<string>`coalesce(beside.root_id, beside.id)`)
        .on('message_states.user_id', '=', userId),
    )
    .select([
      'mail_notifications.message_id',
      'mail_notifications.reason',
      'teams.name as space_name',
      'message_states.is_muted as beside_muted',
    ])
    .where('mail_notifications.user_id', '=', userId)
    .orderBy('mail_notifications.message_id');

/** What was not put into a mail yet: mentions first. */
export const listWaiting = statement<{ userId: string; limit: number }>()((q, p) =>
  noticed(q, p.userId)
    .clearOrderBy()
    .where('mail_notifications.collected_at', 'is', null)
    .orderBy(sql`CASE mail_notifications.reason WHEN 'email_on_at_mention' THEN 0 ELSE 1 END`)
    .orderBy('mail_notifications.message_id')
    .limit(p.limit),
);

/** What a mail tells of. */
export const listOfMail = statement<{ userId: string; mailId: string }>()((q, p) =>
  noticed(q, p.userId).where('mail_notifications.mail_id', '=', p.mailId),
);

export const markCollected = statement<Collected & { mailId: string | null }>()((q, p, dialect) =>
  q
    .updateTable('mail_notifications')
    .set({ collected_at: p.now, mail_id: p.mailId })
    .where('user_id', '=', p.userId)
    .where(inIdList(dialect, 'message_id', p.messageIds))
    .where('collected_at', 'is', null),
);

/** Leaves out messages of which the person was told in another way: also those of streams, of which no row tells. */
export async function leaveOut(tx: Tx, told: Collected): Promise<void> {
  await markCollected.run(tx, { ...told, mailId: null });
  await insertToldOfStreams.run(tx, told);
}

/** Why a message of a stream has a row: it is left out of mails. */
const PUSHED = 'pushed';

const insertToldOfStreams = statement<Collected>()((q, p, dialect) =>
  q
    .insertInto('mail_notifications')
    .columns(['user_id', 'message_id', 'reason', 'created_at', 'collected_at'])
    .expression(
      q
        .selectFrom('messages')
        .select([sql<string>`${p.userId}`.as('user_id'), 'id', sql<string>`${sql.lit(PUSHED)}`.as('reason')])
        .select([sql<number>`${p.now}`.as('created_at'), sql<number>`${p.now}`.as('collected_at')])
        .where(inIdList(dialect, 'id', p.messageIds))
        .where('seq', 'is not', null)
        .orderBy('id'),
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** What was pushed is only kept from mails about the team that are still tried. */
export const purgePushed = deletion('mail_notifications')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<', p.before).where('reason', '=', PUSHED),
);

export const purgeNotifications = deletion('mail_notifications')<{ before: number }>((rows, p) =>
  rows.where('created_at', '<', p.before).where('collected_at', 'is not', null),
);

/** The names that a mail about a membership needs; none of a deleted team. */
export const findMembershipNames = statement<{ teamId: string; userId: string; actorId: string }>()((q, p) =>
  q
    .selectFrom('teams')
    .innerJoin('users as actor', (join) => join.on('actor.id', '=', p.actorId))
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.team_id', '=', 'teams.id').on('memberships.user_id', '=', p.userId),
    )
    .select([
      'teams.name as team_name',
      'actor.first_name as actor_first_name',
      'actor.last_name as actor_last_name',
      'memberships.membership_type',
    ])
    .where('teams.id', '=', p.teamId)
    .where('teams.active', '=', 1),
);

/** An application, and since when its calls have failed: those about teams, and those of its webhooks. */
export const findTroubledApplication = statement<{ id: string }>()((q, p) =>
  q
    .selectFrom('applications')
    .leftJoin('callback_queues', 'callback_queues.application_id', 'applications.id')
    .select((eb) => [
      'applications.name',
      'applications.owner_id',
      'callback_queues.failing_since as calls_since',
      eb
        .selectFrom('event_subscriptions')
        .whereRef('event_subscriptions.application_id', '=', 'applications.id')
        .select((one) => one.fn.min('event_subscriptions.failing_since').as('since'))
        .as('webhook_since'),
    ])
    .where('applications.id', '=', p.id),
);

export const deleteBatchOf = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('mail_batches').where('user_id', '=', p.userId),
);

export const deleteNotificationsOf = deletion('mail_notifications')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);
