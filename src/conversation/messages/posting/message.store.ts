import { type Kysely, sql } from 'kysely';
import type { Caller, UserPrincipal } from '#api';
import { type Dialect, inIdList, inTextList, type Reader } from '#platform/db/index.ts';
import { insertion, type MessageRow, statement, type Tables } from '#schema';
import type { PageOfUser } from '../../../stewardship/exports/index.ts';
import type { WithApplication } from '../view/conversation-id.ts';
import { keptLinks } from '../view/message.links.ts';
import type { Content } from './message-input.ts';

/** The conversation to which a message belongs, and its numbers there. */
export interface Destination {
  readonly team_id: string | null;
  readonly seq?: number;
  readonly subject_id?: string | undefined;
  readonly root_id?: string;
  readonly reply_seq?: number;
  readonly sidebar_id?: string;
  readonly sidebar_seq?: number;
  /** Of a direct message. */
  readonly conversation_id?: string;
  /** Of a reply: that of the message which it answers. */
  readonly root_conversation_id?: string | null;
  readonly addressees: readonly string[];
  /** Of a conversation with an application, replies too. */
  readonly direct?: WithApplication | undefined;
  /** An id that its own must sort behind. */
  readonly after?: string;
}

/** The row of a new message. What `insertMessages` does not name gets its default. */
export const newMessage = (of: {
  readonly id: string;
  readonly author: UserPrincipal;
  readonly content: Content;
  readonly place: Destination;
  readonly attached: readonly unknown[];
  readonly mentions: readonly unknown[];
  readonly now: number;
}): MessageRow => ({
  id: of.id,
  team_id: of.place.team_id,
  seq: of.place.seq ?? null,
  author_id: of.author.userId,
  application_id: of.author.grant?.applicationId ?? null,
  text: of.content.text,
  format: of.content.format,
  addressed_users_json: JSON.stringify(of.place.addressees),
  attachments_json: JSON.stringify([...of.attached, ...of.content.attachments]),
  mentions_json: JSON.stringify(of.mentions),
  num_replies: 0,
  num_high_fives: 0,
  created_at: of.now,
  updated_at: of.now,
  root_id: of.place.root_id ?? null,
  reply_seq: of.place.reply_seq ?? null,
  sidebar_id: of.place.sidebar_id ?? null,
  sidebar_seq: of.place.sidebar_seq ?? null,
  events_json: '[]',
  deleted_at: null,
  conversation_id: of.place.conversation_id ?? null,
  has_unfurls: 0,
  links_json: keptLinks(of.content, of.now),
  reactions_json: null,
  subject_id: of.place.subject_id ?? null,
  blocks_json: of.content.blocks ? JSON.stringify(of.content.blocks) : null,
  direct_team_id: of.place.direct?.teamId ?? null,
  direct_application_id: of.place.direct?.applicationId ?? null,
  was_saved: 0,
  is_pinned: 0,
});

export const insertMessages = insertion('messages')([
  'id',
  'team_id',
  'seq',
  'author_id',
  'application_id',
  'text',
  'format',
  'addressed_users_json',
  'attachments_json',
  'mentions_json',
  'num_replies',
  'num_high_fives',
  'created_at',
  'updated_at',
  'root_id',
  'reply_seq',
  'sidebar_id',
  'sidebar_seq',
  'events_json',
  'deleted_at',
  'conversation_id',
  'links_json',
  'subject_id',
  'blocks_json',
  'direct_team_id',
  'direct_application_id',
]);

export const insertRecipients = insertion('message_recipients')(['user_id', 'message_id', 'read_at']);

/**
 * Gives the next sequences among the replies, and holds the message's row until the commit; also the newest id of all
 * messages, which those of the replies must be above.
 */
export const takeReplySequences = statement<{ id: string; count: number }>()((q, p) =>
  q
    .updateTable('messages')
    .set((eb) => ({ num_replies: eb('num_replies', '+', p.count) }))
    .where('id', '=', p.id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .returning(
      sql<string>`(SELECT newest.id FROM messages AS newest ORDER BY newest.id DESC LIMIT 1)`.as('newest_id'),
    ),
);

type NewText = Pick<
  MessageRow,
  'id' | 'text' | 'format' | 'blocks_json' | 'attachments_json' | 'links_json' | 'events_json' | 'updated_at'
>;

export const changeText = statement<NewText>()((q, p) =>
  q
    .updateTable('messages')
    .set({
      text: p.text,
      format: p.format,
      blocks_json: p.blocks_json,
      attachments_json: p.attachments_json,
      links_json: p.links_json,
      events_json: p.events_json,
      updated_at: p.updated_at,
    })
    .where('id', '=', p.id),
);

/** What it said is gone for good; that it was there stays. */
export const eraseMessage = statement<{ id: string; eventsJson: string; now: number }>()((q, p) =>
  q
    .updateTable('messages')
    .set({
      text: '',
      format: null,
      blocks_json: null,
      attachments_json: '[]',
      mentions_json: '[]',
      has_unfurls: 0,
      is_pinned: 0,
      links_json: null,
      events_json: p.eventsJson,
      deleted_at: p.now,
      updated_at: p.now,
    })
    .where('id', '=', p.id),
);

interface Addressed {
  readonly authorId: string;
  readonly ids: readonly string[];
  readonly emails: readonly string[];
}

const addressed = (q: Kysely<Tables>, p: Addressed, dialect: Dialect) =>
  q
    .selectFrom('users')
    .select(['users.id', 'users.email_key'])
    .where((eb) =>
      eb.or([inIdList(dialect, 'users.id', p.ids), inTextList(dialect, 'users.email_key', p.emails)]),
    )
    .where('users.active', '=', 1);

/** The teams that a user and the author are in, looked up for each user: reading all members of all teams takes longer. */
const sharedTeams = (q: Kysely<Tables>, authorId: string) =>
  q
    .selectFrom('memberships as theirs')
    .innerJoin('memberships as own', 'own.team_id', 'theirs.team_id')
    .innerJoin('teams', 'teams.id', 'theirs.team_id')
    .select('theirs.team_id')
    .where('theirs.user_id', '=', sql.ref<string>('users.id'))
    .where('own.user_id', '=', authorId)
    .where('teams.active', '=', 1);

const findAddressed = statement<Addressed>()((q, p, dialect) =>
  addressed(q, p, dialect).where((eb) =>
    eb.or([eb('users.id', '=', p.authorId), eb.exists(sharedTeams(q, p.authorId))]),
  ),
);

const findAddressedInTeam = statement<Addressed & { teamId: string }>()((q, p, dialect) =>
  addressed(q, p, dialect).where((eb) =>
    eb.or([
      eb('users.id', '=', p.authorId),
      eb.exists(sharedTeams(q, p.authorId).where('theirs.team_id', '=', p.teamId)),
    ]),
  ),
);

/** Users who can be addressed: with an account that works, sharing a team with the author, or the author. */
export function findReachable(
  db: Reader,
  { userId: authorId, onlyTeam }: Caller,
  to: Pick<Addressed, 'ids' | 'emails'>,
): Promise<{ id: string; email_key: string }[]> {
  if (onlyTeam === undefined) return findAddressed.all(db, { ...to, authorId });
  return findAddressedInTeam.all(db, { ...to, authorId, teamId: onlyTeam });
}

/** Everything that a user wrote. */
export const pageOfAuthor = statement<PageOfUser>()((q, p) =>
  q
    .selectFrom('messages')
    .selectAll()
    .where('author_id', '=', p.userId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);
