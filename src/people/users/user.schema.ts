import { type Static, Type } from 'typebox';
import { Expecting, Line, Name, Nullable, Text, Timestamp, Uuid } from '#api';

export const prefNames = [
  'email_on_team_invite',
  'email_on_team_removed',
  'email_on_reply_to_your_direct_message',
  'email_on_at_mention',
  'email_on_shift_update',
  'email_on_direct_message',
  'email_on_sidebar_message',
  'email_on_team_role_changed',
  'email_on_team_message',
  'email_on_reply_to_message_you_replied_to',
  // The ten above are those of the contract.
  'email_on_reply_to_your_message',
  'send_typing',
  'show_typing',
] as const;

export type PrefName = (typeof prefNames)[number];
export type Prefs = Record<PrefName, boolean>;

const prefs = <T>(value: T) =>
  Object.fromEntries(prefNames.map((name) => [name, value])) as Record<PrefName, T>;

/** The languages in which mails are written. */
export const languages = ['en', 'de', 'ar'] as const;
export type Language = (typeof languages)[number];
const Language = Type.Unsafe<Language>(Type.String({ enum: [...languages] }));

/** Everything is on by default. */
export const defaultPrefs: Prefs = prefs(true);

export const Image = Type.Object(
  {
    default: Type.String(),
    original: Type.String(),
    fullwidth: Type.String(),
    square300: Type.String(),
    icon: Type.String(),
  },
  { description: 'Addresses of the picture in its sizes: the uploaded one, or one with the initials' },
);

const username = Type.String({ description: 'Mentions the user in a text, after an @' });

const is_application = Type.Optional(
  Type.Boolean({ description: 'Set for an application, or an incoming webhook, that wrote as itself' }),
);

const Until = (description: string) => Nullable(Type.Number({ description }));

const Status = Type.Object({
  emoji: Nullable(Type.String()),
  text: Type.String(),
  until: Until('In seconds; null for good. Nobody is told when it has passed'),
});

/** How a person is, for others; each is there while it is so. */
const whereabouts = {
  status: Type.Optional(Status),
  do_not_disturb_until: Type.Optional(
    Type.Number({ description: 'In seconds: until then they are told of nothing' }),
  ),
};

/** Part 2.6 of the interface. */
export const UserSummary = Type.Object(
  {
    id: Uuid,
    first_name: Type.String(),
    last_name: Type.String(),
    username,
    title: Type.String(),
    relationship: Type.Integer(),
    active: Type.Boolean(),
    online: Type.Boolean({ description: 'Has a stream of live events open' }),
    images: Type.Array(Image, { description: 'The uploaded picture, if there is one' }),
    email: Type.String(),
    is_application,
    ...whereabouts,
  },
  { $id: 'UserSummary' },
);
export type UserSummary = Static<typeof UserSummary>;

/** Part 2.7. */
export const UserProfile = Type.Object(
  {
    id: Uuid,
    first_name: Type.String(),
    last_name: Type.String(),
    username,
    title: Type.String(),
    active: Type.Boolean({ description: 'Whether the account is open' }),
    online: Type.Boolean(),
    email: Type.String(),
    email_verified: Type.Boolean({
      description: 'Whether the person has proved the address by a mail to it',
    }),
    image: Image,
    images: Type.Array(Image, { description: 'The uploaded picture, if there is one' }),
    time_zone: Type.Optional(
      Type.String({ description: 'Where it is their time, as Europe/Berlin, if known' }),
    ),
    is_application,
    ...whereabouts,
  },
  { $id: 'UserProfile' },
);
export type UserProfile = Static<typeof UserProfile>;

const NullOnly = Type.Null();
const Anything = Type.Array(Type.Unknown());

export const UnreadCounts = Type.Object({
  teams: Type.Record(Type.String(), Type.Integer(), { description: 'Unread messages by team id' }),
  user: Type.Object({ total: Type.Integer(), direct: Type.Integer() }),
  tags: Type.Object({
    _sent: Type.Integer(),
    _other: Type.Integer(),
    _inbox: Type.Integer(),
    _direct: Type.Integer(),
    _unread: Type.Integer(),
  }),
});
export type UnreadCounts = Static<typeof UnreadCounts>;

