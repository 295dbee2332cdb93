import { sql } from 'kysely';
import { type Dialect, inTextList, locked } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { deletion, fairQueue, insertion, type ScheduledRow, statement } from '#schema';
import type { PageOfUser } from '../../stewardship/exports/index.ts';
import type { Reach } from './reach.ts';
import { MOST_UNSENT } from './scheduled.schema.ts';

/** People take turns: somebody with hundreds for one minute delays everybody else by one each. */
export const scheduledQueue = fairQueue('scheduled', {
  key: 'id',
  due: 'due_at',
  failures: 'num_failures',
  source: 'user_id',
  lowest: LOWEST_ID,
  oldest: 2 * MOST_UNSENT,
});

export const insertScheduled = insertion('scheduled')([
  'id',
  'user_id',
  'kind',
  'through',
  'grant_id',
  'place',
  'to_write',
  'to_read',
  'local_time',
  'zone',
  'send_at',
  'body_json',
  'status',
  'reason',
  'message_id',
  'num_failures',
  'due_at',
  'settled_at',
  'created_at',
]);

/** Whose rows a caller sees, and where. */
export interface Owned extends Reach {
  readonly userId: string;
  readonly kind: ScheduledRow['kind'];
}

/**
 * A session sees all of its person; a token those of its application and team where it may write, and of other grants
 * those alone where it may read, too.
 */
function isOwn(dialect: Dialect, p: Owned) {
  const writable = inTextList(dialect, 'to_write', p.mayWrite);
  const readable = inTextList(dialect, 'to_read', p.mayRead);
  const kept = inTextList(dialect, 'to_read', p.places);
  return sql<boolean>`user_id = ${p.userId} AND kind = ${p.kind} AND (CAST(${p.through} AS text) IS NULL
    OR through = ${p.through} AND ${writable} AND (grant_id = ${p.grantId} AND (${p.isKept} = 0 OR ${kept}) OR ${readable}))`;
}

/** The next ones first. */
export const listScheduled = statement<Owned & { at: number; id: string; limit: number }>()((q, p, dialect) =>
  q
    .selectFrom('scheduled')
    .selectAll()
    .where(isOwn(dialect, p))
    .where(sql<boolean>`(send_at, id) > (${p.at}, ${p.id})`)
    .orderBy('send_at')
    .orderBy('id')
    .limit(p.limit),
);

/** Waits for a sender, and is waited for by one. */
export const lockScheduled = statement<Owned & { id: string }>()((q, p, dialect) =>
  locked(
    dialect,
    q.selectFrom('scheduled').selectAll().where('id', '=', p.id).where(isOwn(dialect, p)),
    'no key update',
  ),
);

/** As the index says it. */
const isUnsent = sql<boolean>`status <> 'sent'`;

/** Of a person: what they have scheduled themselves, what applications have for them, and what one of these has. */
export const countUnsent = statement<{ userId: string; applicationId: string }>()((q, p) =>
  q
    .selectFrom('scheduled')
    .select([
      sql<number | string>`count(*) - count(through)`.as('own'),
      sql<number | string>`count(through)`.as('by_applications'),
      sql<
        number | string
      >`count(CASE WHEN through LIKE CAST(${p.applicationId} AS text) || ':%' THEN 1 END)`.as(
        'by_application',
      ),
    ])
    .where('user_id', '=', p.userId)
    .where(isUnsent),
);

/** One that waits, or was not sent, and names a file. */
export const findNaming = statement<{ userId: string; file: string }>()((q, p) =>
  q
    .selectFrom('scheduled')
    .select('id')
    .where('user_id', '=', p.userId)
    .where(isUnsent)
    .where(sql<boolean>`body_json LIKE '%' || CAST(${p.file} AS text) || '%'`)
    .limit(1),
);

/** When the others of a person go to a conversation, around some time. */
export const listTimesNear = statement<
  Pick<ScheduledRow, 'id' | 'place'> & {
    userId: string;
    /** 1 leaves out the messages that an application has scheduled. */
    onlyOwn: 0 | 1;
    from: number;
    to: number;
    limit: number;
  }
>()((q, p) =>
  q
    .selectFrom('scheduled')
    .select('send_at')
    .where('user_id', '=', p.userId)
    .where('place', '=', p.place)
    .where('status', '=', 'pending')
    .where(sql<boolean>`(through IS NULL OR CAST(${p.onlyOwn} AS integer) = 0)`)
    .where('id', '!=', p.id)
    .where('send_at', '>', p.from)
    .where('send_at', '<', p.to)
    .orderBy('send_at')
    .limit(p.limit),
);

export const changeScheduled = statement<
  Pick<
    ScheduledRow,
    | 'id'
    | 'grant_id'
    | 'place'
    | 'to_write'
    | 'to_read'
    | 'local_time'
    | 'zone'
    | 'send_at'
    | 'body_json'
    | 'status'
    | 'reason'
    | 'num_failures'
    | 'due_at'
  >
>()((q, p) =>
  q
    .updateTable('scheduled')
    .set({
      grant_id: p.grant_id,
      place: p.place,
      to_write: p.to_write,
      to_read: p.to_read,
      local_time: p.local_time,
      zone: p.zone,
      send_at: p.send_at,
      body_json: p.body_json,
      status: p.status,
      reason: p.reason,
      num_failures: p.num_failures,
      due_at: p.due_at,
    })
    .where('id', '=', p.id),
);

/** Its text stands in the message from now on. */
export const markSent = statement<{ id: string; messageId: string; now: number }>()((q, p) =>
  q
    .updateTable('scheduled')
    .set({
      status: 'sent',
      reason: null,
      body_json: null,
      message_id: p.messageId,
      due_at: null,
      settled_at: p.now,
    })
    .where('id', '=', p.id),
);

/** Gives a row where it still waits as it did: another node may have sent it meanwhile. */
export const markUnsent = statement<
  Pick<ScheduledRow, 'id' | 'status' | 'reason' | 'num_failures'> & { now: number }
>()((q, p) =>
  q
    .updateTable('scheduled')
    .set({ status: p.status, reason: p.reason, due_at: null, settled_at: p.now })
    .where('id', '=', p.id)
    .where('status', '=', 'pending')
    .where('num_failures', '=', p.num_failures)
    .returning('id'),
);

export const postponeScheduled = statement<Pick<ScheduledRow, 'id' | 'num_failures' | 'due_at'>>()((q, p) =>
  q
    .updateTable('scheduled')
    .set({ num_failures: p.num_failures, due_at: p.due_at })
    .where('id', '=', p.id)
    .where('status', '=', 'pending'),
);

export const deleteScheduled = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('scheduled').where('id', '=', p.id),
);

export const deleteScheduledOf = deletion('scheduled')<{ userId: string }>((rows, p) =>
  rows.where('user_id', '=', p.userId),
);

export const purgeSent = deletion('scheduled')<{ before: number }>((rows, p) =>
  rows.where('status', '=', sql.lit('sent')).where('settled_at', '<', p.before),
);

export const pageOfScheduled = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('scheduled')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);
