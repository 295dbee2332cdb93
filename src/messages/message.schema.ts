import { type Static, Type } from 'typebox';
import { Nullable, Shared, Text, Timestamp, Uuid } from '../api/index.ts';
import { UserSummary } from '../users/index.ts';

const Mention = Type.Object({
  type: Type.String(),
  id: Uuid,
  name: Type.String(),
  url: Nullable(Type.String({ description: 'The object’s absolute address; null once it is deleted' })),
});

const ViaApp = Type.Object({ id: Uuid, name: Type.String(), icon: Type.String(), url: Type.String() });

/** Part 2.4 of the interface, as one viewer sees it. */
export const Message = Type.Object(
  {
    id: Uuid,
    text: Type.String({ description: '`{0}` stands where the mentioned object’s link belongs' }),
    subject: Nullable(Type.String()),
    author: Shared(UserSummary),
    author_type: Type.String(),
    addressed_users: Type.Array(Uuid),
    addressed_teams: Type.Array(Uuid),
    attachments: Type.Array(Type.Unknown()),
    mentions: Type.Array(Mention),
    sidebars: Type.Array(Type.Unknown()),
    events: Type.Array(Type.Unknown()),
    tags: Type.Array(Type.String()),
    via_app: Nullable(ViaApp),
    created_at: Timestamp,
    updated_at: Timestamp,
    num_replies: Type.Integer(),
    num_high_fives: Type.Integer(),
    read: Type.Boolean(),
    muted: Type.Boolean(),
    is_muted: Type.Boolean(),
    subscribed_to: Type.Boolean(),
    resurface_html: Type.Boolean(),
    unread_sidebar: Type.Boolean(),
    unread_reply: Type.Boolean(),
    user_high_fived: Type.Boolean(),
    user_replied: Type.Boolean(),
    user_replied_to_sidebar: Type.Boolean(),
    unread_since: Nullable(Timestamp),
  },
  { $id: 'Message' },
);
export type Message = Static<typeof Message>;

/** `text` and `attachments` have two forms each and are read by hand, so that 4003 to 4008 can say what is wrong. */
export const NewMessage = Type.Object({
  text: Type.Optional(
    Type.Unknown({ description: 'A text, or a list of texts that are joined by newlines' }),
  ),
  addressed_teams: Type.Optional(Type.Unknown({ description: 'A list of at most one team id' })),
  addressed_users: Type.Optional(Type.Unknown({ description: 'A list of user ids, or `{ids, emails}`' })),
  mentions: Type.Optional(Type.Unknown({ description: 'At most one `{type: "appobject", id, name}`' })),
  attachments: Type.Optional(
    Type.Unknown({
      description: '`{files: [ids of uploads], links: [{url, title?}]}`, or anything of your own',
    }),
  ),
});
export type NewMessage = Static<typeof NewMessage>;

export const MESSAGE_TAGS = ['_inbox', '_sent', '_direct', '_unread'] as const;

export const MessagesQuery = Type.Object({
  team: Type.Optional(Text(100, { description: 'Of this team' })),
  tag: Type.Optional(Type.Enum([...MESSAGE_TAGS])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default: 50' })),
  cursor: Type.Optional(Text(500)),
});
