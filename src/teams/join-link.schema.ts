import { type Static, Type } from 'typebox';
import { Nullable, Text, Timestamp, Uuid } from '#api';
import { MembershipType } from './team.schema.ts';

export const NewJoinLink = Type.Object({
  expires_at: Type.Optional(
    Nullable(Type.Number({ description: 'Unix time in seconds. Without it the link does not expire' })),
  ),
  max_uses: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Without it there is no limit' })),
  ),
  domains: Type.Optional(
    Type.Array(Text(253), {
      maxItems: 20,
      description: 'Only for confirmed addresses in one of these domains, as `example.org`, exactly',
    }),
  ),
  membership_type: Type.Optional(MembershipType),
});
export type NewJoinLink = Static<typeof NewJoinLink>;

export const JoinLink = Type.Object({
  id: Uuid,
  url: Nullable(
    Type.String({ description: 'Null for a link from before the keys of the server were replaced' }),
  ),
  token: Nullable(Type.String()),
  membership_type: Type.Integer({ description: '1 admin, 2 member' }),
  domains: Type.Array(Type.String()),
  max_uses: Nullable(Type.Integer()),
  uses: Type.Integer(),
  expires_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type JoinLink = Static<typeof JoinLink>;

/** The content of the page behind a join link. */
export const ShownJoinLink = Type.Object({
  team: Type.Object({
    id: Uuid,
    name: Type.String(),
    description: Type.String(),
    color: Type.String(),
    icon: Type.String(),
  }),
  num_members: Type.Integer(),
  membership_type: Type.Integer({ description: '1 admin, 2 member' }),
  domains: Type.Array(Type.String(), {
    description: 'Only confirmed addresses in one of these domains may use it; empty for all',
  }),
  expires_at: Nullable(Timestamp),
});
export type ShownJoinLink = Static<typeof ShownJoinLink>;
