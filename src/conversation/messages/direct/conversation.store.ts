import { type Kysely, sql } from 'kysely';
import { inIdList } from '#platform/db/index.ts';
import { insertion, statement, type Tables } from '#schema';
import { teamsOf } from '../../../teams/index.ts';

/** Newer ids only: transactions that write to the same people may end in any order. @returns a row if it is known */
export const moveNewest = statement<{ id: string; newestId: string }>()((q, p) =>
  q
    .updateTable('conversations')
    .set({
      newest_id: sql<string>`CASE WHEN newest_id < ${p.newestId} THEN ${p.newestId} ELSE newest_id END`,
    })
    .where('id', '=', p.id)
    .returning('id'),
);

export const insertConversations = insertion('conversations')(
  ['id', 'newest_id'],
  () => `ON CONFLICT (id) DO UPDATE SET newest_id = CASE WHEN conversations.newest_id < excluded.newest_id
    THEN excluded.newest_id ELSE conversations.newest_id END`,
);

export const insertConversationUsers = insertion('conversation_users')(
  ['user_id', 'conversation_id'],
  () => 'ON CONFLICT DO NOTHING',
);

/** A user's conversations below an id of their newest messages, the newest first. */
export const listConversations = statement<{ userId: string; before: string; limit: number }>()((q, p) =>
  q
    .selectFrom('conversation_users')
    .innerJoin('conversations', 'conversations.id', 'conversation_users.conversation_id')
    .select(['conversations.id', 'conversations.newest_id'])
    .where('conversation_users.user_id', '=', p.userId)
    .where('conversations.newest_id', '<', p.before)
    .orderBy('conversations.newest_id', 'desc')
    .limit(p.limit),
);

/** No row for a user who does not take part. */
export const findConversation = statement<{ userId: string; id: string }>()((q, p) =>
  q
    .selectFrom('conversation_users')
    .innerJoin('conversations', 'conversations.id', 'conversation_users.conversation_id')
    .select(['conversations.id', 'conversations.newest_id'])
    .where('conversation_users.user_id', '=', p.userId)
    .where('conversation_users.conversation_id', '=', p.id),
);

export const listPeopleOf = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('conversation_users')
    .select(['conversation_id', 'user_id'])
    .where(inIdList(dialect, 'conversation_id', p.ids))
    .orderBy('user_id'),
);

/**
 * How many of a user's direct messages are unread, by conversation: those of others, and own ones that the user marked so.
 * No row where there are none.
 */
export const countUnread = statement<{ userId: string; ids: readonly string[] }>()((q, p, dialect) => {
  const received = q
    .selectFrom('message_recipients')
    .select('message_id')
    .where('user_id', '=', p.userId)
    .where('read_at', 'is', null);
  const own = q
    .selectFrom('message_states')
    .select('message_id')
    .where('user_id', '=', p.userId)
    .where('is_unread', '=', 1);
  return q
    .selectFrom(received.unionAll(own).as('unread'))
    .innerJoin('messages', 'messages.id', 'unread.message_id')
    .select('messages.conversation_id')
    .select((eb) => eb.fn.countAll<number>().as('unread_count'))
    .where(inIdList(dialect, 'messages.conversation_id', p.ids))
    .where('messages.deleted_at', 'is', null)
    .groupBy('messages.conversation_id');
});

/** Finds a message of a conversation, or a reply to one. */
export const findSaid = statement<{ id: string; messageId: string }>()((q, p) =>
  q
    .selectFrom('messages')
    .leftJoin('messages as root', 'root.id', 'messages.root_id')
    .select('messages.id')
    .where('messages.id', '=', p.messageId)
    .where('messages.sidebar_id', 'is', null)
    .where((eb) => eb(eb.fn.coalesce('root.conversation_id', 'messages.conversation_id'), '=', p.id)),
);

interface UpTo {
  readonly userId: string;
  readonly id: string;
  readonly upTo: string;
}

const idsUpTo = (q: Kysely<Tables>, p: UpTo) =>
  q
    .selectFrom('messages')
    .select('messages.id')
    .where('messages.conversation_id', '=', p.id)
    .where('messages.id', '<=', p.upTo);

/** Marks the received messages of a conversation as read up to one of them. @returns those that were unread */
export const readUpTo = statement<UpTo & { now: number }>()((q, p) =>
  q
    .updateTable('message_recipients')
    .set({ read_at: p.now })
    .where('user_id', '=', p.userId)
    .where('read_at', 'is', null)
    .where('message_id', 'in', idsUpTo(q, p))
    .returning('message_id'),
);

/** The same for own messages that the user marked as unread. */
export const readOwnUpTo = statement<UpTo>()((q, p) =>
  q
    .updateTable('message_states')
    .set({ is_unread: 0 })
    .where('user_id', '=', p.userId)
    .where('is_unread', '=', 1)
    .where('message_id', 'in', idsUpTo(q, p))
    .returning('message_id'),
);

/** Filters users: the ones to whom a user can write. */
export const listReachable = statement<{ userId: string; ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('users')
    .select('users.id')
    .where(inIdList(dialect, 'users.id', p.ids))
    .where('users.active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('users.id', '=', p.userId),
        eb.exists(
          q
            .selectFrom('memberships')
            .select('memberships.user_id')
            .where(sql<boolean>`memberships.user_id = users.id`)
            .where('memberships.team_id', 'in', teamsOf(q, p.userId)),
        ),
      ]),
    ),
);
