import { type Kysely, sql } from 'kysely';
import { type Dialect, eachOnce, inIdList, preparing } from '#platform/db/index.ts';
import {
  insertion,
  lockedQueue,
  type MailCursorRow,
  type MailStreamRow,
  statement,
  type Tables,
} from '#schema';
import { isReadInStream } from '../messages/index.ts';
import { isMutedPlace } from '../mutes/index.ts';

export const streamQueue = lockedQueue('mail_streams', {
  key: 'team_id',
  due: 'due_at',
  failures: 'num_failures',
});

/**
 * One row for a team, however much is posted meanwhile. On PostgreSQL a row that is there is locked: the worker that goes
 * through the team sees the post, or the post sees that the worker has ended.
 */
const insertStreams = insertion('mail_streams')<keyof MailStreamRow>(
  ['team_id', 'after_seq', 'up_to_seq', 'cursor', 'num_failures', 'due_at', 'created_at'],
  () => 'ON CONFLICT (team_id) DO UPDATE SET team_id = excluded.team_id WHERE 1 = 0',
);

/** Each team begins with the first of its messages. */
export const openStreams = preparing(insertStreams, (rows: readonly MailStreamRow[]) =>
  eachOnce(
    rows,
    ({ team_id }) => team_id,
    (one, other) => (other.after_seq < one.after_seq ? other : one),
  ),
);

type Moved = Omit<MailStreamRow, 'num_failures' | 'created_at'>;

export const moveStream = statement<Moved>()((q, p) =>
  q
    .updateTable('mail_streams')
    .set({
      after_seq: p.after_seq,
      up_to_seq: p.up_to_seq,
      cursor: p.cursor,
      num_failures: 0,
      due_at: p.due_at,
    })
    .where('team_id', '=', p.team_id),
);

export const postponeStream = statement<Pick<MailStreamRow, 'team_id' | 'num_failures' | 'due_at'>>()(
  (q, p) =>
    q
      .updateTable('mail_streams')
      .set({ num_failures: p.num_failures, due_at: p.due_at })
      .where('team_id', '=', p.team_id),
);

export const closeStream = statement<{ teamId: string }>()((q, p) =>
  q.deleteFrom('mail_streams').where('team_id', '=', p.teamId),
);

/** The last place of a team's stream; no row for a deleted team. */
export const findStreamEnd = statement<{ teamId: string }>()((q, p) =>
  q.selectFrom('teams').select('message_seq').where('id', '=', p.teamId).where('active', '=', 1),
);

/** When a message of a stream was posted. */
export const findPostedAt = statement<{ teamId: string; seq: number }>()((q, p) =>
  q.selectFrom('messages').select('created_at').where('team_id', '=', p.teamId).where('seq', '=', p.seq),
);

const latest = (dialect: Dialect) => sql.raw(dialect === 'sqlite' ? 'max' : 'greatest');

/** How far a member has read a stream, and was told of it; not before the stream's first message that waits. */
const known = (dialect: Dialect, afterSeq: number) =>
  sql<number>`${latest(dialect)}(memberships.read_seq, coalesce(mail_cursors.told_seq, 0), ${afterSeq})`;

interface Walk {
  teamId: string;
  afterSeq: number;
  upToSeq: number;
  after: string;
  limit: number;
}

/** When the first message was posted that a member has read and marked as unread again, and was not told of. */
const markedUnread = (p: Walk) => sql`(SELECT messages.created_at FROM read_marks
  JOIN messages ON messages.id = read_marks.message_id
  WHERE read_marks.user_id = memberships.user_id AND read_marks.team_id = memberships.team_id AND read_marks.is_read = 0
  AND read_marks.seq > ${p.afterSeq} AND read_marks.seq > coalesce(mail_cursors.told_seq, 0)
  AND read_marks.seq <= ${p.upToSeq} AND messages.author_id <> users.id AND messages.deleted_at IS NULL
  ORDER BY read_marks.seq LIMIT 1)`;

/**
 * A page of a team's members, in the order of ids, and when the first message was posted that each has neither read nor been
 * told of; null where there is none.
 */
export const listBehind = statement<Walk>()((q, p, dialect) => {
  const page = q
    .selectFrom('memberships')
    .selectAll()
    .where('team_id', '=', p.teamId)
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit);
  return q
    .selectFrom(page.as('memberships'))
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .leftJoin('mail_cursors', (join) =>
      join
        .onRef('mail_cursors.user_id', '=', 'memberships.user_id')
        .onRef('mail_cursors.team_id', '=', 'memberships.team_id'),
    )
    .select(['users.id', 'users.active', 'users.prefs_json', 'memberships.is_muted', 'mail_cursors.waits'])
    .select((eb) => {
      const neverRead = eb
        .selectFrom('messages')
        .select('messages.created_at')
        .whereRef('messages.team_id', '=', 'memberships.team_id')
        .where('messages.seq', '>', known(dialect, p.afterSeq))
        .where('messages.seq', '<=', p.upToSeq)
        .whereRef('messages.author_id', '!=', 'users.id')
        .where('messages.deleted_at', 'is', null)
        .orderBy('messages.seq')
        .limit(1);
      return sql<number | null>`coalesce(${neverRead}, ${markedUnread(p)})`.as('since');
    })
    .orderBy('users.id');
});

const insertCursors = insertion('mail_cursors')<keyof MailCursorRow>(
  ['user_id', 'team_id', 'told_seq', 'waits'],
  () => `ON CONFLICT (user_id, team_id) DO UPDATE SET waits = excluded.waits,
    told_seq = CASE WHEN excluded.told_seq > mail_cursors.told_seq THEN excluded.told_seq ELSE mail_cursors.told_seq END`,
);

