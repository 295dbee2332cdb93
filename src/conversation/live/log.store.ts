import { sql } from 'kysely';
import { inIdList, inTextList, inTimeList } from '#platform/db/index.ts';
import { statement } from '#schema';

/** How long a transaction may last between the time of its event and the place that its commit gets. */
const LONGEST_WRITE_MS = 60_000;

/** Events of one team after a place, up to another one, in their order. */
export const listEventsOfTeam = statement<{ teamId: string; after: number; upTo: number; limit: number }>()(
  (q, p) =>
    q
      .selectFrom('events')
      .selectAll()
      .where('audience', '=', sql.lit('team'))
      .where('audience_id', '=', p.teamId)
      .where('place', '>', p.after)
      .where('place', '<=', p.upTo)
      .orderBy('place')
      .limit(p.limit),
);

/** An id is the first field of a click's data. What follows it is long. */
const CLICK_ID = sql<string>`substr(data_json, ${sql.lit('{"id":"'.length + 1)}, 36)`;

/** Which of some clicks of a team have a place in a range. */
export const listClicks = statement<{
  ids: readonly string[];
  teamId: string;
  after: number;
  upTo: number;
}>()((q, p, dialect) =>
  q
    .selectFrom('events')
    .select(CLICK_ID.as('id'))
    .where('audience', '=', sql.lit('team'))
    .where('audience_id', '=', p.teamId)
    .where('place', '>', p.after)
    .where('place', '<=', p.upTo)
    .where('kind', '=', sql.lit('click'))
    .where(inTextList(dialect, CLICK_ID, p.ids)),
);

/** The same for several teams. */
export const listEventsOfTeams = statement<{
  teamIds: readonly string[];
  after: number;
  upTo: number;
  limit: number;
}>()((q, p, dialect) =>
  q
    .selectFrom('events')
    .selectAll()
    .where('audience', '=', sql.lit('team'))
    .where(inIdList(dialect, 'audience_id', p.teamIds))
    .where('place', '>', p.after)
    .where('place', '<=', p.upTo)
    .orderBy('place')
    .limit(p.limit),
);

/** Which of some teams have events in a range. */
export const listTeamsWithEvents = statement<{ teamIds: readonly string[]; after: number; upTo: number }>()(
  (q, p, dialect) =>
    q
      .selectFrom('events')
      .select('audience_id')
      .distinct()
      .where('audience', '=', sql.lit('team'))
      .where(inIdList(dialect, 'audience_id', p.teamIds))
      .where('place', '>', p.after)
      .where('place', '<=', p.upTo),
);

/**
 * The teams that have events in a range, each with the place of its last one. `+` keeps SQLite from the index of all teams'
 * events, which has the order of the groups and would be read whole, to the places of the range.
 */
export const listNews = statement<{ after: number; upTo: number }>()((q, p, dialect) =>
  q
    .selectFrom('events')
    .select(['audience_id as team_id', sql<number>`max(place)`.as('place')])
    .where(dialect === 'sqlite' ? sql<boolean>`+audience = 'team'` : sql<boolean>`audience = 'team'`)
    .where('place', '>', p.after)
    .where('place', '<=', p.upTo)
    .groupBy('audience_id'),
);

/**
 * Events of teams that were written at these times. `+` keeps SQLite from the index of the teams' events to that of
 * times.
 */
export const listEventsAt = statement<{ times: readonly number[] }>()((q, p, dialect) =>
  q
    .selectFrom('events')
    .selectAll()
    .where(dialect === 'sqlite' ? sql<boolean>`+audience = 'team'` : sql<boolean>`audience = 'team'`)
    .where(inTimeList(dialect, 'created_at', p.times))
    .where('place', 'is not', null),
);

/** The lowest place of what was written since a time; null when nothing was. */
export const findPlaceSince = statement<{ time: number }>()((q, p) =>
  q
    .selectFrom('events')
    .select(sql<number | null>`min(place)`.as('place'))
    .where('created_at', '>=', p.time)
    .where(
      'created_at',
      '<=',
      sql<number>`(SELECT min(created_at) + ${sql.lit(LONGEST_WRITE_MS)} FROM events WHERE created_at >= ${p.time})`,
    ),
);
