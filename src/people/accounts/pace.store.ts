import { sql } from 'kysely';
import { deletion, statement } from '#schema';

/** Returns no row if the next arrival would come too early. An arrival after `most` cannot be, and counts as `latest`. */
export const takeArrival = statement<{
  key: string;
  now: number;
  everyMs: number;
  first: number;
  latest: number;
  most: number;
}>()((q, p) =>
  q
    .insertInto('sign_in_pace')
    .values({ key: p.key, arrival_at: p.first })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          arrival_at: sql<number>`CASE WHEN sign_in_pace.arrival_at > ${p.most} THEN ${p.latest}
              WHEN sign_in_pace.arrival_at > ${p.now} THEN sign_in_pace.arrival_at ELSE ${p.now} END + ${p.everyMs}`,
        })
        .where((where) =>
          where.or([
            where('sign_in_pace.arrival_at', '<=', p.latest),
            where('sign_in_pace.arrival_at', '>', p.most),
          ]),
        ),
    )
    .returning('arrival_at'),
);

export const findArrival = statement<{ key: string }>()((q, p) =>
  q.selectFrom('sign_in_pace').select('arrival_at').where('key', '=', p.key),
);

export const giveBackArrival = statement<{ key: string; everyMs: number }>()((q, p) =>
  q
    .updateTable('sign_in_pace')
    .set({ arrival_at: sql<number>`arrival_at - ${p.everyMs}` })
    .where('key', '=', p.key),
);

export const purgePace = deletion('sign_in_pace')<{ now: number }>((rows, p) =>
  rows.where('arrival_at', '<=', p.now),
);