/** Moves cursors forward, in one order for all transactions. */
export const moveCursors = preparing(insertCursors, (rows: readonly MailCursorRow[]) =>
  [...rows].sort((one, other) => (one.team_id + one.user_id < other.team_id + other.user_id ? -1 : 1)),
);

/** A part of a team's stream. */
export interface Range {
  readonly teamId: string;
  readonly after: number;
  readonly upTo: number;
}

/**
 * The teams of which a person may be told: after which place, the end of the stream, and the first place whose message has
 * `bound` as its id, or a later one.
 */
export const listRanges = statement<{ userId: string; bound: string }>()((q, p, dialect) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .leftJoin('mail_streams', 'mail_streams.team_id', 'memberships.team_id')
    .leftJoin('mail_cursors', (join) =>
      join
        .onRef('mail_cursors.user_id', '=', 'memberships.user_id')
        .onRef('mail_cursors.team_id', '=', 'memberships.team_id'),
    )
    .select([
      'memberships.team_id as teamId',
      'teams.message_seq as end',
      sql<number>`CASE WHEN mail_cursors.waits = 1 THEN mail_cursors.told_seq
        ELSE ${latest(dialect)}(coalesce(mail_cursors.told_seq, 0), mail_streams.after_seq) END`.as('after'),
    ])
    .select((eb) =>
      eb
        .selectFrom('messages')
        .select((one) => one.fn.min('messages.seq').as('seq'))
        .whereRef('messages.team_id', '=', 'memberships.team_id')
        .where('messages.seq', 'is not', null)
        .where('messages.id', '>=', p.bound)
        .as('bounded_by'),
    )
    .where('memberships.user_id', '=', p.userId)
    .where('memberships.is_muted', '=', 0)
    .where('teams.active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('mail_cursors.waits', '=', 1),
        eb.and([
          eb('mail_streams.team_id', 'is not', null),
          eb('memberships.read_seq', '<', eb.ref('teams.message_seq')),
        ]),
      ]),
    ),
);

export const endWaiting = statement<{ userId: string }>()((q, p) =>
  q.updateTable('mail_cursors').set({ waits: 0 }).where('user_id', '=', p.userId).where('waits', '=', 1),
);

type OfPerson = Range & { readonly userId: string };

/** What a person is told of a stream: what others wrote that they have not read or muted, and that no row tells of. */
const untold = (q: Kysely<Tables>, p: OfPerson) =>
  q
    .selectFrom('messages')
    .innerJoin('teams', 'teams.id', 'messages.team_id')
    .innerJoin('memberships', (join) =>
      join.onRef('memberships.team_id', '=', 'messages.team_id').on('memberships.user_id', '=', p.userId),
    )
    .leftJoin('read_marks', (join) =>
      join
        .on('read_marks.user_id', '=', p.userId)
        .onRef('read_marks.team_id', '=', 'messages.team_id')
        .onRef('read_marks.seq', '=', 'messages.seq'),
    )
    .leftJoin('subject_cursors', (join) =>
      join
        .on('subject_cursors.user_id', '=', p.userId)
        .onRef('subject_cursors.team_id', '=', 'messages.team_id')
        .onRef('subject_cursors.subject_id', '=', 'messages.subject_id'),
    )
    .leftJoin('message_states', (join) =>
      join.onRef('message_states.message_id', '=', 'messages.id').on('message_states.user_id', '=', p.userId),
    )
    .where('messages.team_id', '=', p.teamId)
    .where('messages.seq', '>', p.after)
    .where('messages.seq', '<=', p.upTo)
    .where('messages.deleted_at', 'is', null)
    .where('messages.author_id', '!=', p.userId)
    .where('teams.active', '=', 1)
    .where('memberships.is_muted', '=', 0)
    .where(sql<boolean>`coalesce(message_states.is_muted, 0) = 0`)
    .where(sql<boolean>`NOT ${isReadInStream}`)
    .where(sql<boolean>`NOT ${isMutedPlace(sql`${p.userId}`, sql`messages.subject_id`)}`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mail_notifications')
            .select('mail_notifications.message_id')
            .where('mail_notifications.user_id', '=', p.userId)
            .whereRef('mail_notifications.message_id', '=', 'messages.id'),
        ),
      ),
    );

/** Gives a row where there is one. */
export const findUntold = statement<OfPerson>()((q, p) =>
  untold(q, p).select('messages.id').orderBy('messages.seq').limit(1),
);

/** The first of them, each with how many there are and whether one person wrote them all. */
export const listUntold = statement<OfPerson & { limit: number }>()((q, p) =>
  untold(q, p)
    .select([
      'messages.id',
      'teams.name as space_name',
      sql<number>`count(*) OVER ()`.as('count'),
      sql<string | null>`min(CAST(messages.author_id AS text)) OVER ()`.as('first_author'),
      sql<string | null>`max(CAST(messages.author_id AS text)) OVER ()`.as('last_author'),
    ])
    .orderBy('messages.seq')
    .limit(p.limit),
);

export const deleteCursorsOf = statement<{ userId: string }>()((q, p) =>
  q.deleteFrom('mail_cursors').where('user_id', '=', p.userId),
);

export const deleteCursorsIn = statement<{ teamId: string; userIds: readonly string[] }>()((q, p, dialect) =>
  q
    .deleteFrom('mail_cursors')
    .where('team_id', '=', p.teamId)
    .where(inIdList(dialect, 'user_id', p.userIds)),
);
