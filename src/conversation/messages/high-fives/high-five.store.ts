import { sql } from 'kysely';
import type { TimeKey } from '#api';
import { inIdList, type Reader } from '#platform/db/index.ts';
import { query, statement } from '#schema';
import type { PageOfUser } from '../../../stewardship/exports/index.ts';

/** Users who gave a message a high five, the newest first, after a position in that order. */
export function listHighFives(db: Reader, messageId: string, after: TimeKey | undefined, limit: number) {
  return query(db, (q) => {
    const found = q
      .selectFrom('high_fives')
      .innerJoin('users', 'users.id', 'high_fives.user_id')
      .select([
        'high_fives.created_at as given_at',
        'users.id',
        'users.username',
        'users.first_name',
        'users.last_name',
        'users.title',
        'users.active',
        'users.email',
        'users.image_version',
        'users.online_until',
      ])
      .where('high_fives.message_id', '=', messageId)
      .orderBy('high_fives.created_at', 'desc')
      .orderBy('high_fives.user_id', 'desc')
      .limit(limit);
    if (!after) return found;
    return found.where((eb) =>
      eb.or([
        eb('high_fives.created_at', '<', after.at),
        eb.and([eb('high_fives.created_at', '=', after.at), eb('high_fives.user_id', '<', after.id)]),
      ]),
    );
  });
}

/** The newest givers of each of some messages, in the order of `listHighFives`. */
export const listGivers = statement<{ messageIds: readonly string[]; most: number }>()((q, p, dialect) =>
  q
    .selectFrom((eb) =>
      eb
        .selectFrom('high_fives')
        .select(['message_id', 'user_id'])
        .select(
          sql<number>`row_number() OVER (PARTITION BY message_id ORDER BY created_at DESC, user_id DESC)`.as(
            'place',
          ),
        )
        .where(inIdList(dialect, 'message_id', p.messageIds))
        .as('given'),
    )
    .select(['given.message_id', 'given.user_id'])
    .where('given.place', '<=', p.most)
    .orderBy('given.message_id')
    .orderBy('given.place'),
);

/** Gives no row when the user has given one before. */
export const insertHighFive = statement<{ messageId: string; userId: string; now: number }>()((q, p) =>
  q
    .insertInto('high_fives')
    .values({ message_id: p.messageId, user_id: p.userId, created_at: p.now })
    .onConflict((conflict) => conflict.columns(['message_id', 'user_id']).doNothing())
    .returning('user_id'),
);

export const deleteHighFive = statement<{ messageId: string; userId: string }>()((q, p) =>
  q
    .deleteFrom('high_fives')
    .where('message_id', '=', p.messageId)
    .where('user_id', '=', p.userId)
    .returning('user_id'),
);

export const countHighFive = statement<{ id: string; by: number }>()((q, p) =>
  q
    .updateTable('messages')
    .set((eb) => ({ num_high_fives: eb('num_high_fives', '+', p.by) }))
    .where('id', '=', p.id)
    .returningAll(),
);

export const pageOfHighFives = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('high_fives')
    .select(['message_id', 'created_at'])
    .where('user_id', '=', p.userId)
    .where('message_id', '>', p.after)
    .orderBy('message_id')
    .limit(p.limit),
);
