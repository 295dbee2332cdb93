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
    for (const id of lists.flat()) if (end === undefined || compare(id, end) <= 0) found.push(id);
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
      AND ${onward(backwards, 'id', { from: p.from, limit: sql`1` })}`;
    const order = backwards ? sql`nearest DESC NULLS LAST` : sql`nearest NULLS LAST`;
    const found = sql`SELECT memberships.team_id, ${isUnread ? sql`memberships.read_seq, ` : sql``}(${next}) AS nearest
      FROM memberships INNER JOIN teams ON teams.id = memberships.team_id
      WHERE memberships.user_id = ${p.userId} AND teams.active = 1
      ${isInOne ? sql`AND memberships.team_id = ${p.teamId}` : sql``}
      ${isUnread ? sql`AND teams.message_seq > memberships.read_seq + memberships.subjects_read` : sql``}
      ORDER BY ${order} LIMIT ${p.limit}`;
    const firstUnread = isUnread
      ? sql`(SELECT id FROM messages WHERE team_id = near.team_id AND seq = near.read_seq + 1)`
      : sql`NULL`;
    return rawSelect(
      q,
      sql<Stream>`SELECT near.team_id, near.nearest, ${firstUnread} AS first_unread
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
  // A walk through unread messages must not begin, or end, far below the cursor.
  const floors = streams.map(({ team_id, first_unread }) => {
    const floor = first_unread === null ? low : earlierId(first_unread, SKEW_MS);
    return [team_id, floor > low ? floor : low];
  });
  const lows = JSON.stringify(Object.fromEntries(floors));
  const row = await nextIds(backwards)[of].first(db, { userId, lows, high, limit });
  return JSON.parse(row?.lists_json ?? '[]') as string[][];
}

/** An id of RFC 9562 §5.7 begins with its time. @returns the lowest one of a time so much earlier */
function earlierId(id: string, milliseconds: number): string {
  const time = timeOf(id) - milliseconds;
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

interface NextParams {
  readonly userId: string;
  /** JSON: by the team of each stream, the id above which it is read. */
  readonly lows: string;
  readonly high: string;
  /** Of each. */
  readonly limit: number;
}

/** A list for each stream: its next ids which meet a condition. */
const next = (backwards: boolean, condition: (p: NextParams) => RawBuilder<unknown>) =>
  statement<NextParams>()((q, p, dialect) => {
    const between = backwards
      ? sql`id >= stream.low AND id < ${p.high} ${condition(p)} ORDER BY id DESC`
      : sql`id > stream.low AND id <= ${p.high} ${condition(p)} ORDER BY id`;
    const ids = sql`SELECT id FROM messages WHERE team_id = stream.team_id AND seq IS NOT NULL AND ${between}
      LIMIT ${p.limit}`;
    const lists = listsOf[dialect](sql`FROM (${ids}) AS page`, p.lows);
    return rawSelect(q, sql<{ lists_json: string }>`SELECT ${lists}`);
  });

/** Gives what a select finds for each stream as JSON. */
const listsOf: Record<Dialect, (ids: RawBuilder<unknown>, lows: string) => RawBuilder<unknown>> = {
  sqlite: (ids, lows) => sql`json_group_array(json((SELECT json_group_array(id) ${ids}))) AS lists_json
    FROM (SELECT key AS team_id, value AS low FROM json_each(${lows})) AS stream`,
  postgres: (
    ids,
    lows,
  ) => sql`CAST(json_agg((SELECT coalesce(json_agg(id), '[]') ${ids})) AS text) AS lists_json
    FROM (SELECT CAST(key AS uuid) AS team_id, CAST(value AS uuid) AS low
      FROM json_each_text(CAST(${lows} AS json))) AS stream`,
};

const nextIds = bothWays((backwards) => ({
  all: next(backwards, () => sql``),
  others: next(backwards, (p) => sql`AND author_id <> ${p.userId}`),
  // Most of a stream may have been read in subjects alone: one look passes over it.
  unread: next(
    backwards,
    (p) => sql`AND (subject_id IS NULL OR NOT EXISTS (SELECT 1 FROM subject_cursors
        WHERE subject_cursors.user_id = ${p.userId} AND subject_cursors.team_id = stream.team_id
        AND subject_cursors.subject_id = messages.subject_id AND subject_cursors.read_seq >= messages.seq))
      AND deleted_at IS NULL AND seq > (SELECT memberships.read_seq FROM memberships
        WHERE memberships.team_id = stream.team_id AND memberships.user_id = ${p.userId})
      AND NOT EXISTS (SELECT 1 FROM read_marks WHERE read_marks.user_id = ${p.userId}
        AND read_marks.team_id = messages.team_id AND read_marks.seq = messages.seq AND is_read = 1)`,
  ),
}));
