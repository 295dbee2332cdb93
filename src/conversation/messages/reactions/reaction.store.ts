import { sql } from 'kysely';
import { inIdList, type Reader } from '#platform/db/index.ts';
import { query, type ReactionRow, statement } from '#schema';
import { isKnownTo, type Onlooker, whereaboutsColumns } from '../../../people/users/index.ts';

/** The last reaction of a page: when, by whom, and with which emoji. */
export type ReactionKey = readonly [at: number, userId: string, emoji: string];

interface Reacted {
  readonly messageId: string;
  /** Of the message. */
  readonly teamId: string | null;
  readonly emoji: string | undefined;
  readonly onlooker: Onlooker;
}

/** The reactions to a message with one emoji, or with any, and their people, the newest first. */
export function listReactions(
  db: Reader,
  { messageId, teamId, emoji, onlooker }: Reacted,
  after: ReactionKey | undefined,
  limit: number,
) {
  const isKnown = isKnownTo(onlooker, sql.ref('users.id'), teamId);
  const { online_until, status_json, do_not_disturb_until } = whereaboutsColumns('users', isKnown);
  return query(db, (q) => {
    const all = q
      .selectFrom('reactions')
      .innerJoin('users', 'users.id', 'reactions.user_id')
      .select([
        'reactions.emoji',
        'reactions.given',
        'reactions.created_at as given_at',
        'users.id',
        'users.username',
        'users.first_name',
        'users.last_name',
        'users.title',
        'users.active',
        'users.email',
        'users.image_version',
        online_until.as('online_until'),
        status_json.as('status_json'),
        do_not_disturb_until.as('do_not_disturb_until'),
      ])
      .where('reactions.message_id', '=', messageId)
      .orderBy('reactions.created_at', 'desc')
      .orderBy('reactions.user_id', 'desc')
      .orderBy('reactions.emoji', 'desc')
      .limit(limit);
    const found = emoji === undefined ? all : all.where('reactions.emoji', '=', emoji);
    if (!after) return found;
    const [at, userId, last] = after;
    return found.where(({ eb, or, and }) =>
      or([
        eb('reactions.created_at', '<', at),
        and([eb('reactions.created_at', '=', at), eb('reactions.user_id', '<', userId)]),
        and([
          eb('reactions.created_at', '=', at),
          eb('reactions.user_id', '=', userId),
          eb('reactions.emoji', '<', last),
        ]),
      ]),
    );
  });
}

/** The people who reacted last to each of some messages, the newest first. */
export const listGivers = statement<{ messageIds: readonly string[]; most: number }>()((q, p, dialect) =>
  q
    .selectFrom((eb) =>
      eb
        .selectFrom('reactions')
        .select(['message_id', 'user_id'])
        .select(
          sql<number>`row_number() OVER (PARTITION BY message_id ORDER BY max(created_at) DESC, user_id DESC)`.as(
            'place',
          ),
        )
        .where(inIdList(dialect, 'message_id', p.messageIds))
        .groupBy(['message_id', 'user_id'])
        .as('given'),
    )
    .select(['given.message_id', 'given.user_id'])
    .where('given.place', '<=', p.most)
    .orderBy('given.message_id')
    .orderBy('given.place'),
);

type Key = Pick<ReactionRow, 'message_id' | 'user_id' | 'emoji'>;

/** The emoji as it was given; no row where the person has not reacted with it. */
export const findReaction = statement<Key>()((q, p) =>
  q
    .selectFrom('reactions')
    .select('given')
    .where('user_id', '=', p.user_id)
    .where('message_id', '=', p.message_id)
    .where('emoji', '=', p.emoji),
);

export const insertReaction = statement<ReactionRow>()((q, p) =>
  q.insertInto('reactions').values({
    ...{ user_id: p.user_id, message_id: p.message_id, emoji: p.emoji },
    ...{ given: p.given, created_at: p.created_at },
  }),
);

/** In another skin tone. */
export const changeReaction = statement<Key & Pick<ReactionRow, 'given'>>()((q, p) =>
  q
    .updateTable('reactions')
    .set({ given: p.given })
    .where('user_id', '=', p.user_id)
    .where('message_id', '=', p.message_id)
    .where('emoji', '=', p.emoji),
);

/** Gives no row where the person has not reacted with it. */
export const deleteReaction = statement<Key>()((q, p) =>
  q
    .deleteFrom('reactions')
    .where('user_id', '=', p.user_id)
    .where('message_id', '=', p.message_id)
    .where('emoji', '=', p.emoji)
    .returning('user_id'),
);

export const countReactions = statement<{ id: string; json: string | null; highFives: number }>()((q, p) =>
  q
    .updateTable('messages')
    .set({ reactions_json: p.json, num_high_fives: p.highFives })
    .where('id', '=', p.id)
    .returningAll(),
);

/** The reactions that a person gave, after one of them. */
export const pageOfReactions = statement<{
  userId: string;
  messageId: string;
  emoji: string;
  limit: number;
}>()((q, p) =>
  q
    .selectFrom('reactions')
    .select(['message_id', 'emoji', 'given', 'created_at'])
    .where('user_id', '=', p.userId)
    .where('message_id', '>=', p.messageId)
    .where(({ eb, or }) => or([eb('message_id', '>', p.messageId), eb('emoji', '>', p.emoji)]))
    .orderBy('message_id')
    .orderBy('emoji')
    .limit(p.limit),
);
