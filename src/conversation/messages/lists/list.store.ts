import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '#api';
import { type Reader, rawSelect } from '#platform/db/index.ts';
import { query, statement } from '#schema';
import type { MessageTag } from '../view/message.schema.ts';
import type { People } from '../view/people.ts';
import { bothWays, inOrder, onward, startOf } from './direction.ts';
import { listOfStreams } from './streams.store.ts';

interface Listed {
  readonly id: string;
}

/** The messages that a viewer wants to see. */
export interface MessageFilter {
  readonly viewer: Viewer;
  /** Of this team only; the viewer is in it. */
  readonly teamId: string | undefined;
  /** Of this subject only, which is one of that team. */
  readonly subjectId?: string | undefined;
  readonly tag: MessageTag | undefined;
  /** Of these direct messages only; the viewer takes part. */
  readonly conversation: People | undefined;
}

/** The only team whose messages are wanted; null for none, undefined for all teams of the user. */
export const onlyTeam = ({ teamId, viewer }: MessageFilter): string | null | undefined =>
  teamId ?? viewer.reach?.teamId;

export const reachesDirect = ({ reach }: Viewer): boolean =>
  reach?.direct !== false || reach.withPeople !== undefined;

/** A stretch of a list. */
export interface Stretch extends MessageFilter {
  /** Towards older messages, rather than towards newer ones. */
  readonly backwards: boolean;
  /** Begins behind this id, seen in that direction; else with the very first. */
  readonly from: string | undefined;
  readonly limit: number;
}

/**
 * The ids of what opens a conversation, in the direction asked for. The teams' streams and each kind of direct message
 * give their own next ones from an index, and these are merged: what a list costs depends on the page, not on how much
 * there is.
 */
export async function listIds(db: Reader, stretch: Stretch): Promise<string[]> {
  const {
    teamId,
    subjectId,
    tag,
    conversation,
    viewer,
    backwards,
    limit,
    from = startOf(backwards),
  } = stretch;
  if (conversation !== undefined) {
    if (!reachesDirect(viewer)) return [];
    const rows = await allOfConversation(backwards).all(db, { conversationId: conversation.id, from, limit });
    return rows.map(({ id }) => id);
  }
  if (subjectId !== undefined) {
    const rows = await allOfSubject(backwards).all(db, { subjectId, from, limit });
    return rows.map(({ id }) => id);
  }
  if (teamId !== undefined && tag === undefined) {
    const rows = await allOfTeam(backwards).all(db, { teamId, from, limit });
    return rows.map(({ id }) => id);
  }
  const found = await Promise.all([ofTeams(db, stretch, from), besides(db, stretch, from)]);
  return [...new Set(found.flat())].sort(inOrder(backwards)).slice(0, limit);
}

/** All messages of a team: the most frequent list. The caller is in the team. */
const allOfTeam = bothWays((backwards) =>
  statement<{ teamId: string; from: string; limit: number }>()((q, p) =>
    rawSelect(
      q,
      sql<Listed>`SELECT id FROM messages WHERE team_id = ${p.teamId} AND seq IS NOT NULL
        AND ${onward(backwards, 'id', p)}`,
    ),
  ),
);

/** The caller is in its team. */
const allOfSubject = bothWays((backwards) =>
  statement<{ subjectId: string; from: string; limit: number }>()((q, p) =>
    rawSelect(
      q,
      sql<Listed>`SELECT id FROM messages WHERE subject_id = ${p.subjectId} AND ${onward(backwards, 'id', p)}`,
    ),
  ),
);

