import { type Kysely, sql } from 'kysely';
import { inIdList, type Tx, together } from '#platform/db/index.ts';
import { type EventRow, insertion, statement, type Tables } from '#schema';
import { teamsOf } from '../../teams/index.ts';
import { MOST_WATCHED, type NewEvent, type PlacedEvent } from './catalogue.ts';

/** Names the lock under which one node gives places while the others wait. Any constant would do. */
const PLACES_LOCK = 7_241_994;

const insertEvents = insertion('events')(['kind', 'audience', 'audience_id', 'data_json', 'created_at']);

export function insertEvent(tx: Tx, { kind, audience, data }: NewEvent, now: number): void {
  const [name, id] = Object.entries(audience)[0] as [EventRow['audience'], string];
  tx.gather(insertEvents, {
    kind,
    audience: name,
    audience_id: id,
    data_json: JSON.stringify(data),
    created_at: now,
  });
}

/** PostgreSQL only. A reader that has reached a place has seen all events before it: none can appear there later. */
export function givePlaces(tx: Tx): Promise<unknown> {
  return together([
    tx.all(`SELECT pg_advisory_xact_lock(${PLACES_LOCK})`, []),
    tx.all(
      `UPDATE events SET place = numbered.place FROM (
         SELECT id, (SELECT coalesce(max(place), 0) FROM events) + row_number() OVER (ORDER BY id) AS place
         FROM events WHERE place IS NULL
       ) AS numbered WHERE events.id = numbered.id`,
      [],
    ),
  ]);
}

export const findBounds = statement<object>()((q) =>
  q
    .selectFrom('events')
    .select([sql<number | null>`min(place)`.as('oldest'), sql<number | null>`max(place)`.as('newest')]),
);

export const listEvents = statement<{ after: number; limit: number }>()((q, p) =>
  q.selectFrom('events').selectAll().where('place', '>', p.after).orderBy('place').limit(p.limit),
);

/** The memberships of everybody in a user's teams. */
const companionsOf = (q: Kysely<Tables>, userId: string) =>
  q
    .selectFrom('memberships as theirs')
    .innerJoin('teams', 'teams.id', 'theirs.team_id')
    .where('theirs.team_id', 'in', teamsOf(q, userId));

/** The events between two places that one user gets. */
export const listEventsFor = statement<{ userId: string; after: number; upTo: number; limit: number }>()(
  (q, p) =>
    q
      .selectFrom('events')
      .selectAll()
      .where('place', '>', p.after)
      .where('place', '<=', p.upTo)
      .where((eb) =>
        eb.or([
          eb.and([eb('audience', '=', 'team'), eb('audience_id', 'in', teamsOf(q, p.userId))]),
          // A team's members also learn that it was closed.
          eb.and([
            eb('audience', '=', 'team'),
            eb('kind', '=', 'team.updated'),
            eb(
              'audience_id',
              'in',
              q.selectFrom('memberships').select('team_id').where('user_id', '=', p.userId),
            ),
          ]),
          eb.and([eb('audience', '=', 'user'), eb('audience_id', '=', p.userId)]),
          eb.and([eb('audience', '=', 'connectionsOf'), eb('audience_id', '=', p.userId)]),
          // Most events are presence. One subquery finds all people whose presence the user sees, instead of one for each event.
          eb.and([
            eb('audience', '=', 'connectionsOf'),
            eb('kind', '=', 'presence'),
            eb(
              'audience_id',
              'in',
              companionsOf(q, p.userId)
                .select('theirs.user_id')
                .where('teams.num_members', '<=', MOST_WATCHED),
            ),
          ]),
          eb.and([
            eb('audience', '=', 'connectionsOf'),
            eb('kind', '<>', 'presence'),
            eb.exists(
              companionsOf(q, p.userId)
                .select('theirs.user_id')
                .where(sql<boolean>`theirs.user_id = events.audience_id`),
            ),
          ]),
        ]),
      )
      .orderBy('place')
      .limit(p.limit),
);

export const listMembersAmong = statement<{ teamId: string; userIds: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('memberships')
    .select('user_id')
    .where('team_id', '=', p.teamId)
    .where(inIdList(dialect, 'user_id', p.userIds)),
);

/** The newest event stays: it determines the next place. */
export const purgeEvents = statement<{ before: number }>()((q, p) =>
  q
    .deleteFrom('events')
    .where('created_at', '<', p.before)
    .where('place', '<', q.selectFrom('events').select(sql<number>`max(place)`.as('newest'))),
);

export function placed(row: EventRow): PlacedEvent {
  return {
    place: row.place,
    kind: row.kind,
    audience: { [row.audience]: row.audience_id },
    data: JSON.parse(row.data_json),
  } as unknown as PlacedEvent;
}
