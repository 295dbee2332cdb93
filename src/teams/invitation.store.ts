import { type Kysely, sql } from 'kysely';
import { inTextList } from '#platform/db/index.ts';
import type { Tables } from '#schema';
import { type InvitationRow, statement } from '#schema';

export const insertInvitation = statement<Omit<InvitationRow, 'accepted_at'>>()((q, p) =>
  q.insertInto('invitations').values({
    id: p.id,
    team_id: p.team_id,
    email: p.email,
    email_key: p.email_key,
    token_hash: p.token_hash,
    membership_type: p.membership_type,
    inviter_id: p.inviter_id,
    created_at: p.created_at,
    expires_at: p.expires_at,
    accepted_at: null,
    user_id: p.user_id,
  }),
);

/** Invitations that were not accepted, of inviters who may still invite: admins of the team whose account is open. */
const standing = (q: Kysely<Tables>) =>
  q
    .selectFrom('invitations')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.team_id', '=', 'invitations.team_id')
        .onRef('memberships.user_id', '=', 'invitations.inviter_id'),
    )
    .innerJoin('users', 'users.id', 'invitations.inviter_id')
    .where('invitations.accepted_at', 'is', null)
    .where('memberships.membership_type', '=', 1)
    .where('users.active', '=', 1);

export const listInvitations = statement<{ teamId: string; now: number }>()((q, p) =>
  standing(q)
    .selectAll('invitations')
    .where('invitations.team_id', '=', p.teamId)
    .where('invitations.expires_at', '>', p.now)
    .orderBy('invitations.id', 'desc')
    .limit(200),
);

/** Open invitations as an admin, to any of these addresses. */
export const listInvitedAdmins = statement<{ teamId: string; emailKeys: readonly string[]; now: number }>()(
  (q, p, dialect) =>
    standing(q)
      .select('invitations.email_key')
      .where('invitations.team_id', '=', p.teamId)
      .where('invitations.membership_type', '=', 1)
      .where('invitations.expires_at', '>', p.now)
      .where(inTextList(dialect, 'invitations.email_key', p.emailKeys)),
);

export const findOpenInvitation = statement<{ tokenHash: string; now: number }>()((q, p) =>
  standing(q)
    .innerJoin('teams', 'teams.id', 'invitations.team_id')
    .selectAll('invitations')
    .select(['teams.name as team_name', 'teams.color as team_color', 'teams.icon as team_icon'])
    .where('invitations.token_hash', '=', p.tokenHash)
    .where('invitations.expires_at', '>', p.now)
    .where('teams.active', '=', 1),
);

/** Invitations as an admin to the address of a user who is a member of the team already; in the order of teams. */
export const listAdminInvitationsOf = statement<{ userId: string; emailKey: string; now: number }>()((q, p) =>
  standing(q)
    .innerJoin('teams', 'teams.id', 'invitations.team_id')
    .innerJoin('memberships as invited', 'invited.team_id', 'invitations.team_id')
    .select(['invitations.id', 'invitations.team_id', 'invitations.email_key'])
    .select(['invitations.inviter_id', 'invitations.user_id'])
    .where('invitations.email_key', '=', p.emailKey)
    .where('invitations.membership_type', '=', 1)
    .where('invitations.expires_at', '>', p.now)
    .where('teams.active', '=', 1)
    .where('invited.user_id', '=', p.userId)
    .orderBy('invitations.team_id')
    .limit(200),
);