const allOfConversation = bothWays((backwards) =>
  statement<{ conversationId: string; from: string; limit: number }>()((q, p) =>
    rawSelect(
      q,
      sql<Listed>`SELECT id FROM messages WHERE conversation_id = ${p.conversationId}
        AND ${onward(backwards, 'id', p)}`,
    ),
  ),
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

async function ofTeams(db: Reader, stretch: Stretch, from: string): Promise<string[]> {
  const { tag, viewer, backwards, limit } = stretch;
  const teamId = onlyTeam(stretch);
  if (tag === '_direct' || tag === '_sent' || teamId === null) return [];
  const of = tag === '_unread' ? 'unread' : tag === '_inbox' ? 'others' : 'all';
  return listOfStreams(db, { userId: viewer.userId, teamId, of, backwards, from, limit });
}

/** The part of a list that is not in streams of teams: direct messages, and messages that were marked as unread. */
async function besides(db: Reader, stretch: Stretch, from: string): Promise<string[]> {
  const { tag, teamId, viewer, backwards, limit } = stretch;
  const direct = teamId === undefined && reachesDirect(viewer);
  if (tag === '_sent') return sent(db, stretch, { direct, from });
  if (!direct && tag !== '_unread') return [];
  const within = onlyTeam(stretch);
  const sources = tag === '_unread' && within === null ? '_unread_direct' : (tag ?? 'all');
  const rows = await besidesOf[sources](backwards).all(db, {
    userId: viewer.userId,
    teamId: within ?? null,
    direct: Number(direct),
    from,
    limit,
  });
  return rows.map(({ id }) => id);
}

interface BesidesParams {
  readonly userId: string;
  /** Of messages that were marked as unread; null for all teams. */
  readonly teamId: string | null;
  readonly direct: number;
  readonly from: string;
  readonly limit: number;
}

/** The next of each source. PostgreSQL wants a name for it, and SQLite wants it for a LIMIT of its own. */
const unionOf = (...sources: ((backwards: boolean, p: BesidesParams) => RawBuilder<unknown>)[]) =>
  bothWays((backwards) =>
    statement<BesidesParams>()((q, p) => {
      const selects = sources.map((source) => sql`SELECT id FROM (${source(backwards, p)}) AS source`);
      return rawSelect(q, sql<Listed>`${sql.join(selects, sql` UNION ALL `)}`);
    }),
  );

const addressed = (
  backwards: boolean,
  p: BesidesParams,
) => sql`SELECT message_id AS id FROM message_recipients
  WHERE user_id = ${p.userId} AND ${onward(backwards, 'message_id', p)}`;

const addressedUnread = (backwards: boolean, p: BesidesParams) => sql`SELECT message_id AS id
  FROM message_recipients WHERE user_id = ${p.userId} AND read_at IS NULL AND ${p.direct} = 1
  AND ${onward(backwards, 'message_id', p)}`;

const opens = sql`root_id IS NULL AND sidebar_id IS NULL`;

const sentDirect = (backwards: boolean, p: BesidesParams) => sql`SELECT id FROM messages
  WHERE author_id = ${p.userId} AND ${opens} AND team_id IS NULL AND ${onward(backwards, 'id', p)}`;

const sentUnread = (backwards: boolean, p: BesidesParams) => sql`SELECT message_id AS id FROM message_states
  WHERE user_id = ${p.userId} AND is_unread = 1 AND ${p.direct} = 1
  AND EXISTS (SELECT 1 FROM messages WHERE messages.id = message_states.message_id AND messages.team_id IS NULL
    AND messages.deleted_at IS NULL)
  AND ${onward(backwards, 'message_id', p)}`;

const markedUnread = (backwards: boolean, p: BesidesParams) => sql`SELECT message_id AS id FROM read_marks
  WHERE user_id = ${p.userId} AND is_read = 0
  AND (CAST(${p.teamId} AS text) IS NULL OR read_marks.team_id = ${p.teamId})
  AND EXISTS (SELECT 1 FROM teams WHERE teams.id = read_marks.team_id AND teams.active = 1)
  AND ${onward(backwards, 'message_id', p)}`;

const besidesOf = {
  all: unionOf(addressed, sentDirect),
  _inbox: unionOf(addressed),
  _direct: unionOf(addressed),
  _unread: unionOf(addressedUnread, sentUnread, markedUnread),
  /** For a token that reaches no team. */
  _unread_direct: unionOf(addressedUnread, sentUnread),
};

/** The user's own messages, from an index of their own. */
async function sent(
  db: Reader,
  stretch: Stretch,
  { direct, from }: { direct: boolean; from: string },
): Promise<string[]> {
  const { viewer, backwards, limit } = stretch;
  const teamId = onlyTeam(stretch);
  const isDirect = sql`team_id IS NULL`;
  const inTeams = teamId === undefined ? sql`team_id IN (${mine(viewer.userId)})` : sql`team_id = ${teamId}`;
  const where = teamId === null ? isDirect : direct ? sql`(${isDirect} OR ${inTeams})` : inTeams;
  const rows = await query(db, (q) =>
    rawSelect(
      q,
      sql<Listed>`SELECT id FROM messages WHERE author_id = ${viewer.userId} AND ${opens} AND ${where}
        AND ${onward(backwards, 'id', { from, limit })}`,
    ),
  );
  return rows.map(({ id }) => id);
}

const mine = (viewerId: string) => sql`SELECT memberships.team_id FROM memberships
  INNER JOIN teams ON teams.id = memberships.team_id
  WHERE memberships.user_id = ${viewerId} AND teams.active = 1`;
