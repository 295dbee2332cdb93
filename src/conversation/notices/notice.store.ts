import { type Kysely, type RawBuilder, sql } from 'kysely';
import { inIdList, inTextList, type Reader, rawSelect } from '#platform/db/index.ts';
import { type MessageRow, statement, type Tables } from '#schema';
import { isMutedPlace } from '../mutes/index.ts';

/** A message with what decides whom it concerns. */
export interface Posted extends MessageRow {
  /** The message beside which its sidebar is. */
  sidebar_message_id: string | null;
  /** Of the team in which it can be read. */
  space_id: string | null;
  space_active: number | null;
  /** Whether programs may call all members of that team. */
  space_programs_notify: number | null;
  /** Whether its author is an application or a webhook. */
  is_application: number;
  /** The direct conversation or the subject that it is in, or beside. */
  among_id: string | null;
  root_author_id: string | null;
  root_addressed_users_json: string | null;
}

/** The first message of which it is still to be found whom it concerns by name. One that failed is not waited for. */
export const findFirstNamed = statement<object>()((q) =>
  q
    .selectFrom('notice_jobs')
    .select('message_id')
    .where('lane', '=', 0)
    .where('kind', '=', 'message')
    .where('num_failures', '=', 0)
    .where('next_attempt_at', 'is not', null)
    .orderBy('message_id')
    .limit(1),
);

const spaceOf = sql<string>`coalesce(messages.team_id, sidebars.team_id, root.team_id)`;

export const findPosted = statement<{ id: string }>()((q, p) =>
  q
    .selectFrom('messages')
    .innerJoin('users as author', 'author.id', 'messages.author_id')
    .leftJoin('sidebars', 'sidebars.id', 'messages.sidebar_id')
    .leftJoin('messages as root', 'root.id', 'messages.root_id')
    .leftJoin('messages as beside', 'beside.id', 'sidebars.message_id')
    .leftJoin('teams', (join) => join.on('teams.id', '=', spaceOf))
    .selectAll('messages')
    .select([
      'sidebars.message_id as sidebar_message_id',
      'teams.id as space_id',
      'teams.active as space_active',
      'teams.programs_notify as space_programs_notify',
      'author.is_application',
      sql<
        string | null
      >`coalesce(beside.conversation_id, beside.subject_id, root.conversation_id, root.subject_id,
        messages.conversation_id, messages.subject_id)`.as('among_id'),
      'root.author_id as root_author_id',
      'root.addressed_users_json as root_addressed_users_json',
    ])
    .where('messages.id', '=', p.id),
);

export const listSidebarIds = statement<{ sidebarId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('sidebar_users')
    .select('user_id as id')
    .where('sidebar_id', '=', p.sidebarId)
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
);

export const listMemberIds = statement<{ teamId: string; after: string; limit: number }>()((q, p) =>
  q
    .selectFrom('memberships')
    .select('user_id as id')
    .where('team_id', '=', p.teamId)
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
);

/** An answer of a person to a message, before a given one. */
const answerBefore = (p: { readonly rootId: string; readonly before: number }, author: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT 1 FROM messages WHERE root_id = ${p.rootId} AND author_id = ${author}
    AND sidebar_id IS NULL AND reply_seq < ${p.before} AND deleted_at IS NULL)`;

/** The people who answered a message before: by one step in the index for each of them, however much they wrote. */
export const listReplierIds = statement<{
  rootId: string;
  before: number;
  after: string;
  limit: number;
}>()((q, p) => {
  const next = (after: unknown) => sql`(SELECT author_id FROM messages
    WHERE root_id = ${p.rootId} AND author_id > ${after} ORDER BY author_id LIMIT 1)`;
  return rawSelect(
    q,
    sql<{ id: string }>`WITH RECURSIVE repliers (id) AS (
      SELECT ${next(p.after)}
      UNION ALL SELECT ${next(sql.ref('repliers.id'))} FROM repliers WHERE id IS NOT NULL)
    SELECT id FROM repliers WHERE id IS NOT NULL AND ${answerBefore(p, sql.ref('repliers.id'))} LIMIT ${p.limit}`,
  );
});

/** Finds which of these people answered it. */
export const findRepliers = statement<{ rootId: string; before: number; ids: readonly string[] }>()(
  (q, p, dialect) =>
    q
      .selectFrom('users')
      .select('id')
      .where(inIdList(dialect, 'id', p.ids))
      .where(answerBefore(p, sql.ref('users.id'))),
);

export const findIdsByUsername = statement<{ keys: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('users')
    .select('id')
    .where(inTextList(dialect, 'username_key', p.keys)),
);

/** A person who can read a message. */
export interface Reachable {
  id: string;
  username_key: string;
  prefs_json: string;
  /** Whether they have muted the conversation or its team. */
  is_muted: number | boolean;
}

interface Asked {
  ids: readonly string[];
  messageId: string;
  threadId: string;
  amongId: string | null;
}

const mutedConversation = (p: Asked) => sql<boolean>`(EXISTS (SELECT 1 FROM message_states
  WHERE message_states.message_id IN (${p.messageId}, ${p.threadId}) AND message_states.is_muted = 1
  AND message_states.user_id = users.id)
  OR ${isMutedPlace(sql`users.id`, sql`${p.amongId}`)})`;

const reachable = (q: Kysely<Tables>, p: Asked, dialect: Reader['dialect']) =>
  q
    .selectFrom('users')
    .select(['users.id', 'users.username_key', 'users.prefs_json'])
    .where(inIdList(dialect, 'users.id', p.ids))
    .where('users.active', '=', 1)
    .orderBy('users.id');

const reachableAnywhere = statement<Asked>()((q, p, dialect) =>
  reachable(q, p, dialect).select(sql<number | boolean>`${mutedConversation(p)}`.as('is_muted')),
);

const reachableInTeam = statement<Asked & { teamId: string }>()((q, p, dialect) =>
  reachable(q, p, dialect)
    .innerJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'users.id').on('memberships.team_id', '=', p.teamId),
    )
    .select(sql<number | boolean>`(memberships.is_muted = 1 OR ${mutedConversation(p)})`.as('is_muted')),
);

/** Filters people: the ones who can read the message, and whose account works. */
export function listReachable(db: Reader, message: Posted, ids: readonly string[]): Promise<Reachable[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const asked: Asked = {
    ids,
    messageId: message.id,
    threadId: message.root_id ?? message.sidebar_message_id ?? message.id,
    amongId: message.among_id,
  };
  const { space_id: teamId } = message;
  return teamId === null ? reachableAnywhere.all(db, asked) : reachableInTeam.all(db, { ...asked, teamId });
}
