import { type Static, Type } from 'typebox';
import { ByHand, Line, MOST_ITEMS, Name, Nullable, nextCursor, Shared, Text, Timestamp, Uuid } from '#api';
import { UserSummary } from '../../../people/users/index.ts';

import { BlocksByHand, CardBlocksByHand, ShownBlocks } from '../../blocks/index.ts';
import { MOST_PEOPLE } from './conversation-id.ts';

export const MESSAGE_TAGS = ['_inbox', '_sent', '_direct', '_unread'] as const;
export type MessageTag = (typeof MESSAGE_TAGS)[number];

/** Kinds of things in a message that a search can ask for. */
export const CONTAINED = ['file', 'link', 'object'] as const;
export type Contained = (typeof CONTAINED)[number];

const Mention = Type.Object({
  type: Type.String(),
  id: Uuid,
  name: Type.String(),
  url: Nullable(Type.String({ description: 'The object’s absolute address; null once it is deleted' })),
});

const ViaApp = Type.Object({ id: Uuid, name: Type.String(), icon: Type.String(), url: Type.String() });

const Picture = Type.Object({
  url: Type.String({ description: 'On this server, for those who see the message' }),
  width: Type.Integer(),
  height: Type.Integer(),
});

/** A card of a link: an application's of itself, or the server's of a foreign page. */
export const Unfurl = Type.Object(
  {
    id: Uuid,
    url: Type.String({ description: 'The link, as it stands in the text' }),
    title: Type.String(),
    text: Type.String(),
    fields: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    application: Nullable(ViaApp),
    host: Type.Optional(
      Type.String({ description: 'Of a foreign page: where the link led when it was posted' }),
    ),
    site: Type.Optional(
      Type.String({ description: 'Of a foreign page: what it calls its site; may be empty' }),
    ),
    picture: Type.Optional(Picture),
    blocks: Type.Optional(ShownBlocks),
  },
  { $id: 'Unfurl' },
);
export type Unfurl = Static<typeof Unfurl>;

/** An edit or the deletion of a message. */
const MessageEvent = Type.Object({
  type: Type.Union([Type.Literal('edited'), Type.Literal('deleted')]),
  user: Uuid,
  created_at: Timestamp,
});
export type MessageEvent = Static<typeof MessageEvent>;

const ShownFormat = Type.Optional(
  Type.Unsafe<'plain'>({
    type: 'string',
    enum: ['plain'],
    description: 'Where the text is shown exactly as it was written; missing where it has formatting',
  }),
);

/** The text of a message before an edit. */
export const MessageVersion = Type.Object({
  text: Type.String(),
  format: ShownFormat,
  blocks: Type.Optional(ShownBlocks),
  user: Type.Unsafe<string>({ ...Uuid, description: 'Who wrote it' }),
  replaced_at: Type.Unsafe<number>({ ...Timestamp, description: 'When the edit replaced it' }),
});
export type MessageVersion = Static<typeof MessageVersion>;

/** A private conversation beside a message, as one of its users sees it. */
export const Sidebar = Type.Object(
  {
    id: Uuid,
    message: Uuid,
    users: Type.Array(Uuid),
    num_messages: Type.Integer(),
    unread: Type.Integer({ description: 'How many of its messages the caller has not read' }),
    created_at: Timestamp,
  },
  { $id: 'Sidebar' },
);
export type Sidebar = Static<typeof Sidebar>;

/** Part 2.4 of the interface, as one viewer sees it. */
export const Message = Type.Object(
  {
    id: Uuid,
    text: Type.String({ description: '`{0}` stands where the mentioned object’s link belongs' }),
    subject: Nullable(
      Type.String({
        description: 'The name of what the conversation in the team is about; null without one',
      }),
    ),
    author: Shared(UserSummary),
    author_type: Type.String({
      description: '`user`; `application` where an application, or an incoming webhook, wrote it as itself',
    }),
    addressed_users: Type.Array(Uuid),
    addressed_teams: Type.Array(Uuid),
    attachments: Type.Array(Type.Unknown()),
    mentions: Type.Array(Mention),
    sidebars: Type.Array(Shared(Sidebar), { description: 'Those that the caller is in' }),
    events: Type.Array(MessageEvent, { description: 'The latest edits, the newest last, or the deletion' }),
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
    subject_id: Type.Optional(
      Type.Unsafe<string>({ ...Uuid, description: 'Of the subject, which keeps it when it is renamed' }),
    ),
    format: ShownFormat,
    blocks: Type.Optional(ShownBlocks),
    reply_to: Type.Optional(
      Type.Unsafe<string>({ ...Uuid, description: 'Of a reply: the message that it answers' }),
    ),
    addressed_application: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'Of what a person and an application write to each other, both ways: the application',
      }),
    ),
    team: Type.Optional(
      Type.Unsafe<string>({ ...Uuid, description: 'Of these: the team in which it is installed' }),
    ),
    sidebar: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'Of a message in a sidebar' })),
    reactions: Type.Optional(
      Type.Array(
        Type.Object({
          emoji: Type.String(),
          num: Type.Integer({ description: 'How many people reacted with it, in any skin tone' }),
          mine: Type.Optional(
            Type.Boolean({ description: 'Whether the caller did; missing in what is for all' }),
          ),
        }),
        { description: 'In the order of the first of each; missing where there are none' },
      ),
    ),
    pinned: Type.Optional(Type.Boolean({ description: 'True where its team has pinned it; else missing' })),
    saved: Type.Optional(
      Type.Boolean({ description: 'True where the caller has saved it; else missing, and for applications' }),
    ),
    unfurls: Type.Optional(
      Type.Array(Shared(Unfurl), {
        description:
          'What links in the text lead to, as their applications show it, or as foreign pages say of themselves; missing where there is nothing',
      }),
    ),
    pictures: Type.Optional(
      Type.Record(Type.String(), Picture, {
        description:
          'Pictures of the blocks, by their `image_url`, as this server has fetched them; missing while it has none',
      }),
    ),
  },
  { $id: 'Message' },
);
export type Message = Static<typeof Message>;

