import { type RawBuilder, sql } from 'kysely';
import { type Dialect, type Reader, rawSelect } from '#platform/db/index.ts';
import { timeOf } from '#platform/ids.ts';
import { statement } from '#schema';
import { bothWays, endOf, inOrder, onward } from './direction.ts';

/** How far the clocks of two nodes may be apart. */
export const SKEW_MS = 10 * 60_000;

/** A walk through the streams of a user's teams. */
export interface Walk {
  readonly userId: string;
  /** The only team; undefined for all of them. */
  readonly teamId: string | undefined;
  /** All messages, those of others, or those that are unread. */
  readonly of: 'all' | 'others' | 'unread';
  readonly backwards: boolean;
  /** Begins behind this id. */
  readonly from: string;
  readonly limit: number;
}

/** A team's stream, as one of its members sees it. */
interface Stream {
  readonly team_id: string;
  readonly read_seq: number;
  /** Its next message, seen from where the walk is. */
  readonly nearest: string;
  /** Its first message beyond the cursor; null where that is of no interest. */
  readonly first_unread: string | null;
}

/** How many streams the first stride takes at least, and how many ids of each. */
const STREAMS = 50;
const IDS = 8;
const GROWTH = 4;

/**
 * The next ids of all streams together; there may be more of them than the limit. Only the streams whose next message
 * is near are read, and of those a few ids each: that is complete up to the first place where a stream that was left
 * out, or cut off, may go on. If it is too little, a longer stride begins there.
 */
export async function listOfStreams(db: Reader, walk: Walk): Promise<string[]> {
  const { backwards, limit } = walk;
  const compare = inOrder(backwards);
  const found: string[] = [];
  let { from } = walk;
  for (let stride = 1; ; stride *= GROWTH) {
    const most = stride * Math.max(limit, STREAMS);
    const streams = await nearestStreams(db, { ...walk, from, limit: most });
    const each = Math.min(limit, stride * Math.max(IDS, Math.ceil((2 * limit) / streams.length)));
    const leftOut = streams.length < most ? [] : streams.slice(-1).map(({ nearest }) => nearest);
    const lists = await readStreams(db, streams, { ...walk, from, limit: each }, leftOut[0]);
    const cutOff = lists.filter((ids) => ids.length === each).map((ids) => ids.at(-1) as string);
    const [end] = [...leftOut, ...cutOff].sort(compare);
    found.push(...lists.flat().filter((id) => end === undefined || compare(id, end) <= 0));
    if (end === undefined || found.length >= limit) return found;
    from = end;
  }
}

function nearestStreams(db: Reader, { backwards, of, teamId, ...walk }: Walk): Promise<Stream[]> {
  const statements = teamId === undefined ? nearestOfAll : nearestInOne;
  return statements(backwards)[of === 'unread' ? 'unread' : 'all'].all(db, { ...walk, teamId });
}

type NearestParams = Pick<Walk, 'userId' | 'teamId' | 'from' | 'limit'>;

/** Streams with messages in the direction of the walk, the nearest first. */
const nearest = (backwards: boolean, isUnread: boolean, isInOne: boolean) =>
  statement<NearestParams>()((q, p) => {
    const next = sql`SELECT id FROM messages WHERE team_id = memberships.team_id AND seq IS NOT NULL
      AND ${onward(backwards, 'id', { from: p.from, limit: 1 })}`;
    const order = backwards ? sql`nearest DESC NULLS LAST` : sql`nearest NULLS LAST`;
    const found = sql`SELECT memberships.team_id, memberships.read_seq, (${next}) AS nearest
      FROM memberships INNER JOIN teams ON teams.id = memberships.team_id
      WHERE memberships.user_id = ${p.userId} AND teams.active = 1
      ${isInOne ? sql`AND memberships.team_id = ${p.teamId}` : sql``}
      ${isUnread ? sql`AND teams.message_seq > memberships.read_seq` : sql``}
      ORDER BY ${order} LIMIT ${p.limit}`;
    const firstUnread = isUnread
      ? sql`(SELECT id FROM messages WHERE team_id = near.team_id AND seq = near.read_seq + 1)`
      : sql`NULL`;
    return rawSelect(
      q,
      sql<Stream>`SELECT near.team_id, near.read_seq, near.nearest, ${firstUnread} AS first_unread
        FROM (${found}) AS near WHERE near.nearest IS NOT NULL ORDER BY ${order}`,
    );
  });

