import { type Kysely, sql } from 'kysely';
import type { Reader } from '#platform/db/index.ts';
import { type MessageRow, query, type RecipientRow, statement, type Tables } from '../schema/index.ts';
import { teamsOf } from '../teams/index.ts';
import type { SummaryRow } from '../users/index.ts';

export const insertMessage = statement<MessageRow>()((q, p) =>
  q.insertInto('messages').values({
    id: p.id,
    team_id: p.team_id,
    seq: p.seq,
    author_id: p.author_id,
    application_id: p.application_id,
    text: p.text,
    addressed_users_json: p.addressed_users_json,
    attachments_json: p.attachments_json,
    mentions_json: p.mentions_json,
    num_replies: p.num_replies,
    num_high_fives: p.num_high_fives,
    created_at: p.created_at,
    updated_at: p.updated_at,
    root_id: p.root_id,
    reply_seq: p.reply_seq,
    sidebar_id: p.sidebar_id,
    sidebar_seq: p.sidebar_seq,
    events_json: p.events_json,
    deleted_at: p.deleted_at,
  }),
);

export const insertRecipient = statement<RecipientRow>()((q, p) =>
  q
    .insertInto('message_recipients')
    .values({ user_id: p.user_id, message_id: p.message_id, read_at: p.read_at }),
);

/** Gives the next place in the team's stream. Whoever has it holds the team's row until the commit, so no gaps. */
export const takePlace = statement<{ teamId: string }>()((q, p) =>
  q
    .updateTable('teams')
    .set((eb) => ({ message_seq: eb('message_seq', '+', 1) }))
    .where('id', '=', p.teamId)
    .where('active', '=', 1)
    .returning('message_seq'),
);

/** Moves the author's cursor over their own message; gives no row when they have not read what is before it. */
export const advanceCursor = statement<{ teamId: string; userId: string; from: number; to: number }>()(
  (q, p) =>
    q
      .updateTable('memberships')
      .set({ read_seq: p.to })
      .where('team_id', '=', p.teamId)
      .where('user_id', '=', p.userId)
      .where('read_seq', '=', p.from)
      .returning('user_id'),
);

export const insertReadMark = statement<{ userId: string; teamId: string; messageId: string; seq: number }>()(
  (q, p) =>
    q
      .insertInto('read_marks')
      .values({ user_id: p.userId, team_id: p.teamId, message_id: p.messageId, seq: p.seq, is_read: 1 }),
);

/** Users who can be addressed: with an account that works, sharing a team with the author, or the author. */
export function findReachable(
  db: Reader,
  authorId: string,
  ids: readonly string[],
  emails: readonly string[],
): Promise<{ id: string; email_key: string }[]> {
  return query(db, (q) =>
    q
      .selectFrom('users')
      .select(['users.id', 'users.email_key'])
      .where((eb) =>
        eb.or([
          ...(ids.length > 0 ? [eb('users.id', 'in', [...ids])] : []),
          ...(emails.length > 0 ? [eb('users.email_key', 'in', [...emails])] : []),
        ]),
      )
      .where('users.active', '=', 1)
      .where((eb) =>
        eb.or([
          eb('users.id', '=', authorId),
          eb(
            'users.id',
            'in',
            q.selectFrom('memberships').select('user_id').where('team_id', 'in', teamsOf(q, authorId)),
          ),
        ]),
      ),
  );
}

/** A message with its author, the application that posted it, and how it stands to the viewer; flat. */
export type MessageView = MessageRow &
  Omit<SummaryRow, 'id'> & {
    application_name: string | null;
    application_icon: string | null;
    application_base_url: string | null;
    /** The viewer's membership of its team. */
    read_seq: number | null;
    team_muted: number | null;
    /** An exception to the cursor. */
    marked_read: number | null;
    /** Whether the viewer is an addressee. */
    recipient_id: string | null;
    recipient_read_at: number | null;
  };

