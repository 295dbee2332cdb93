import type { Reader } from '#platform/db/index.ts';
import { query } from '#schema';

/** Who gave a message theirs, the newest first, after a place in that order. */
export function listHighFives(
  db: Reader,
  messageId: string,
  from: { at: number; id: string | undefined },
  limit: number,
) {
  const { at, id } = from;
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
    if (id === undefined || !Number.isSafeInteger(at)) return found;
    return found.where((eb) =>
      eb.or([
        eb('high_fives.created_at', '<', at),
        eb.and([eb('high_fives.created_at', '=', at), eb('high_fives.user_id', '<', id)]),
      ]),
    );
  });
}