/** Files, links and items of a message together. */
export const MAX_ATTACHMENTS = 20;
/** People to whom a message goes. */
export const MAX_ADDRESSEES = 500;

/** The forms of a message's fields. They are read by hand, so that 4003 to 4008 can say what is wrong. */
const Texts = Type.Array(Type.String(), { maxItems: MOST_ITEMS });
const Ids = Type.Array(Uuid, { maxItems: MAX_ADDRESSEES });
const NewMention = Type.Object({
  type: Type.Literal('appobject'),
  id: Uuid,
  name: Type.Optional(Type.String({ description: 'What the link says; default: the object’s own name' })),
});
const FilesAndLinks = Type.Object(
  {
    files: Type.Optional(Type.Array(Uuid, { maxItems: MAX_ATTACHMENTS, description: 'Ids of uploads' })),
    links: Type.Optional(
      Type.Array(Type.Object({ url: Type.String(), title: Type.Optional(Type.String()) }), {
        maxItems: MAX_ATTACHMENTS,
      }),
    ),
  },
  { additionalProperties: false, description: 'Uploads and links' },
);
const OwnItem = Type.Unsafe<object>({
  type: 'object',
  additionalProperties: true,
  not: { type: 'object', additionalProperties: false, properties: { files: {}, links: {} } },
  description: 'An item of your own, kept as it is',
});

const ATTACHMENTS = [
  FilesAndLinks,
  Type.Array(Type.Unknown({ description: 'An item of your own, kept as it is' }), {
    maxItems: MAX_ATTACHMENTS,
  }),
  OwnItem,
] as const;

export const NewMessage = Type.Object({
  text: Type.Optional(ByHand('A text, or a list of texts that are joined by newlines', Type.String(), Texts)),
  format: Type.Optional(
    ByHand(
      '`plain`: the text is shown exactly as it was written. Addresses are links and names call people as ever',
      Type.Literal('plain'),
      Type.Null(),
    ),
  ),
  blocks: Type.Optional(BlocksByHand),
  addressed_teams: Type.Optional(ByHand('At most one team', Type.Array(Uuid, { maxItems: 1 }))),
  subject: Type.Optional(
    ByHand(
      'Of a message to a team: what it is about, by its name. A name that the team does not have yet begins a subject. Replies are about what their message is about',
      Type.String({ maxLength: 120 }),
      Type.Null(),
    ),
  ),
  addressed_users: Type.Optional(
    ByHand(
      'Users by their ids, or also by their addresses',
      Ids,
      Type.Object({
        ids: Type.Optional(Ids),
        emails: Type.Optional(Type.Array(Type.String({ format: 'email' }), { maxItems: MAX_ADDRESSEES })),
      }),
    ),
  ),
  addressed_application: Type.Optional(
    ByHand('An application that `team` has installed: the message goes to it alone', Uuid),
  ),
  team: Type.Optional(ByHand('Of `addressed_application`; elsewhere it says nothing', Uuid)),
  mentions: Type.Optional(
    ByHand(
      'At most one object of the calling application',
      Type.Array(NewMention, { maxItems: 1 }),
      NewMention,
    ),
  ),
  attachments: Type.Optional(ByHand('Uploads and links, or anything of your own', ...ATTACHMENTS)),
});
export type NewMessage = Static<typeof NewMessage>;

/** The body of a post. */
export const NewPost = Type.Object({
  ...NewMessage.properties,
  reply_to: Type.Optional(
    ByHand('Refused: an answer is posted at `POST /v1/messages/{message}/replies`', Type.Null()),
  ),
});

/** The body of a reply or of a message in a sidebar. It goes to everybody who sees the conversation. */
export const NewReply = Type.Pick(NewMessage, ['text', 'format', 'blocks', 'mentions', 'attachments']);

