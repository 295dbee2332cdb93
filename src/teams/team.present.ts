import { timestamp } from '#api';
import type { UserPresenter } from '../people/users/index.ts';
import type { Member, Membership, Standing, Team } from './team.schema.ts';
import type { MemberContent, MemberRow, StandingContent, TeamContent } from './team.store.ts';

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

export function presentTeam(team: TeamContent): Team {
  return {
    id: team.id,
    name: team.name,
    color: team.color,
    icon: team.icon,
    description: team.description,
    open: team.is_open === 1,
    programs_notify: team.programs_notify === 1,
    link_previews: team.link_previews,
    num_members: team.num_members,
    unread_count: team.unread_count,
    active: team.active === 1,
    created_at: timestamp(team.created_at),
    updated_at: timestamp(team.updated_at),
  };
}

export const presentStanding = (row: StandingContent): Standing => ({
  membership_type: row.membership_type,
  is_muted: row.is_muted,
  is_favorite: row.is_favorite,
  created_at: seconds(row.created_at),
  updated_at: seconds(row.updated_at),
});

export const presentMember = (row: MemberContent, users: UserPresenter): Member => ({
  ...presentStanding(row),
  userid: row.id,
  user: users.summary(row),
});

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
