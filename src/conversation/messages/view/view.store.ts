import { type Expression, type Kysely, sql } from 'kysely';
import type { Viewer } from '#api';
import { type Dialect, inIdList, locked, type Reader, type Select } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { type MessageRow, statement, type Tables } from '#schema';
import { isInTeam, type SummaryRow, shareAnyTeam, whereaboutsColumns } from '../../../people/users/index.ts';
import {
  type MessageView,
  type Poster,
  packMessage,
  type SeenMessage,
  viewerFlags,
} from './message.columns.ts';
import { leftJoinOwn, type Own, ownRow } from './own-rows.ts';

export type { MessageView, SeenMessage } from './message.columns.ts';

/** Columns about a message's author, but for how they are, and the viewer's membership of its team. */
const NAMED = [
  'users.first_name',
  'users.last_name',
  'users.username',
  'users.title',
  'users.active',
  'users.email',
  'users.image_version',
  'users.is_application',
  'memberships.is_muted as team_muted',
] as const;

/** The same with how the author is, for themselves. */
const AUTHOR = [...NAMED, 'users.online_until', 'users.status_json', 'users.do_not_disturb_until'] as const;

/** The same for a viewer who sees only of people whom they know how these are. */
export function authorColumns(isKnown: Expression<unknown>) {
  const { online_until, status_json, do_not_disturb_until } = whereaboutsColumns('users', isKnown);
  return [
    ...NAMED,
    online_until.as('online_until'),
    status_json.as('status_json'),
    do_not_disturb_until.as('do_not_disturb_until'),
  ] as const;
}

/** Columns about the application that posted it. */
const APPLICATION = [
  'applications.name as application_name',
  'applications.icon as application_icon',
  'applications.base_url as application_base_url',
] as const;

/** Replies are about what the message is about that opened their conversation. */
const subjectOfConversation = sql<string>`coalesce(root.subject_id, messages.subject_id)`;

/** Messages beside all that tells how they stand to a viewer. */
function standing(q: Kysely<Tables>, viewerId: string, dialect: Dialect) {
  const own = <Table extends Own>(table: Table) => ownRow(viewerId, dialect, table);
  return q
    .selectFrom('messages')
    .innerJoin('users', 'users.id', 'messages.author_id')
    .leftJoin('messages as root', 'root.id', 'messages.root_id')
    .leftJoin('applications', 'applications.id', 'messages.application_id')
    .leftJoin('teams', 'teams.id', 'messages.team_id')
    .leftJoin(own('memberships').joined, (join) => join.on(own('memberships').on))
    .leftJoin(own('read_marks').joined, (join) => join.on(own('read_marks').on))
    .leftJoin(own('subject_cursors').joined, (join) => join.on(own('subject_cursors').on))
    .leftJoin('subjects', (join) => join.on('subjects.id', '=', subjectOfConversation))
    .leftJoin(own('message_recipients').joined, (join) => join.on(own('message_recipients').on))
    .leftJoin(own('message_states').joined, (join) => join.on(own('message_states').on))
    .leftJoin(own('sidebar_users').joined, (join) => join.on(own('sidebar_users').on));
}

/** The messages that a viewer may see. */
const seenBy = (q: Kysely<Tables>, viewerId: string, dialect: Dialect) =>
  standing(q, viewerId, dialect).where(visibleTo(viewerId));

/** The messages that everybody in a team sees; the viewer need not be a member. */
const seenByTeams = (q: Kysely<Tables>, viewerId: string, dialect: Dialect) =>
  standing(q, viewerId, dialect)
    .where('messages.team_id', 'is not', null)
    .where('messages.sidebar_id', 'is', null)
    .where('teams.active', '=', 1);

/** What an application as itself sees: what is said to its team, and what people and it write to each other there. */
const seenByTeam = (q: Kysely<Tables>, p: WithinReach, dialect: Dialect) =>
  standing(
    q,
    p.viewerId,
    dialect,
  ).where(sql<boolean>`(messages.team_id = ${p.teamId} AND messages.sidebar_id IS NULL
    AND teams.active = 1
    OR messages.direct_team_id = ${p.withPeople} AND messages.direct_application_id = ${p.applicationId})`);

/** The tables that tell how a message, which is no answer and in no sidebar, stands to a viewer; joined to `messages`. */
export const joinViewer = (viewerId: string, dialect: Dialect) => sql`
  LEFT JOIN messages AS root ON root.id = messages.root_id
  LEFT JOIN teams ON teams.id = messages.team_id
  ${leftJoinOwn(viewerId, dialect, [
    'memberships',
    'read_marks',
    'subject_cursors',
    'message_recipients',
    'message_states',
  ])}`;

type Seen = ReturnType<typeof standing>;

