import { type TSchema, Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#api';
import { type HeardKind, heardCatalogue, heardKinds } from './kinds.ts';

/** A part of the document, by its name among the components. */
const part = (name: string) => Type.Unsafe<unknown>({ $ref: `#/components/schemas/${name}` });

const MessageReference = Type.Object({ id: Uuid });

const content = {
  version: Type.Integer({ description: '1 as it was posted; each edit counts one more' }),
  text: Nullable(
    Type.String({
      description:
        'Of this version; `{0}` stands where the mentioned object’s link belongs. Null when it is not kept any more',
    }),
  ),
  blocks: Type.Optional(
    Type.Array(Type.Unknown(), {
      description: 'Of this version; their shapes are those of `Block` in openapi.json',
    }),
  ),
  author: Uuid,
  author_type: Type.String({
    description: '`user`; `application` where an application, or an incoming webhook, wrote it as itself',
  }),
  via_app: Nullable(
    Type.String({ format: 'uuid', description: 'The application that posted it for the author' }),
  ),
  reply_to: Nullable(Type.String({ format: 'uuid', description: 'The message that it answers' })),
  mentions: Type.Array(Type.Object({ type: Type.String(), id: Uuid, name: Type.String() }), {
    description: 'The object of an application that it links to',
  }),
  attachments: Type.Array(Type.Unknown()),
  created_at: Timestamp,
};

/** Of a message that was deleted since, events have the id alone. */
const HeardMessage = Type.Object(
  { id: Uuid, ...content },
  { description: 'A message at the version that the event tells of' },
);
const MaybeDeleted = Type.Object(
  { id: Uuid, ...Type.Partial(Type.Object(content)).properties },
  { description: 'The same; of a message that was deleted since, the id alone' },
);

const Links = Type.Array(Type.Object({ url: Type.String({ description: 'As it stands in the text' }) }), {
  description: 'Those to the application, each once, when `link.posted` is asked for',
});

const team = Uuid;
const about = {
  user: { team, user: Uuid },
  installation: { team, installation: Uuid },
  opened: {
    team,
    user: Uuid,
    id: Type.Unsafe<string>({ ...Uuid, description: 'Of the visit, which is told once' }),
    response_url: Type.String({ description: 'Where it is answered; a secret of the application' }),
  },
  person: {
    team,
    user: Uuid,
    status: Nullable(
      Type.Object({
        emoji: Nullable(Type.String()),
        text: Type.String(),
        until: Nullable(Timestamp),
      }),
    ),
    do_not_disturb_until: Nullable(Timestamp),
  },
  object: { team, object: Uuid, user: Uuid },
  highFive: { team, message: part('MessageReference'), user: Uuid },
  reaction: { team, message: part('MessageReference'), emoji: Type.String(), user: Uuid },
  pin: { team, message: part('MessageReference'), user: Uuid },
  subject: { team, subject: Type.Object({ id: Uuid, name: Type.String() }), user: Uuid },
  interaction: {
    team,
    kind: Type.Unsafe<string>({
      type: 'string',
      enum: ['action', 'options', 'command', 'shortcut', 'message_action', 'form', 'form_closed'],
      description:
        '`action`: pressed or chosen. `options`: asks for the options of an `external_select` that fit `value`. `command`: ' +
        'written in the composer. `shortcut`, `message_action`: chosen by its name, in a team or for a message. `form`, ' +
        '`form_closed`: a form was submitted, or closed without that',
    }),
    id: Type.Unsafe<string>({ ...Uuid, description: 'Of the click, which is told once' }),
    response_url: Type.String({ description: 'Where it is answered; a secret of the application' }),
    message: Type.Optional(part('MessageReference')),
    form: Type.Optional(
      Type.Object(
        {
          id: Uuid,
          hash: Type.String(),
          title: Type.String(),
          callback_id: Type.Optional(Type.String()),
          metadata: Type.Optional(Type.String()),
        },
        { description: 'Of what happens in a form' },
      ),
    ),
    user: Uuid,
    command: Type.Optional(Type.String({ description: 'Its name, without the slash' })),
    text: Type.Optional(Type.String({ description: 'The arguments of a command, as they were written' })),
    block_id: Type.Optional(Type.String()),
    action_id: Type.Optional(Type.String({ description: 'Missing of a command' })),
    value: Type.Optional(Type.String({ description: 'Of a button: what its application gave it' })),
    values: Type.Optional(Type.Array(Type.String())),
    state: Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: true,
        description:
          'What the elements of the message, the form or the home hold: `{block_id: {action_id: value or values}}`',
      }),
    ),
  },
  written: { team, message: part('MaybeDeletedMessage') },
  direct: { team, message: part('MaybeDeletedMessage'), user: Uuid },
};

const data: Readonly<Record<HeardKind, Readonly<Record<string, TSchema>>>> = {
  'message.posted': about.written,
  'reply.posted': about.written,
  mention: { team, message: part('HeardMessage'), links: Type.Optional(Links) },
  'link.posted': { team, message: part('HeardMessage'), links: Links },
  'message.edited': about.written,
  'message.deleted': { team, message: part('MessageReference') },
  'reaction.added': about.reaction,
  'reaction.removed': about.reaction,
  'high_five.given': about.highFive,
  'high_five.withdrawn': about.highFive,
  'message.pinned': about.pin,
  'message.unpinned': about.pin,
  'subject.created': about.subject,
  'subject.renamed': about.subject,
  'subject.closed': about.subject,
  'subject.reopened': about.subject,
  'member.joined': about.user,
  'member.left': about.user,
  'member.role_changed': about.user,
  'person.changed': about.person,
  'object.opened': about.object,
  interaction: about.interaction,
  'application.opened': about.opened,
  'direct.posted': about.direct,
  'direct.edited': about.direct,
  'direct.deleted': { team, message: part('MessageReference'), user: Uuid },
  'installation.created': about.installation,
  'installation.scopes_changed': about.installation,
  'installation.removed': about.installation,
};

/** As `HighFiveGiven`. */
export const nameOfKind = (kind: string): string =>
  kind
    .split(/[._]/)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('');

const eventOf = (kind: HeardKind) =>
  Type.Object(
    {
      id: Uuid,
      type: Type.String({ enum: [kind] }),
      timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
      data: Type.Object(data[kind]),
    },
    { description: heardCatalogue[kind]?.when ?? '' },
  );

/** The events in full, by their names: of the document of the events, and of the SDK. */
export const eventSchemas: Readonly<Record<string, TSchema>> = {
  MessageReference,
  HeardMessage,
  MaybeDeletedMessage: MaybeDeleted,
  ...Object.fromEntries(heardKinds.map((kind) => [`${nameOfKind(kind)}Event`, eventOf(kind)])),
  HeardEvent: Type.Unsafe<unknown>({
    description: 'Any event',
    anyOf: heardKinds.map((kind) => part(`${nameOfKind(kind)}Event`)),
  }),
};