/** An edit, and what moves a conversation to another subject. */
export const MessageEdit = Type.Object({
  text: NewMessage.properties.text,
  format: Type.Optional(
    ByHand(
      '`plain`, or null for a text with formatting. Without it, what the message had stays',
      Type.Literal('plain'),
      Type.Null(),
    ),
  ),
  blocks: Type.Optional(
    Type.Unsafe<unknown>({
      ...BlocksByHand,
      description:
        'In the place of those that it has; null: none. A text that was made of blocks is made again',
    }),
  ),
  attachments: Type.Optional(
    ByHand(
      '`{files, links}` replaces those that it names, `links` also items of your own; what it does not name stays. A list, or an item of your own, replaces them all: `[]` leaves none. Without it, or with null, nothing changes',
      ...ATTACHMENTS,
    ),
  ),
  subject: Type.Optional(
    ByHand(
      'Moves a conversation of a team to another subject, by its name; null: to none',
      Type.String({ maxLength: 120 }),
      Type.Null(),
    ),
  ),
});

/** Cards of one application at one message. */
export const MAX_UNFURLS = 5;
const MAX_UNFURL_FIELDS = 4;
/** In characters. */
export const MAX_UNFURL_TEXT = 500;

export const NewUnfurls = Type.Object({
  unfurls: Type.Array(
    Type.Object({
      url: Text(2000, {
        min: 1,
        description: 'A link to the application, as it stands in the message’s text',
      }),
      title: Name(200, 'Leads to the link'),
      text: Type.Optional(Line(MAX_UNFURL_TEXT)),
      fields: Type.Optional(
        Type.Array(Type.Object({ name: Name(40), value: Name(200) }), {
          maxItems: MAX_UNFURL_FIELDS,
          description: 'Facts beside each other, such as a state',
        }),
      ),
      blocks: Type.Optional(CardBlocksByHand),
    }),
    { maxItems: MAX_UNFURLS },
  ),
});
export type NewUnfurls = Static<typeof NewUnfurls>;

export const MAX_SIDEBAR_USERS = 100;

export const NewSidebar = Type.Object({
  users: Type.Array(Text(100), {
    minItems: 1,
    maxItems: MAX_SIDEBAR_USERS,
    description: 'Ids of users who see the message',
  }),
  text: NewMessage.properties.text,
  format: NewMessage.properties.format,
});
export type NewSidebar = Static<typeof NewSidebar>;

export const ReadUpTo = Type.Object({ up_to: Text(100, { description: 'The id of a message of the team' }) });

export const ListMeta = Type.Object({
  ...nextCursor,
  previous_cursor: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Of a list: the cursor of the page before this one; null at the beginning',
    }),
  ),
  snippets: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.Object({ text: Type.String(), match: Type.Boolean() })), {
      description: 'Of a search: for each message’s id the part of its text around what was found, in pieces',
    }),
  ),
});

export const With = Text(2000, {
  description: `Direct messages between exactly the caller and these people: their ids, separated by commas, at most ${MOST_PEOPLE}; the caller’s own alone for notes to oneself`,
});

export const Application = Type.String({
  format: 'uuid',
  description: 'Direct messages between the caller and this application in `team`',
});

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

export const MessagesQuery = Type.Object({
  team: Type.Optional(Type.String({ format: 'uuid', description: 'Of this team' })),
  subject: Type.Optional(
    Type.String({ format: 'uuid', description: 'About this subject of a team; goes without `with`' }),
  ),
  tag: Type.Optional(Type.Enum([...MESSAGE_TAGS])),
  with: Type.Optional(With),
  application: Type.Optional(Application),
  order: Type.Optional(Type.Enum(['newest', 'oldest'], { description: 'What comes first. Default: newest' })),
  around: Type.Optional(
    Text(100, {
      description: 'The id of a message of this list: answers the page that has it in its middle',
    }),
  ),
  at: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: LATEST,
      description:
        'Unix time in seconds: answers the page that has the first message from then on in its middle; the newest page where there is none',
    }),
  ),
  q: Type.Optional(
    Text(200, { description: 'Words, or beginnings of words, that all stand in the message' }),
  ),
  author: Type.Optional(Text(100, { description: 'Of a search: written by this user' })),
  after: Type.Optional(
    Type.Number({ description: 'Of a search: written at this time or later, in Unix seconds' }),
  ),
  before: Type.Optional(
    Type.Number({ description: 'Of a search: written before this time, in Unix seconds' }),
  ),
  has: Type.Optional(
    Type.Enum([...CONTAINED], {
      description: 'A search, also without `q`: holds an upload, a link, or mentions an object',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default: 50' })),
  cursor: Type.Optional(
    Text(500, { description: '`meta.next_cursor` or `meta.previous_cursor` of an answer to the same list' }),
  ),
});
export type MessagesQuery = Static<typeof MessagesQuery>;
