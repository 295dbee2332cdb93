import { timestamp } from '#api';
import type { Database } from '#platform/db/index.ts';
import { type ExportPart, listPart } from '../stewardship/exports/index.ts';
import { type MembershipWithTeam, pageOfMemberships } from './team.store.ts';

export const membershipsPart = (db: Database): ExportPart =>
  listPart<MembershipWithTeam>(
    'memberships.json',
    (page) => pageOfMemberships.all(db, page),
    (row) => row.team_id,
    presentMembership,
  );

function presentMembership(row: MembershipWithTeam) {
  const { team_id, membership_type, is_muted, is_favorite, inviter_id, created_at, updated_at } = row;
  return {
    team: { id: team_id, name: row.team_name, active: row.team_active === 1 },
    membership_type,
    is_muted: is_muted === 1,
    is_favorite: is_favorite === 1,
    inviter: inviter_id,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  };
}
