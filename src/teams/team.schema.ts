import { type Static, Type } from 'typebox';
import { COLOR, EXPECTS, Expecting, Line, Name, Nullable, Shared, Text, Timestamp, Uuid } from '#api';
import { Image, UserSummary } from '../people/users/index.ts';

export const ADMIN = 1;
export const MEMBER = 2;

/** The team object of part 2.5. */
export const Team = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    color: Type.String(),
    icon: Type.String(),
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
});

export const TeamChange = Type.Partial(NewTeam);

export const MembershipType = Type.Unsafe<typeof ADMIN | typeof MEMBER>({
  type: 'integer',
  enum: [ADMIN, MEMBER],
  [EXPECTS]: 'must be 1 (admin) or 2 (member)',
  description: '1 admin, 2 member',
});

export const NewInvitations = Type.Object({
  emails: Type.Array(Text(254), { minItems: 1, maxItems: 100 }),
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
