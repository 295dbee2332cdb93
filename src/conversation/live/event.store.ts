import { type Kysely, sql } from 'kysely';
import { gathering, inFoundIds, inIdList, type Reader, type Tx, together } from '#platform/db/index.ts';
import { deletion, type EventRow, insertion, statement, type Tables } from '#schema';
import { teamsOf } from '../../teams/index.ts';
import { MOST_WATCHED, type NewEvent, type PlacedEvent, WATCHED } from './catalogue.ts';

/** Names the lock under which one node gives places while the others wait. Any constant would do. */
const PLACES_LOCK = 7_241_994;

const PLACES = 'events, placed';

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

/** Gives all events that have none a place. */
const givePlaces = (condition: string) => `UPDATE events SET place = numbered.place FROM (
    SELECT id, (SELECT coalesce(max(place), 0) FROM events) + row_number() OVER (ORDER BY id) AS place
    FROM events WHERE place IS NULL AND ${condition}
  ) AS numbered WHERE events.id = numbered.id`;

/**
 * PostgreSQL only. A reader that has reached a place has seen all events before it: none can appear there later. NOTIFY takes
 * a lock of the whole server at commit, so it stands only in transactions with this lock.
 */
export const placing = gathering(
  PLACES,
  (tx: Tx, [channel]: readonly string[]) =>
    together([
      tx.all(`SELECT pg_advisory_xact_lock(${PLACES_LOCK})`, []),
      tx.all(givePlaces('true'), []),
      tx.all(`NOTIFY ${channel}`, []),
    ]),
  'last',
);

/** A transaction that may give places to its events itself. */
export interface Attempt {
  readonly channel: string;
  /** Set before the effects of the commit; it stays false where another transaction was giving places. */
  isPlaced: boolean;
}

/** With more events, giving their places in the same transaction would lengthen the wait for its locks. */
const FEW = 8;

const HAS_LOCK = `current_setting('parley.gives_places') = 'true'`;

/** The same in the transaction that stores the events, as far as no other transaction gives places: this one waits for none. */
export const placingAtOnce = gathering(
  PLACES,
  async (tx: Tx, attempts: readonly Attempt[]) => {
    const [[locked]] = await together([
      tx.all<{ gives: string }>(
        `SELECT set_config('parley.gives_places', CASE WHEN CAST($1 AS integer) > ${FEW} THEN 'false'
           ELSE pg_try_advisory_xact_lock(${PLACES_LOCK})::text END, true) AS gives`,
        [attempts.length],
      ),
      tx.all(givePlaces(HAS_LOCK), []),
      tx.all(`SELECT pg_notify($1, '') WHERE ${HAS_LOCK}`, [attempts[0]?.channel]),
    ]);
    for (const attempt of attempts) attempt.isPlaced = locked?.gives === 'true';
  },
  'last',
);

/** PostgreSQL only. Tells the listeners of all nodes something of at most 8000 bytes, which is stored nowhere. */
export const notify = (tx: Tx, channel: string, said: string): Promise<unknown> =>
  tx.all('SELECT pg_notify($1, $2)', [channel, said]);

/** PostgreSQL only. */
export const findUnplaced = statement<object>()((q) =>
  q.selectFrom('events').select('kind').where('place', 'is', null).limit(1),
);

/** Two questions, since SQLite reads the whole table to answer both in one. */
export const findBounds = statement<object>()((q) =>
  q.selectNoFrom((eb) => [
    eb.selectFrom('events').select(sql<number | null>`min(place)`.as('place')).as('oldest'),
    eb.selectFrom('events').select(sql<number | null>`max(place)`.as('place')).as('newest'),
  ]),
);

export const listEvents = statement<{ after: number; limit: number }>()((q, p) =>
  q.selectFrom('events').selectAll().where('place', '>', p.after).orderBy('place').limit(p.limit),
);

/** The events of one user after a place, up to another one, in their order. */
export async function listEventsFor(db: Reader, missed: Missed): Promise<EventRow[]> {
  const found = await together([
    listOfTeams.all(db, missed),
    listOfUser.all(db, missed),
    listOfConnections.all(db, missed),
  ]);
  return found
    .flat()
    .sort((one, other) => one.place - other.place)
    .slice(0, missed.limit);
}

interface Missed {
  readonly userId: string;
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Each audience has an index of its own, whose condition a parameter would not prove. */
const missedOf = (q: Kysely<Tables>, p: Missed, audience: EventRow['audience']) =>
  q
    .selectFrom('events')
    .selectAll()
    .where('audience', '=', sql.lit(audience))
    .where('place', '>', p.after)
    .where('place', '<=', p.upTo)
    .orderBy('place')
    .limit(p.limit);

const listOfTeams = statement<Missed>()((q, p, dialect) => {
  const all = q.selectFrom('memberships').select('team_id').where('user_id', '=', p.userId);
  return (
    missedOf(q, p, 'team')
      .where(inFoundIds(dialect, 'audience_id', all.$asScalar()))
      // A team's members also learn that it was closed.
      .where((eb) => eb.or([eb('kind', '=', 'team.updated'), eb('audience_id', 'in', teamsOf(q, p.userId))]))
  );
});

const listOfUser = statement<Missed>()((q, p) => missedOf(q, p, 'user').where('audience_id', '=', p.userId));

/** The memberships of everybody in a user's teams. */
const companionsOf = (q: Kysely<Tables>, userId: string) =>
  q
    .selectFrom('memberships as theirs')
    .innerJoin('teams', 'teams.id', 'theirs.team_id')
    .select('theirs.user_id')
    .where('theirs.team_id', 'in', teamsOf(q, userId));

const listOfConnections = statement<Missed>()((q, p) =>
  missedOf(q, p, 'connectionsOf').where((eb) =>
    eb.or([
      eb('audience_id', '=', p.userId),
      // Most are presence. One subquery finds all people whose presence the user sees, instead of one for each event.
      eb.and([
        eb('kind', 'in', WATCHED),
        eb('audience_id', 'in', companionsOf(q, p.userId).where('teams.num_members', '<=', MOST_WATCHED)),
      ]),
      eb.and([
        eb('kind', 'not in', WATCHED),
        eb.exists(companionsOf(q, p.userId).where(sql<boolean>`theirs.user_id = events.audience_id`)),
      ]),
    ]),
  ),
);

export const listMembersAmong = statement<{ teamId: string; userIds: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('memberships')
    .select('user_id')
    .where('team_id', '=', p.teamId)
    .where(inIdList(dialect, 'user_id', p.userIds)),
);

/** The newest event stays: it determines the next place. */
export const purgeEvents = deletion('events')<{ before: number }>((rows, p) =>
  rows
    .where('created_at', '<', p.before)
    .where('place', '<', (eb) => eb.selectFrom('events').select(sql<number>`max(place)`.as('newest'))),
);

export function placed(row: EventRow): PlacedEvent {
  return {
    place: row.place,
    kind: row.kind,
    audience: { [row.audience]: row.audience_id },
    data: JSON.parse(row.data_json),
  } as unknown as PlacedEvent;
}
