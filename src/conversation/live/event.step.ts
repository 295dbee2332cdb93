import { sql } from 'kysely';
import { statement } from '#schema';
import type { Step } from '../../stewardship/erasure/index.ts';

/** Events that are looked at in one batch; most concern others and stay. */
const RANGE = 3000;

const endOfRange = statement<{ after: number; limit: number }>()((q, p) =>
  q
    .selectFrom(
      q
        .selectFrom('events')
        .select('place')
        .where('place', '>', p.after)
        .orderBy('place')
        .limit(p.limit)
        .as('some'),
    )
    .select([sql<number | null>`max(place)`.as('last'), sql<number>`count(*)`.as('events')]),
);

/** Keeps the newest event of all, which determines the next place. */
const deleteEvents = statement<{ userId: string; after: number; last: number }>()((q, p) =>
  q
    .deleteFrom('events')
    .where('place', '>', p.after)
    .where('place', '<=', p.last)
    .where('place', '<', q.selectFrom('events').select(sql<number>`max(place)`.as('newest')))
    .where((eb) =>
      eb.or([
        eb('audience_id', '=', p.userId),
        eb.and([
          eb('kind', 'in', ['click', 'direct']),
          sql<boolean>`data_json LIKE '%"user":"' || ${p.userId} || '"%'`,
        ]),
      ]),
    ),
);

/** Deletes the events that only one person got, and what tells applications what they pressed, chose and wrote. Other events of teams hold ids alone, and expire. */
export const eraseEvents: Step = {
  erase: async (tx, userId, place) => {
    const after = Number(place) || 0;
    const range = await endOfRange.first(tx, { after, limit: RANGE });
    if (!range || range.last === null) return undefined;
    await deleteEvents.run(tx, { userId, after, last: range.last });
    return Number(range.events) < RANGE ? undefined : String(range.last);
  },
};
