import { listPageById, lookUp, NotAllowed, NotFound, type Page, timestamp } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { HIGHEST_ID } from '#platform/ids.ts';
import { findUser } from '../people/users/index.ts';
import { refuseRemoved } from './join-link.service.ts';
import { lockToJoin } from './joining.ts';
import { MEMBER, type Membership, type OpenTeam } from './team.schema.ts';
import type { TeamService } from './team.service.ts';
import { findHolder, findMember, pageOfOpenTeams } from './team.store.ts';

export type OpenTeamService = ReturnType<typeof openTeamService>;

/** Teams that everybody on the server finds and may join. Of all others nobody outside learns anything. */
export function openTeamService(deps: {
  db: Database;
  teams: TeamService;
  /** Whether an account counts as one of the server once its address is proved: where mails are sent. */
  needsProof: boolean;
}) {
  const { db, teams, needsProof } = deps;

  /** An account that somebody made with an address of others is in no place to look around. @throws NotAllowed */
  async function refuseUnproved(reader: Reader, userId: string): Promise<void> {
    if (!needsProof || (await findUser.first(reader, { id: userId }))?.email_verified === 1) return;
    throw new NotAllowed('unconfirmed_address', 'Confirm your address to see and join open teams');
  }

  /** The newest first. */
  async function list(userId: string, page: Page) {
    await refuseUnproved(db, userId);
    const { rows, next } = await listPageById(page, ({ limit, before = HIGHEST_ID }) =>
      pageOfOpenTeams.all(db, { userId, before, limit }),
    );
    return { teams: rows.map(present), next };
  }

  /** For a member it changes nothing. @throws NotFound for any team that is not open @throws NotAllowed */
  async function join(tx: Tx, userId: string, id: string): Promise<Membership> {
    // Serialises a team that is being closed to others, and somebody who is being removed.
    const team = await lookUp(id, (known) => lockToJoin(tx, { userId, teamId: known }));
    const teamId = team.id;
    if (!(await findMember.first(tx, { teamId, userId }))) {
      if (team.active !== 1 || team.is_open !== 1) throw new NotFound();
      // They would be alone in it, without an admin.
      if (!(await findHolder.first(tx, { teamId }))) throw new NotFound();
      await refuseUnproved(tx, userId);
      await refuseRemoved(tx, teamId, userId);
      await teams.addMember(tx, { teamId, userId, type: MEMBER, inviterId: null });
    }
    return teams.membership(tx, userId, teamId);
  }

  return { list, join };
}

const present = ({
  last_message_at,
  is_member,
  ...team
}: Awaited<ReturnType<typeof pageOfOpenTeams.all>>[number]): OpenTeam => ({
  ...team,
  last_message_at: last_message_at === null ? null : timestamp(last_message_at),
  is_member: is_member === 1,
});
