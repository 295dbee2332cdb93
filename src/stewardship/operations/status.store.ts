import { sql } from 'kysely';
import { MOST_COUNTED } from '#platform/jobs/index.ts';
import { statement } from '#schema';

/** Index scans over what is not large: accounts, teams, applications. Messages are never counted one by one. */
export const countAll = statement<object>()((q) =>
  q.selectNoFrom((eb) => [
    eb
      .selectFrom('users')
      .select(sql<number>`count(*)`.as('count'))
      .where('deleted_at', 'is', null)
      .as('users'),
    eb
      .selectFrom('users')
      .select(sql<number>`count(*)`.as('count'))
      .where('deleted_at', 'is', null)
      .where('active', '=', sql.lit(1))
      .as('active_users'),
    eb.selectFrom('teams').select(sql<number>`count(*)`.as('count')).where('active', '=', 1).as('teams'),
    eb.selectFrom('message_index').select(sql<number>`coalesce(max(place), 0)`.as('count')).as('messages'),
    eb
      .selectFrom('applications')
      .select(sql<number>`count(*)`.as('count'))
      .where('active', '=', 1)
      .as('applications'),
    eb
      .selectFrom('installations')
      .select(sql<number>`count(*)`.as('count'))
      .where('status', '=', sql.lit('active'))
      .as('installations'),
  ]),
);

/** From an index that has the sizes. What is being cleared away counts until it is gone. */
export const sumUploads = statement<object>()((q) =>
  q
    .selectFrom('attachments')
    .select([sql<number>`count(*)`.as('files'), sql<number | string>`coalesce(sum(size), 0)`.as('bytes')]),
);

/** Events that have no place yet: only PostgreSQL has such. */
export const waitingEvents = statement<object>()((q) => {
  const some = q
    .selectFrom('events')
    .select('created_at')
    .where('place', 'is', null)
    .limit(MOST_COUNTED)
    .as('some');
  return q
    .selectFrom(some)
    .select([sql<number>`count(*)`.as('waiting'), sql<number | null>`min(created_at)`.as('since')]);
});

/** Messages that wait to be indexed. Those that a transfer between databases has queued have no time. */
export const waitingForIndex = statement<object>()((q) =>
  q.selectNoFrom((eb) => [
    eb
      .selectFrom(eb.selectFrom('message_index_queue').select('message_id').limit(MOST_COUNTED).as('some'))
      .select(sql<number>`count(*)`.as('count'))
      .as('waiting'),
    eb
      .selectFrom(
        eb
          .selectFrom('message_index_queue')
          .select('queued_at')
          .where('queued_at', '>', 0)
          .limit(MOST_COUNTED)
          .as('timed'),
      )
      .select((some) => some.fn.min('queued_at').as('first'))
      .as('since'),
  ]),
);