/** Row by row, to work with. */
function inColumns(seen: Seen, { viewerId }: OfViewer, isKnown: Expression<unknown>) {
  const { is_own, is_read, is_addressed } = viewerFlags(viewerId);
  return seen
    .selectAll('messages')
    .select([
      ...authorColumns(isKnown),
      ...APPLICATION,
      'message_recipients.read_at as recipient_read_at',
      'message_states.is_muted',
      'message_states.is_unread',
      'subjects.id as shown_subject_id',
      'subjects.name as subject_name',
      is_own.as('is_own'),
      is_read.as('is_read'),
      is_addressed.as('is_addressed'),
      sql<string>`coalesce(root.author_id, messages.author_id)`.as('root_author_id'),
    ]);
}

/** With what only an answer shows; each takes a walk over other rows. */
function withFlags(seen: Seen, p: OfViewer, isKnown: Expression<unknown>) {
  const { unread_reply, user_replied, own_reactions, is_saved } = viewerFlags(p.viewerId);
  return inColumns(seen, p, isKnown).select([
    unread_reply.as('unread_reply'),
    user_replied.as('user_replied'),
    own_reactions.as('own_reactions'),
    is_saved.as('is_saved'),
  ]);
}

/** A message as one text, to be written as it is shown. */
export interface PackedMessage {
  readonly id: string;
  readonly mentions_json: string;
  readonly has_unfurls: number;
  readonly packed: string;
}

const inPacks = (seen: Seen, { viewerId, now }: OfViewer & { now: number }, { dialect, isKnown }: Way) =>
  seen
    .select(['messages.id', 'messages.mentions_json', 'messages.has_unfurls'])
    .select(packMessage(dialect, { viewerId, now, isKnown }).as('packed'));

/** How a statement finds messages. */
interface Way {
  readonly dialect: Dialect;
  /** Whether the viewer sees how the author is. */
  readonly isKnown: Expression<unknown>;
}

const author = sql.ref('messages.author_id');
const ownTeam = sql.ref('messages.team_id');

/** Who reads a team's messages is in it, so that one look is enough where the author is in it too. */
const knownToUser = (viewerId: string) => sql<boolean>`${author} = ${viewerId}
  OR ${isInTeam(ownTeam, author)} OR ${shareAnyTeam(viewerId, author)}`;

/** Applications see how people are where their grant ends at its team: of its members alone. */
const knownToToken = (p: WithinReach) => sql<boolean>`${author} = ${p.viewerId}
  OR ${isInTeam(sql`coalesce(${p.onlyTeam}, ${ownTeam})`, author)}
  OR ${p.everyTeam} = 1 AND ${shareAnyTeam(p.viewerId, author)}`;

/**
 * A team's message is visible to its members, a direct one to its author and its addressees, a reply to the viewers
 * of the message that it answers, and one in a sidebar to those of them who are in it.
 */
export const visibleTo = (viewerId: string) => sql<boolean>`
  (messages.team_id IS NULL OR (memberships.user_id IS NOT NULL AND teams.active = 1))
  AND CASE
    WHEN messages.sidebar_id IS NOT NULL THEN sidebar_users.user_id IS NOT NULL
    WHEN messages.team_id IS NOT NULL THEN 1 = 1
    ELSE message_recipients.user_id IS NOT NULL OR coalesce(root.author_id, messages.author_id) = ${viewerId}
  END`;

/**
 * The authors of messages to a team, as far as they are its members. Their memberships are locked in the order of ids
 * until the transaction ends.
 */
export const lockAuthors = statement<{ teamId: string; userIds: readonly string[] }>()((q, p, dialect) => {
  const found = q
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('memberships.user_id')
    .select([...AUTHOR, 'memberships.read_seq'])
    .where('memberships.team_id', '=', p.teamId)
    .where(inIdList(dialect, 'memberships.user_id', p.userIds))
    .orderBy('memberships.user_id');
  return dialect === 'sqlite' ? found : found.forNoKeyUpdate('memberships');
});
export type Author = Required<Omit<SummaryRow, 'id'>> &
  Pick<MessageView, 'team_muted'> & {
    /** Null for an application, which reads nothing. */ read_seq: number | null;
  };

const AUTHOR_ITSELF = [
  'users.id as user_id',
  ...AUTHOR.filter((column) => column !== 'memberships.is_muted as team_muted'),
] as const;

/** The authors of applications that a team has installed. The installations are locked until the transaction ends. */
export const lockInstalledAuthors = statement<{ teamId: string; userIds: readonly string[] }>()(
  (q, p, dialect) => {
    const found = q
      .selectFrom('installations')
      .innerJoin('applications', 'applications.id', 'installations.application_id')
      .innerJoin('users', 'users.id', 'applications.author_id')
      .select(AUTHOR_ITSELF)
      .where('installations.team_id', '=', p.teamId)
      .where('installations.status', '=', 'active')
      .where(inIdList(dialect, 'users.id', p.userIds));
    return dialect === 'sqlite' ? found : found.forShare('installations');
  },
);

