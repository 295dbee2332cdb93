import { lookUp, NotAllowed } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { ADMIN } from './team.schema.ts';
import { findTeamOf, type TeamView } from './team.store.ts';

/** The only way from an id to a team. @throws NotFound unless the user is a member */
export const accessTeam = (db: Reader, userId: string, id: string): Promise<TeamView> =>
  lookUp(id, (teamId) => findTeamOf.first(db, { teamId, userId }));

/** @throws NotFound unless the user is a member @throws NotAllowed for a member who is not an admin */
export async function accessTeamAsAdmin(db: Reader, userId: string, id: string): Promise<TeamView> {
  const team = await accessTeam(db, userId, id);
  if (team.membership_type !== ADMIN)
    throw new NotAllowed('not_admin', 'Only an admin of the team may do this');
  return team;
}