const nearestBy = (isInOne: boolean) =>
  bothWays((backwards) => ({
    all: nearest(backwards, false, isInOne),
    unread: nearest(backwards, true, isInOne),
  }));
const nearestOfAll = nearestBy(false);
const nearestInOne = nearestBy(true);

/** @param end the last id to read; undefined for no end */
async function readStreams(
  db: Reader,
  streams: readonly Stream[],
  { userId, of, backwards, from, limit }: Walk,
  end = endOf(backwards),
): Promise<string[][]> {
  if (streams.length === 0) return [];
  const [low, high] = backwards ? [end, from] : [from, end];
  const stretches = streams.map(({ team_id, read_seq, first_unread }) => {
    // A walk through unread messages must not begin, or end, far below the cursor.
    const floor = first_unread === null ? low : earlierId(first_unread, SKEW_MS);
    return { team_id, read_seq, low: floor > low ? floor : low, high };
  });
  const rows = await nextIds(backwards)[of].all(db, { userId, stretches: JSON.stringify(stretches), limit });
  return rows.map(({ ids_json }) => JSON.parse(ids_json) as string[]);
}

/** An id of RFC 9562 §5.7 begins with its time. @returns the lowest one of a time so much earlier */
function earlierId(id: string, milliseconds: number): string {
  const time = timeOf(id) - milliseconds;
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

interface NextParams {
  readonly userId: string;
  /** JSON: for each stream its team, its cursor, and the ids between which it is read. */
  readonly stretches: string;
  /** Of each. */
  readonly limit: number;
}

/** The next ids of each stream, which meet a condition. */
const next = (backwards: boolean, condition: (p: NextParams) => RawBuilder<unknown>) =>
  statement<NextParams>()((q, p, dialect) => {
    const between = backwards
      ? sql`id >= stretch.low AND id < stretch.high`
      : sql`id > stretch.low AND id <= stretch.high`;
    const ids = sql`SELECT id FROM messages WHERE team_id = stretch.team_id AND seq IS NOT NULL AND ${between}
      ${condition(p)} ORDER BY id ${backwards ? sql`DESC` : sql``} LIMIT ${p.limit}`;
    return rawSelect(
      q,
      sql<{ ids_json: string }>`SELECT (SELECT ${jsonOf(dialect, sql`id`)} FROM (${ids}) AS page) AS ids_json
        FROM ${rowsOf(dialect, p.stretches)} AS stretch`,
    );
  });

const jsonOf = (dialect: Dialect, column: RawBuilder<unknown>) =>
  dialect === 'sqlite'
    ? sql`json_group_array(${column})`
    : sql`CAST(coalesce(json_agg(${column}), '[]') AS text)`;

const rowsOf = (dialect: Dialect, stretches: string) =>
  dialect === 'sqlite'
    ? sql`(SELECT value ->> 'team_id' AS team_id, value ->> 'read_seq' AS read_seq, value ->> 'low' AS low,
        value ->> 'high' AS high FROM json_each(${stretches}))`
    : sql`(SELECT * FROM json_to_recordset(CAST(${stretches} AS json))
        AS one (team_id uuid, read_seq bigint, low uuid, high uuid))`;

const nextIds = bothWays((backwards) => ({
  all: next(backwards, () => sql``),
  others: next(backwards, (p) => sql`AND author_id <> ${p.userId}`),
  unread: next(
    backwards,
    (p) => sql`AND seq > stretch.read_seq AND deleted_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM read_marks WHERE read_marks.user_id = ${p.userId}
        AND read_marks.team_id = messages.team_id AND read_marks.seq = messages.seq AND is_read = 1)`,
  ),
}));