const PublicSessionUser = {
  id: Uuid,
  username: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  title: Type.String(),
  location: Type.String(),
  company: Type.String(),
  origin: NullOnly,
  type: Type.Integer(),
  relationship: Type.Integer(),
  superuser: Type.Boolean({ description: 'Administers the server' }),
  developer: Type.Boolean({ description: 'Owns at least one application' }),
  active: Type.Boolean(),
  online: Type.Boolean(),
  is_mutual_connection: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  images: Type.Array(Image),
  alternate_emails: Anything,
  alternate_phone_numbers: Anything,
  pending_domains: Anything,
  companies: Anything,
  primary_phone_number: Type.Object({}),
  primary_email: Type.Object({
    id: Uuid,
    user_id: Uuid,
    address: Type.String(),
    verified: Type.Boolean(),
    company: Nullable(Type.String()),
  }),
};

/** Part 2.8. */
export const SessionUser = Type.Object(
  {
    ...PublicSessionUser,
    facebook_id: NullOnly,
    online_info: NullOnly,
    password: NullOnly,
    unread_counts: UnreadCounts,
    prefs: Type.Object(prefs(Type.Boolean())),
    language: Type.String({
      description: `Of mails: ${languages.map((name) => `\`${name}\``).join(', ')}`,
    }),
    time_zone: Nullable(Type.String({ description: 'As Europe/Berlin; null until a client has said it' })),
    status: Nullable(Status),
    do_not_disturb_until: Until('In seconds: until then one is told of nothing, which others see'),
    invisible: Type.Boolean({ description: 'Others see one offline' }),
    link_previews: Type.Object({
      shown: Type.Boolean({ description: 'Whether the person’s clients show previews of links' }),
      in_direct: Type.Boolean({
        description: 'Whether this server looks at pages that they link to in direct messages and sidebars',
      }),
    }),
  },
  { $id: 'SessionUser' },
);
export type SessionUser = Static<typeof SessionUser>;

/** The installer in a callback (part 2.9): the session user without their private fields. */
export const Installer = Type.Object(PublicSessionUser);
export type Installer = Static<typeof Installer>;

/** The shortest password, in characters. */
export const MIN_PASSWORD = 10;
export const Password = Text(1000, { min: MIN_PASSWORD, description: `${MIN_PASSWORD} characters or more` });

export const SignUp = Type.Object({
  email: Text(254, { min: 3 }),
  password: Password,
  first_name: Name(100),
  last_name: Line(100),
  title: Type.Optional(Line(200)),
  language: Type.Optional(Language),
  invitation: Type.Optional(Text(100, { description: 'The token of an invitation; joins its team' })),
  join_link: Type.Optional(
    Text(100, {
      description:
        'The token of a join link; joins its team. Where the link is for some domains, as soon as the address is confirmed',
    }),
  ),
  setup_token: Type.Optional(
    Text(100, { description: 'For the first account: what follows # in the link that the start prints' }),
  ),
});

export const ProfileChange = Type.Object({
  first_name: Type.Optional(Name(100)),
  last_name: Type.Optional(Line(100)),
  title: Type.Optional(Line(200)),
  location: Type.Optional(Line(200)),
  company: Type.Optional(Line(200)),
  username: Type.Optional(
    Expecting(
      'must be 1 to 64 letters, digits, dots, underscores or hyphens, and begin with a letter or digit',
      Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' }),
    ),
  ),
  prefs: Type.Optional(Type.Object(prefs(Type.Optional(Type.Boolean())))),
  language: Type.Optional(Language),
  time_zone: Type.Optional(Nullable(Text(64, { description: 'Where the person is, as Europe/Berlin' }))),
  status: Type.Optional(
    Nullable(
      Type.Object(
        {
          emoji: Type.Optional(Nullable(Text(64, { description: 'One emoji' }))),
          text: Type.Optional(Line(100)),
          until: Type.Optional(Until('In seconds; null for good')),
        },
        { description: 'What others see beside one’s name; null for none' },
      ),
    ),
  ),
  do_not_disturb_until: Type.Optional(
    Until(
      'In seconds: nothing is pushed to one’s devices until then, and others see it; null for not any more',
    ),
  ),
  invisible: Type.Optional(Type.Boolean({ description: 'Lets others see one offline' })),
  link_previews: Type.Optional(
    Type.Object({
      shown: Type.Optional(Type.Boolean({ description: 'Shows previews of links; true at first' })),
      in_direct: Type.Optional(
        Type.Boolean({
          description:
            'Lets this server look at pages that one’s own direct messages and sidebars link to; false at first',
        }),
      ),
    }),
  ),
});

export const PasswordChange = Type.Object({ current: Text(1000), password: Password });
