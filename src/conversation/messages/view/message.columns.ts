import { type Expression, sql } from 'kysely';
import { columnsOf, type Dialect, packing } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import {
  namedFields,
  packWhereabouts,
  type SummaryRow,
  unpackWhereabouts,
} from '../../../people/users/index.ts';
import { hasReplied, hasUnreadReply, isReadBy } from './read-state.ts';

/** The columns that are shown. `message.present.ts` makes fields of them. */
const messageFields = [
  'id',
  'text',
  'format',
  'blocks_json',
  'author_id',
  'team_id',
  'root_id',
  'sidebar_id',
  'addressed_users_json',
  'attachments_json',
  'mentions_json',
  'events_json',
  'application_id',
  'created_at',
  'updated_at',
  'num_replies',
  'num_high_fives',
  'links_json',
  'reactions_json',
  'direct_team_id',
  'direct_application_id',
  'is_pinned',
] as const satisfies (keyof MessageRow)[];

/** About its author. */
type AuthorFields = Required<Omit<SummaryRow, 'id'>>;
const authorFields = [...namedFields, 'is_application'] as const satisfies (keyof AuthorFields)[];

/** The application that posted it. */
export interface Poster {
  application_name: string | null;
  application_icon: string | null;
  application_base_url: string | null;
}

/** What the conversation of a message is about. */
interface OfSubject {
  shown_subject_id: string | null;
  subject_name: string | null;
}

/** How a message stands to its viewer. */
interface Standing {
  is_own: number | boolean;
  is_read: number | boolean;
  /** Of the viewer's membership of its team. */
  team_muted: number | null;
  /** The viewer's setting for the conversation. */
  is_muted: number | null;
  /** Whether the conversation was addressed to the viewer. */
  is_addressed: number | boolean;
  unread_reply: number | boolean;
  user_replied: number | boolean;
  /** The emoji with which the viewer reacted, separated by spaces. */
  own_reactions: string | null;
  is_saved: number | boolean | null;
}

/** All that is shown of a message to its viewer. */
export type ShownMessage = Pick<MessageRow, (typeof messageFields)[number]> &
  AuthorFields &
  Poster &
  OfSubject &
  Standing;

/** A message with its author, the application that posted it, and how it stands to the viewer; flat. */
export type MessageView = MessageRow &
  AuthorFields &
  Poster &
  OfSubject &
  Standing & {
    recipient_read_at: number | null;
    is_unread: number | null;
    /** The author of the message that it answers, or its own. */
    root_author_id: string;
  };

/** The same without the flags that only an answer shows. */
export type SeenMessage = Omit<MessageView, 'unread_reply' | 'user_replied' | 'own_reactions' | 'is_saved'>;

export const viewerFlags = (viewerId: string) => ({
  is_own: sql<number | boolean>`messages.author_id = ${viewerId}`,
  is_read: isReadBy(viewerId),
  is_addressed: sql<number | boolean>`message_recipients.user_id IS NOT NULL`,
  unread_reply: hasUnreadReply(viewerId),
  user_replied: hasReplied(viewerId),
  own_reactions: sql<string | null>`CASE WHEN messages.reactions_json IS NOT NULL THEN
    (SELECT string_agg(emoji, ' ') FROM reactions WHERE message_id = messages.id AND user_id = ${viewerId}) END`,
  // Few messages are saved by anybody: all others cost nothing here.
  is_saved: sql<
    number | boolean | null
  >`CASE WHEN messages.was_saved = 1 THEN EXISTS (SELECT 1 FROM saved_messages
    WHERE saved_messages.user_id = ${viewerId} AND saved_messages.message_id = messages.id) END`,
});

/** How the author is stands in one text: most are not online, have no status, and cost nothing here. */
type Packed = Omit<ShownMessage, 'online_until' | 'status_json' | 'do_not_disturb_until'> & {
  whereabouts: string | null;
};

const content = packing<Packed>(
  ...messageFields,
  ...authorFields,
  'whereabouts',
  'application_name',
  'application_icon',
  'application_base_url',
  'shown_subject_id',
  'subject_name',
  'is_own',
  'is_read',
  'team_muted',
  'is_muted',
  'is_addressed',
  'unread_reply',
  'user_replied',
  'own_reactions',
  'is_saved',
);

export function unpackMessage(packed: string): ShownMessage {
  const row = content.unpack(packed);
  return Object.assign(row, unpackWhereabouts(row.whereabouts));
}

/** @param of.now for who is online @param of.isKnown whether the viewer sees how the author is */
export const packMessage = (
  dialect: Dialect,
  { viewerId, now, isKnown }: { viewerId: string; now: number; isKnown: Expression<unknown> },
) =>
  content.pack(dialect, {
    ...columnsOf('users', authorFields),
    whereabouts: packWhereabouts(dialect, { table: 'users', now, isKnown }),
    ...columnsOf('messages', messageFields),
    // They are the order of the cards, and few messages have one.
    links_json: sql`CASE WHEN messages.has_unfurls = 1 THEN messages.links_json END`,
    application_name: 'applications.name',
    application_icon: 'applications.icon',
    application_base_url: 'applications.base_url',
    shown_subject_id: 'subjects.id',
    subject_name: 'subjects.name',
    ...viewerFlags(viewerId),
    team_muted: 'memberships.is_muted',
    is_muted: 'message_states.is_muted',
  });