function viewsFor(q: Kysely<Tables>, viewerId: string) {
  return q
    .selectFrom('messages')
    .innerJoin('users', 'users.id', 'messages.author_id')
    .leftJoin('applications', 'applications.id', 'messages.application_id')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.team_id', '=', 'messages.team_id').on('memberships.user_id', '=', viewerId),
    )
    .leftJoin('read_marks', (join) =>
      join
        .onRef('read_marks.team_id', '=', 'messages.team_id')
        .onRef('read_marks.seq', '=', 'messages.seq')
        .on('read_marks.user_id', '=', viewerId),
    )
    .leftJoin('message_recipients', (join) =>
      join
        .onRef('message_recipients.message_id', '=', 'messages.id')
        .on('message_recipients.user_id', '=', viewerId),
    )
    .selectAll('messages')
    .select([
      'users.first_name',
      'users.last_name',
      'users.title',
      'users.active',
      'users.email',
      'users.image_version',
      'users.seen_at',
      'applications.name as application_name',
      'applications.icon as application_icon',
      'applications.base_url as application_base_url',
      'memberships.read_seq',
      'memberships.is_muted as team_muted',
      'read_marks.is_read as marked_read',
      'message_recipients.user_id as recipient_id',
      'message_recipients.read_at as recipient_read_at',
    ]);
}

/** A team's message is visible to its members, a direct one to its author and its addressees. */
export const findMessage = statement<{ id: string; viewerId: string }>()((q, p) =>
  viewsFor(q, p.viewerId)
    .where('messages.id', '=', p.id)
    .where((eb) =>
      eb.or([
        eb('memberships.user_id', 'is not', null),
        eb.and([
          eb('messages.team_id', 'is', null),
          eb.or([
            eb('messages.author_id', '=', p.viewerId),
            eb('message_recipients.user_id', 'is not', null),
          ]),
        ]),
      ]),
    ),
);

export interface MessageFilter {
  viewerId: string;
  teamId: string | undefined;
  tag: string | undefined;
  limit: number;
  /** Only messages before this id. */
  before: string | undefined;
}

/** The newest first. */
export function listMessages(db: Reader, filter: MessageFilter): Promise<MessageView[]> {
  return query(db, (q) => {
    const { viewerId, teamId, tag, before } = filter;
    let found = viewsFor(q, viewerId);
    if (teamId !== undefined) found = found.where('messages.team_id', '=', teamId);
    if (before !== undefined) found = found.where('messages.id', '<', before);
    found = found.where((eb) => {
      const inMyTeam = eb('messages.team_id', 'in', teamsOf(q, viewerId));
      const addressed = eb('message_recipients.user_id', 'is not', null);
      const mine = eb('messages.author_id', '=', viewerId);
      const received = eb.or([addressed, eb.and([inMyTeam, eb.not(mine)])]);
      const isDirect = eb('messages.team_id', 'is', null);
      if (tag === '_sent') return eb.and([mine, eb.or([isDirect, inMyTeam])]);
      if (tag === '_direct') return addressed;
      if (tag === '_inbox') return received;
      if (tag === '_unread') return eb.and([received, isUnread]);
      return eb.or([addressed, inMyTeam, eb.and([mine, isDirect])]);
    });
    return found.orderBy('messages.id', 'desc').limit(filter.limit + 1);
  });
}

/** Beyond the cursor and not marked read, or before it and marked unread, or a direct message that was not read. */
const isUnread = sql<boolean>`CASE
  WHEN messages.team_id IS NULL THEN message_recipients.read_at IS NULL
  WHEN read_marks.is_read IS NOT NULL THEN read_marks.is_read = 0
  ELSE messages.seq > memberships.read_seq END`;

export const countUnreadDirect = statement<{ userId: string }>()((q, p) =>
  q
    .selectFrom('message_recipients')
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('user_id', '=', p.userId)
    .where('read_at', 'is', null),
);

/** Own team messages that were marked unread; the cursor passes over all others. */
export const countUnreadSent = statement<{ userId: string }>()((q, p) =>
  q
    .selectFrom('read_marks')
    .innerJoin('messages', 'messages.id', 'read_marks.message_id')
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('read_marks.user_id', '=', p.userId)
    .where('read_marks.is_read', '=', 0)
    .where('messages.author_id', '=', p.userId),
);
