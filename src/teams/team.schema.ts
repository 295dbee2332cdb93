import { type Static, Type } from 'typebox';
import { COLOR, EXPECTS, Expecting, Line, Name, Nullable, Shared, Text, Timestamp, Uuid } from '#api';
import { Image, UserSummary } from '../people/users/index.ts';

export const ADMIN = 1;
export const MEMBER = 2;

/** Whose messages in a team get previews of foreign pages. */
const LinkPreviews = (description: string) =>
  Type.Unsafe<'off' | 'people' | 'all'>({ type: 'string', enum: ['off', 'people', 'all'], description });

/** The team object of part 2.5. */
export const Team = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    color: Type.String(),
    icon: Type.String(),
    description: Type.String({ description: 'What the team is for' }),
    open: Type.Boolean({ description: 'Everybody on the server finds it and may join' }),
    programs_notify: Type.Boolean({
      description: 'Whether `@team` and groups in messages of applications and webhooks notify anybody',
    }),
    link_previews: LinkPreviews(
      'Whose messages get previews of foreign pages: nobody’s, those of people, or also those of programs',
    ),
    num_members: Type.Integer(),
    unread_count: Type.Integer({ description: 'Unread messages of the caller' }),
    active: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Team' },
);
export type Team = Static<typeof Team>;

const { $id: _, ...summary } = UserSummary as typeof UserSummary & { $id: string };

/** How somebody is a member. */
export const Standing = Type.Object({
  membership_type: Type.Integer({ description: '1 admin, 2 member' }),
  is_muted: Type.Integer(),
  is_favorite: Type.Integer(),
  created_at: Type.Integer({ description: 'Unix time in seconds' }),
  updated_at: Type.Integer({ description: 'Unix time in seconds' }),
});
export type Standing = Static<typeof Standing>;

/** The part of a membership that is the same for all its callers. */
export const Member = Type.Object({ ...Standing.properties, userid: Uuid, user: Shared(UserSummary) });
export type Member = Static<typeof Member>;

/** Where somebody is a member, and by whom. */
export const Belonging = Type.Object({
  team: Shared(Team),
  inviter: Nullable(summary as typeof UserSummary),
});

/** The membership item of part 2.5. */
export const Membership = Type.Object(
  { ...Member.properties, ...Belonging.properties },
  { $id: 'Membership' },
);
export type Membership = Static<typeof Membership>;

const Color = Expecting(
  'must be a colour such as #1f6feb, or the name of one in CSS, such as teal or hot-pink',
  Type.String({
    format: COLOR,
    description: 'As #1f6feb, or a CSS name as teal or hot-pink; kept as it is given',
  }),
);

export const NewTeam = Type.Object({
  name: Name(100),
  color: Type.Optional(Color),
  icon: Type.Optional(Line(100, 'A short text or an emoji')),
  description: Type.Optional(Text(500, { description: 'What the team is for' })),
  open: Type.Optional(Type.Boolean({ description: 'Everybody on the server finds it and may join' })),
  programs_notify: Type.Optional(
    Type.Boolean({
      description:
        'Lets `@team` and groups in messages of applications and webhooks notify people; false at first',
    }),
  ),
  link_previews: Type.Optional(
    LinkPreviews(
      'Whether this server looks at foreign pages that messages link to: `off`, for `people`, or for `all`, programs too; `people` at first',
    ),
  ),
});

export const TeamChange = Type.Partial(NewTeam);

/** An open team, as everybody on the server finds it. */
export const OpenTeam = Type.Object({
  id: Uuid,
  name: Type.String(),
  description: Type.String(),
  color: Type.String(),
  icon: Type.String(),
  num_members: Type.Integer(),
  last_message_at: Nullable(Timestamp),
  is_member: Type.Boolean({ description: 'Whether the caller is in it' }),
});
export type OpenTeam = Static<typeof OpenTeam>;

export const MembershipType = Type.Unsafe<typeof ADMIN | typeof MEMBER>({
  type: 'integer',
  enum: [ADMIN, MEMBER],
  [EXPECTS]: 'must be 1 (admin) or 2 (member)',
  description: '1 admin, 2 member',
});

export const MOST_INVITED = 100;

export const NewInvitations = Type.Object({
  emails: Type.Optional(Type.Array(Text(254), { maxItems: MOST_INVITED })),
  users: Type.Optional(
    Type.Array(Text(100), {
      maxItems: MOST_INVITED,
      description:
        'Ids of people whose profile the caller may see. They accept in Parley, and their invitations have no link',
    }),
  ),
  membership_type: Type.Optional(MembershipType),
});

export const Invitation = Type.Object({
  id: Uuid,
  email: Type.String(),
  token: Nullable(Type.String({ description: 'In the answer that makes it; null in lists' })),
  url: Nullable(Type.String()),
  mailed: Nullable(
    Type.Boolean({
      description:
        'Whether a mail with the link was written when it was made; if not, send the link yourself',
    }),
  ),
  membership_type: Type.Integer(),
  expires_at: Timestamp,
});
export type Invitation = Static<typeof Invitation>;

/** An invitation as the invited person finds it. */
export const OwnInvitation = Type.Object({
  id: Uuid,
  team: Type.Object({
    id: Uuid,
    name: Type.String(),
    description: Type.String(),
    color: Type.String(),
    icon: Type.String(),
  }),
  inviter: summary as typeof UserSummary,
  membership_type: Type.Integer({ description: '1 admin, 2 member' }),
  expires_at: Timestamp,
});
export type OwnInvitation = Static<typeof OwnInvitation>;

/** The content of the page behind an invitation's link. */
export const ShownInvitation = Type.Object({
  team: Type.Object({ id: Uuid, name: Type.String(), color: Type.String(), icon: Type.String() }),
  inviter: Nullable(
    Type.Object(
      { first_name: Type.String(), last_name: Type.String(), image: Image },
      { description: 'Null when their account was deleted' },
    ),
  ),
  email: Type.String({ description: 'The invited address' }),
  membership_type: Type.Integer({ description: '1 admin, 2 member' }),
  expires_at: Timestamp,
  has_account: Type.Boolean({ description: 'Whether an account with this address exists' }),
});
export type ShownInvitation = Static<typeof ShownInvitation>;
