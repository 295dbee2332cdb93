import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '#api';
import { type Reader, rawSelect } from '#platform/db/index.ts';
import { LOWEST_ID, timeOf } from '#platform/ids.ts';
import { query, statement } from '#schema';
import { listCursors } from '../../../teams/index.ts';
import type { MessageTag } from '../view/message.schema.ts';

/** The messages that a viewer wants to see. */
export interface MessageFilter {
  readonly viewer: Viewer;
  /** Of this team only; the viewer is in it. */
  readonly teamId: string | undefined;
  readonly tag: MessageTag | undefined;
}

/** The only team whose messages are wanted; null for none, undefined for all teams of the user. */
export const onlyTeam = ({ teamId, viewer }: MessageFilter): string | null | undefined =>
  teamId ?? viewer.reach?.teamId;

export const reachesDirect = ({ reach }: Viewer): boolean => reach?.direct !== false;

/** A stretch of a list. */
export interface Stretch extends MessageFilter {
  /** Towards older messages, rather than towards newer ones. */
  readonly backwards: boolean;
  /** Begins behind this id, seen in that direction; else with the very first. */
  readonly from: string | undefined;
  readonly limit: number;
}

interface Cursor {
  readonly team_id: string;
  readonly read_seq: number;
  readonly message_seq: number;
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** SQLite joins at most 500 selects. */
const TEAMS_AT_ONCE = 100;
/** How far the clocks of two nodes may be apart. */
export const SKEW_MS = 10 * 60_000;

/**
 * The ids of what opens a conversation, in the direction asked for. Each team and each kind of direct message gives its
 * own next ones from an index, and these are merged: what a list costs depends on the page, not on how much there is.
 */
export async function listIds(db: Reader, filter: Stretch): Promise<string[]> {
  const { teamId, tag, backwards, limit } = filter;
  if (teamId !== undefined && tag === undefined) {
    const from = filter.from ?? (backwards ? HIGHEST_ID : LOWEST_ID);
    const rows = await (backwards ? olderOfTeam : newerOfTeam).all(db, { teamId, from, limit });
    return rows.map(({ id }) => id);
  }
  const sources = [...(await teamSources(db, filter)), ...directSources(filter)];
  const found: string[] = [];
  for (let from = 0; from < sources.length; from += TEAMS_AT_ONCE) {
    const some = sources.slice(from, from + TEAMS_AT_ONCE);
    const union = sql<{ id: string }>`${sql.join(some, sql` UNION ALL `)}`;
    found.push(...(await query(db, (q) => rawSelect(q, union))).map(({ id }) => id));
  }
  const inOrder = [...new Set(found)].sort();
  return (filter.backwards ? inOrder.reverse() : inOrder).slice(0, filter.limit);
}

/** All messages of a team: the most frequent list, so it stays prepared. The caller is in the team. */
const olderOfTeam = statement<{ teamId: string; from: string; limit: number }>()((q, p) =>
  q
    .selectFrom('messages')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('seq', 'is not', null)
    .where('id', '<', p.from)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const newerOfTeam = statement<{ teamId: string; from: string; limit: number }>()((q, p) =>
  q
    .selectFrom('messages')
    .select('id')
    .where('team_id', '=', p.teamId)
    .where('seq', 'is not', null)
    .where('id', '>', p.from)
    .orderBy('id')
    .limit(p.limit),
);

/** How far a user has read in one team; no row for a user who is not in it. */
export const findCursor = statement<{ userId: string; teamId: string }>()((q, p) =>
  q
    .selectFrom('memberships')
    .innerJoin('teams', 'teams.id', 'memberships.team_id')
    .select(['memberships.team_id', 'memberships.read_seq', 'teams.message_seq'])
    .where('memberships.team_id', '=', p.teamId)
    .where('memberships.user_id', '=', p.userId)
    .where('teams.active', '=', 1),
);

async function teamSources(db: Reader, filter: Stretch): Promise<RawBuilder<unknown>[]> {
  const { tag } = filter;
  const { userId } = filter.viewer;
  const teamId = onlyTeam(filter);
  if (tag === '_direct' || tag === '_sent' || teamId === null) return [];
  const wanted: readonly Cursor[] = await (teamId === undefined
    ? listCursors.all(db, { userId })
    : findCursor.all(db, { userId, teamId }));
  if (tag !== '_unread') {
    const received = tag === '_inbox' ? sql`AND author_id <> ${userId}` : sql``;
    return wanted.map((cursor) => nextOf(filter, sql`team_id = ${cursor.team_id} ${received}`));
  }
  const beyond = await Promise.all(
    wanted
      .filter((cursor) => cursor.message_seq > cursor.read_seq)
      .map((cursor) => beyondCursor(db, filter, cursor)),
  );
  return [...beyond, markedUnread(filter)];
}

/** @param condition on messages that have a place in a team's stream */
const nextOf = (filter: Stretch, condition: RawBuilder<unknown>) =>
  page(sql`SELECT id FROM messages WHERE seq IS NOT NULL AND ${condition} AND ${onward(filter, 'id')}`);

/** The last condition of a select, its order and its limit. */
function onward({ backwards, from, limit }: Stretch, name: 'id' | 'message_id'): RawBuilder<unknown> {
  const column = sql.ref(name);
  return backwards
    ? sql`${column} < ${from ?? HIGHEST_ID} ORDER BY ${column} DESC LIMIT ${limit}`
    : sql`${column} > ${from ?? LOWEST_ID} ORDER BY ${column} LIMIT ${limit}`;
}

/** PostgreSQL wants a name for it, and SQLite wants it for a LIMIT of its own. */
const page = (select: RawBuilder<unknown>) => sql`SELECT id FROM (${select}) AS source`;

/** Beyond the cursor and not marked read. A walk along the index must not begin, or end, far below the cursor. */
async function beyondCursor(db: Reader, filter: Stretch, cursor: Cursor): Promise<RawBuilder<unknown>> {
  const { team_id: teamId, read_seq: readSeq } = cursor;
  const first = await messageAt.first(db, { teamId, seq: readSeq + 1 });
  return nextOf(
    filter,
    sql`team_id = ${teamId} AND seq > ${readSeq} AND deleted_at IS NULL AND id >= ${earlierId(first?.id ?? HIGHEST_ID, SKEW_MS)}
      AND NOT EXISTS (SELECT 1 FROM read_marks WHERE read_marks.user_id = ${filter.viewer.userId}
        AND read_marks.team_id = messages.team_id AND read_marks.seq = messages.seq AND is_read = 1)`,
  );
}

/** An id of RFC 9562 §5.7 begins with its time. @returns the lowest one of a time so much earlier */
function earlierId(id: string, milliseconds: number): string {
  const time = timeOf(id) - milliseconds;
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

const messageAt = statement<{ teamId: string; seq: number }>()((q, p) =>
  q.selectFrom('messages').select('id').where('team_id', '=', p.teamId).where('seq', '=', p.seq),
);

function markedUnread(filter: Stretch): RawBuilder<unknown> {
  const teamId = onlyTeam(filter);
  const inTeam = teamId === undefined ? sql`` : sql`AND read_marks.team_id = ${teamId}`;
  return page(sql`SELECT message_id AS id FROM read_marks
    WHERE user_id = ${filter.viewer.userId} AND is_read = 0 ${inTeam}
    AND EXISTS (SELECT 1 FROM teams WHERE teams.id = read_marks.team_id AND teams.active = 1)
    AND ${onward(filter, 'message_id')}`);
}

function directSources(filter: Stretch): RawBuilder<unknown>[] {
  const { tag, teamId, viewer } = filter;
  if (tag === '_sent') return [sent(filter)];
  if (teamId !== undefined || !reachesDirect(viewer)) return [];
  if (tag === '_unread') return [addressed(filter, sql`AND read_at IS NULL`), sentUnread(filter)];
  if (tag === undefined) return [addressed(filter, sql``), sentDirect(filter)];
  return [addressed(filter, sql``)];
}

const addressed = (filter: Stretch, condition: RawBuilder<unknown>) =>
  page(sql`SELECT message_id AS id FROM message_recipients
    WHERE user_id = ${filter.viewer.userId} ${condition} AND ${onward(filter, 'message_id')}`);

const opens = sql`root_id IS NULL AND sidebar_id IS NULL`;

function sent(filter: Stretch) {
  const { viewer } = filter;
  const teamId = onlyTeam(filter);
  const isDirect = sql`team_id IS NULL`;
  const inTeams = teamId === undefined ? sql`team_id IN (${mine(viewer.userId)})` : sql`team_id = ${teamId}`;
  const withDirect = filter.teamId === undefined && reachesDirect(viewer);
  const where = teamId === null ? isDirect : withDirect ? sql`(${isDirect} OR ${inTeams})` : inTeams;
  return page(sql`SELECT id FROM messages WHERE author_id = ${viewer.userId} AND ${opens} AND ${where}
    AND ${onward(filter, 'id')}`);
}

const mine = (viewerId: string) => sql`SELECT memberships.team_id FROM memberships
  INNER JOIN teams ON teams.id = memberships.team_id
  WHERE memberships.user_id = ${viewerId} AND teams.active = 1`;

const sentDirect = (filter: Stretch) =>
  page(sql`SELECT id FROM messages WHERE author_id = ${filter.viewer.userId} AND ${opens} AND team_id IS NULL
    AND ${onward(filter, 'id')}`);

const sentUnread = (filter: Stretch) =>
  page(sql`SELECT message_id AS id FROM message_states WHERE user_id = ${filter.viewer.userId} AND is_unread = 1
    AND EXISTS (SELECT 1 FROM messages WHERE messages.id = message_states.message_id AND messages.team_id IS NULL
      AND messages.deleted_at IS NULL)
    AND ${onward(filter, 'message_id')}`);