/** The authors of the incoming webhooks of a team. The webhooks are locked until the transaction ends. */
export const lockWebhookAuthors = statement<{ teamId: string; userIds: readonly string[] }>()(
  (q, p, dialect) => {
    const found = q
      .selectFrom('incoming_webhooks')
      .innerJoin('users', 'users.id', 'incoming_webhooks.author_id')
      .select(AUTHOR_ITSELF)
      .where('incoming_webhooks.team_id', '=', p.teamId)
      .where(inIdList(dialect, 'users.id', p.userIds));
    return dialect === 'sqlite' ? found : found.forShare('incoming_webhooks');
  },
);

/** The applications that posted messages. */
const findPosters = statement<{ ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('applications')
    .select('applications.id')
    .select(APPLICATION)
    .where(inIdList(dialect, 'applications.id', p.ids)),
);

const NOBODY: Poster = { application_name: null, application_icon: null, application_base_url: null };

/** @returns the applications by id, and an empty one for null */
export async function postersOf(
  db: Reader,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string | null, Poster>> {
  const known = new Map<string | null, Poster>([[null, NOBODY]]);
  const asked = [...new Set(ids)].filter((id) => id !== null);
  if (asked.length === 0) return known;
  const rows = await findPosters.all(db, { ids: asked });
  for (const row of rows) known.set(row.id, row);
  return known;
}

/** A message to a team as its author sees it at the moment when it is posted: nothing can have happened to it yet. */
export function viewOfNew(
  row: MessageRow,
  author: Author,
  poster: Poster = NOBODY,
  subjectName: string | null = null,
): MessageView {
  return {
    ...poster,
    ...author,
    ...row,
    shown_subject_id: row.subject_id,
    subject_name: subjectName,
    is_own: 1,
    is_read: 1,
    is_addressed: 0,
    recipient_read_at: null,
    root_author_id: row.author_id,
    is_muted: null,
    is_unread: null,
    unread_reply: 0,
    user_replied: 0,
    own_reactions: null,
    is_saved: null,
  };
}

/** A message without all that happened to it, but for its deletion. */
export function asPosted(row: SeenMessage, text: string): MessageView {
  const sent = row.deleted_at === null ? text : '';
  const flags = { unread_reply: 0, user_replied: 0, own_reactions: null, is_saved: null };
  const quiet = { ...flags, is_muted: null, team_muted: null };
  const counts = { num_replies: 0, num_high_fives: 0, reactions_json: null, is_pinned: 0, events_json: '[]' };
  return { ...row, ...quiet, ...counts, updated_at: row.created_at, text: sent };
}

interface OfViewer {
  readonly viewerId: string;
}

interface WithinReach extends OfViewer {
  readonly teamId: string | null;
  readonly direct: number;
  readonly sidebars: number;
  /** Of an application as itself. */
  readonly withPeople: string | null;
  readonly applicationId: string | null;
  /** Whose people the token knows; null where `everyTeam` is 1. */
  readonly onlyTeam: string | null;
  readonly everyTeam: number;
}

/** The part of what the user sees that a token reaches. */
const reachedBy = (p: WithinReach) => sql<boolean>`
  CASE WHEN messages.team_id IS NULL THEN ${p.direct} = 1 ELSE messages.team_id = ${p.teamId} END
  AND (messages.sidebar_id IS NULL OR ${p.direct} = 1 AND (messages.team_id IS NULL OR ${p.sidebars} = 1))`;

/**
 * Finds messages for a viewer, and none that they may not see. Sessions, tokens of people and of applications have a
 * statement each: all are kept prepared, and a session does not pay for what narrows a token.
 */
export function views<Params extends object, Row>(
  find: (seen: Seen, p: Params & OfViewer, way: Way) => Select<Row>,
) {
  const ofSession = statement<Params & OfViewer>()((q, p, dialect) =>
    find(seenBy(q, p.viewerId, dialect), p, { dialect, isKnown: knownToUser(p.viewerId) }),
  );
  const ofToken = statement<Params & WithinReach>()((q, p, dialect) =>
    find(seenBy(q, p.viewerId, dialect).where(reachedBy(p)), p, { dialect, isKnown: knownToToken(p) }),
  );
  const ofTeam = statement<Params & WithinReach>()((q, p, dialect) =>
    find(seenByTeam(q, p, dialect), p, { dialect, isKnown: isInTeam(p.onlyTeam, author) }),
  );
  return (db: Reader, { userId: viewerId, reach }: Viewer, params: Params): Promise<Row[]> => {
    if (!reach) return ofSession.all(db, { ...params, viewerId });
    const {
      teamId,
      direct,
      sidebars = true,
      withPeople = null,
      applicationId = null,
      onlyTeam = null,
    } = reach;
    const found = reach.asTeam ? ofTeam : ofToken;
    const within = {
      ...{ teamId, direct: Number(direct), sidebars: Number(sidebars), withPeople, applicationId },
      ...{ onlyTeam, everyTeam: Number(onlyTeam === null) },
    };
    return found.all(db, { ...params, viewerId, ...within });
  };
}

/** No row for a viewer who may not see it. */
export const findMessage = views<{ id: string }, SeenMessage>((seen, p, { isKnown }) =>
  inColumns(seen, p, isKnown).where('messages.id', '=', p.id),
);

interface Some {
  readonly ids: readonly string[];
}

const findSome = views<Some, MessageView>((seen, p, { dialect, isKnown }) =>
  withFlags(seen, p, isKnown).where(inIdList(dialect, 'messages.id', p.ids)),
);

const packSome = views<Some & { now: number }, PackedMessage>((seen, p, way) =>
  inPacks(seen, p, way).where(inIdList(way.dialect, 'messages.id', p.ids)),
);

/** Those among `ids` that the viewer sees, in the order of `ids`. */
export async function findMessages(
  db: Reader,
  viewer: Viewer,
  ids: readonly string[],
): Promise<MessageView[]> {
  return ids.length === 0 ? [] : inOrder(ids, await findSome(db, viewer, { ids }));
}

/** Those among `ids` that a user sees and that are not deleted. */
export const listSeen = statement<Some & OfViewer>()((q, p, dialect) =>
  seenBy(q, p.viewerId, dialect)
    .select('messages.id')
    .where('messages.deleted_at', 'is', null)
    .where(inIdList(dialect, 'messages.id', p.ids)),
);

/**
 * Those among `ids` that are said to whole teams, as their members see them. What depends on the viewer is nobody's; how an
 * author is, all members see of those who are in the team.
 */
export const findTold = (db: Reader, ids: readonly string[]): Promise<MessageView[]> =>
  findOfTeams.all(db, { ids, viewerId: LOWEST_ID });

const findOfTeams = statement<Some & OfViewer>()((q, p, dialect) =>
  withFlags(seenByTeams(q, p.viewerId, dialect), p, isInTeam(ownTeam, author)).where(
    inIdList(dialect, 'messages.id', p.ids),
  ),
);

/** The same, packed. */
export async function packMessages(
  db: Reader,
  viewer: Viewer,
  { ids, now }: Some & { now: number },
): Promise<PackedMessage[]> {
  return ids.length === 0 ? [] : inOrder(ids, await packSome(db, viewer, { ids, now }));
}

function inOrder<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A page of what belongs together, by the places in it. */
interface PageOfPlaces {
  readonly of: string;
  readonly after: number;
  readonly limit: number;
  readonly now: number;
}
type PlacedMessage = PackedMessage & { readonly place: number };

/** The replies after a place, the oldest first. */
export const listReplies = views<PageOfPlaces, PlacedMessage>((seen, p, way) =>
  inPacks(seen, p, way)
    .select('messages.reply_seq as place')
    .$narrowType<{ place: number }>()
    .where('messages.root_id', '=', p.of)
    .where('messages.reply_seq', '>', p.after)
    .orderBy('messages.reply_seq')
    .limit(p.limit),
);

/** The messages of a sidebar after a place, the oldest first. */
export const listSidebarMessages = views<PageOfPlaces, PlacedMessage>((seen, p, way) =>
  inPacks(seen, p, way)
    .select('messages.sidebar_seq as place')
    .$narrowType<{ place: number }>()
    .where('messages.sidebar_id', '=', p.of)
    .where('messages.sidebar_seq', '>', p.after)
    .orderBy('messages.sidebar_seq')
    .limit(p.limit),
);

/** Locks a message until the transaction ends. Other rows may refer to it meanwhile. */
export const lockMessage = statement<{ id: string }>()((q, p, dialect) => {
  const found = q.selectFrom('messages').selectAll().where('id', '=', p.id);
  return locked(dialect, found, 'no key update');
});

/** The same for some messages, in the order of their ids. */
export const lockMessages = statement<Some>()((q, p, dialect) => {
  const found = q
    .selectFrom('messages')
    .select('id')
    .where(inIdList(dialect, 'id', p.ids))
    .orderBy('id');
  return locked(dialect, found, 'no key update');
});

/** The participants of a direct message: its author and its addressees. */
export const listRecipients = statement<{ messageId: string }>()((q, p) =>
  q
    .selectFrom('message_recipients')
    .select('user_id')
    .where('message_id', '=', p.messageId)
    .union(q.selectFrom('messages').select('author_id as user_id').where('id', '=', p.messageId)),
);
