import { timestamp } from '#api';
import type { UserPresenter, UserSummary } from '../people/users/index.ts';
import type { Member, Membership, Team } from './team.schema.ts';
import type { MemberContent, MemberRow, OwnMembership, TeamView } from './team.store.ts';

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

export function presentTeam(team: Omit<TeamView, 'membership_type'>): Team {
  return {
    id: team.id,
    name: team.name,
    color: team.color,
    icon: team.icon,
    num_members: team.num_members,
    unread_count: team.unread_count,
    active: team.active === 1,
    created_at: timestamp(team.created_at),
    updated_at: timestamp(team.updated_at),
  };
}

export function presentMember(row: MemberContent, users: UserPresenter): Member {
  return {
    membership_type: row.membership_type,
    is_muted: row.is_muted,
    is_favorite: row.is_favorite,
    created_at: seconds(row.created_at),
    updated_at: seconds(row.updated_at),
    userid: row.id,
    user: users.summary(row),
  };
}

/** @param summaries of the member and of everybody who invited them */
export function presentOwn(
  row: OwnMembership,
  userId: string,
  summaries: ReadonlyMap<string, UserSummary>,
): Membership {
  return {
    membership_type: row.membership_type,
    is_muted: row.is_muted,
    is_favorite: row.is_favorite,
    created_at: seconds(row.joined_at),
    updated_at: seconds(row.changed_at),
    userid: userId,
    user: summaries.get(userId) as UserSummary,
    team: presentTeam(row),
    inviter: row.inviter_id === null ? null : (summaries.get(row.inviter_id) as UserSummary),
  };
}

export function presentMembership(row: MemberRow, team: Team, users: UserPresenter): Membership {
  return {
    ...presentMember(row, users),
    team,
    inviter: row.inviter_id === null ? null : users.summary(inviterOf(row, row.inviter_id)),
  };
}

function inviterOf(row: MemberRow, id: string) {
  return {
    id,
    first_name: row.inviter_first_name ?? '',
    last_name: row.inviter_last_name ?? '',
    username: row.inviter_username ?? '',
    title: row.inviter_title ?? '',
    active: row.inviter_active ?? 0,
    email: row.inviter_email ?? '',
    image_version: row.inviter_image_version,
    online_until: row.inviter_online_until ?? 0,
  };
}
