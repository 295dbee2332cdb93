import { sql } from 'kysely';
import { statement } from '#schema';
import type { Step } from './step.ts';

/** A stretch of the log of events, of which most concern others and stay. */
const STRETCH = 3000;

const endOfStretch = statement<{ after: number; limit: number }>()((q, p) =>
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

/** The newest of all stays: it tells which place is next. */
const deleteEvents = statement<{ userId: string; after: number; last: number }>()((q, p) =>
  q
    .deleteFrom('events')
    .where('place', '>', p.after)
    .where('place', '<=', p.last)
    .where('place', '<', q.selectFrom('events').select(sql<number>`max(place)`.as('newest')))
    .where('audience_id', '=', p.userId),
);

/** What only one person was told, or others of their coming and going. Events of teams are gone long before the team. */
export const eraseEvents: Step = {
  erase: async (tx, userId, place) => {
    const after = Number(place) || 0;
    const stretch = await endOfStretch.first(tx, { after, limit: STRETCH });
    if (!stretch || stretch.last === null) return undefined;
    await deleteEvents.run(tx, { userId, after, last: stretch.last });
    return Number(stretch.events) < STRETCH ? undefined : String(stretch.last);
  },
};