/** An earlier invitation of this admin to the address, even if it has expired. */
export const findInvitationTo = statement<{ teamId: string; emailKey: string; inviterId: string }>()((q, p) =>
  q
    .selectFrom('invitations')
    .selectAll()
    .where('team_id', '=', p.teamId)
    .where('email_key', '=', p.emailKey)
    .where('inviter_id', '=', p.inviterId)
    .where('accepted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1),
);

export const renewInvitation = statement<
  Pick<InvitationRow, 'id' | 'email' | 'membership_type' | 'expires_at' | 'user_id'>
>()((q, p) =>
  q
    .updateTable('invitations')
    .set({
      email: p.email,
      membership_type: p.membership_type,
      expires_at: p.expires_at,
      user_id: p.user_id,
    })
    .where('id', '=', p.id),
);

/** Whose invitations: an account, with its address where that is proved. */
export interface Invited {
  readonly userId: string;
  readonly emailKey: string;
  /** 1 where invitations of the address are theirs, too: 0 for an address that may be somebody else's. */
  readonly proved: number;
  readonly now: number;
}

const isProved = ({ proved }: Invited) => sql<boolean>`CAST(${proved} AS integer) = 1`;

/** The newest invitation of somebody to each team of which they are no member. */
const ownInvitations = (q: Kysely<Tables>, p: Invited) =>
  standing(q)
    .innerJoin('teams', 'teams.id', 'invitations.team_id')
    .leftJoin('memberships as own', (join) =>
      join.onRef('own.team_id', '=', 'invitations.team_id').on('own.user_id', '=', p.userId),
    )
    .leftJoin('invitations as newer', (join) =>
      join
        .onRef('newer.team_id', '=', 'invitations.team_id')
        .onRef('newer.email_key', '=', 'invitations.email_key')
        .onRef('newer.id', '>', 'invitations.id')
        .on('newer.accepted_at', 'is', null)
        .on('newer.expires_at', '>', p.now)
        .on((on) => on.or([on('newer.user_id', '=', p.userId), isProved(p)])),
    )
    .where('invitations.email_key', '=', p.emailKey)
    .where((eb) => eb.or([eb('invitations.user_id', '=', p.userId), isProved(p)]))
    .where('invitations.expires_at', '>', p.now)
    .where('teams.active', '=', 1)
    .where('own.user_id', 'is', null)
    .where('newer.id', 'is', null);

export const pageOfOwnInvitations = statement<Invited & { before: string; limit: number }>()((q, p) =>
  ownInvitations(q, p)
    .select(['invitations.id', 'invitations.team_id', 'invitations.inviter_id'])
    .select(['invitations.membership_type', 'invitations.expires_at'])
    .select(['teams.name', 'teams.description', 'teams.color', 'teams.icon'])
    .where('invitations.id', '<', p.before)
    .orderBy('invitations.id', 'desc')
    .limit(p.limit),
);

export const findOwnInvitation = statement<Invited & { id: string }>()((q, p) =>
  ownInvitations(q, p)
    .selectAll('invitations')
    .select('teams.name as team_name')
    .where('invitations.id', '=', p.id),
);

/** All to one address that were not accepted. */
export const deleteInvitationsToAddress = statement<{ teamId: string; emailKey: string }>()((q, p) =>
  q
    .deleteFrom('invitations')
    .where('team_id', '=', p.teamId)
    .where('email_key', '=', p.emailKey)
    .where('accepted_at', 'is', null)
    .returning('user_id'),
);

/** A user's open invitations as an admin of one team. */
export const deleteInvitationsBy = statement<{ teamId: string; inviterId: string }>()((q, p) =>
  q
    .deleteFrom('invitations')
    .where('team_id', '=', p.teamId)
    .where('inviter_id', '=', p.inviterId)
    .where('accepted_at', 'is', null),
);

/** A user's open invitations in all teams. */
export const deleteEveryInvitationBy = statement<{ inviterId: string }>()((q, p) =>
  q.deleteFrom('invitations').where('inviter_id', '=', p.inviterId).where('accepted_at', 'is', null),
);

/** Finds which of these addresses belong to members. */
export const listMemberAddresses = statement<{ teamId: string; emailKeys: readonly string[] }>()(
  (q, p, dialect) =>
    q
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select('users.email_key')
      .where('memberships.team_id', '=', p.teamId)
      .where(inTextList(dialect, 'users.email_key', p.emailKeys)),
);

/** Marks an open invitation as accepted. Of concurrent callers, only one gets a row. */
export const closeInvitation = statement<{ id: string; now: number }>()((q, p) =>
  q
    .updateTable('invitations')
    .set({ accepted_at: p.now })
    .where('id', '=', p.id)
    .where('accepted_at', 'is', null)
    .returning('id'),
);

/** Gives no row when there is no such open invitation. */
export const deleteInvitation = statement<{ id: string; teamId: string; now: number }>()((q, p) =>
  q
    .deleteFrom('invitations')
    .where('id', '=', p.id)
    .where('team_id', '=', p.teamId)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returning(['id', 'email_key', 'membership_type', 'user_id']),
);
