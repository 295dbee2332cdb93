import { Conflict, listPageById, lookUp, type Page, timestamp } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { TeamRow } from '#schema';
import type { Recorder } from '../stewardship/audit/index.ts';
import { ADMIN } from './team.schema.ts';
import type { TeamListener, TeamService } from './team.service.ts';
import { findMember, findWorkingAdmin, listTeams, lockTeam, reopenTeam } from './team.store.ts';

export type TeamAdministration = ReturnType<typeof teamAdministration>;

/** The actions that a server administrator may take on any team. Lists teams, not their content. */
export function teamAdministration(deps: {
  db: Database;
  clock: Clock;
  teams: TeamService;
  record: Recorder;
  publish: TeamListener;
  /** How long a deleted team can be restored. */
  retentionMs: number;
}) {
  const { db, clock, teams, record, publish, retentionMs } = deps;

  async function list(active: boolean | undefined, page: Page) {
    const { rows, next } = await listPageById(page, (bounds) => listTeams(db, { active, ...bounds }));
    return { teams: rows.map(present), next };
  }

  const lock = (tx: Tx, id: string): Promise<TeamRow> =>
    lookUp(id, (known) => lockTeam.first(tx, { id: known }));

  /** Restores the members, not the installations. @throws Conflict when it is too late, or no admin is left */
  async function restore(tx: Tx, actorId: string, id: string, adminId: string | undefined) {
    const team = await lock(tx, id);
    if (!(await reopenTeam.first(tx, { id: team.id, now: clock() }))) {
      throw team.active === 1
        ? new Conflict('active', 'The team was not deleted')
        : new Conflict('erased', 'The contents of the team are being erased, or were');
    }
    if (adminId !== undefined) await appoint(tx, actorId, team.id, adminId);
    if (!(await findWorkingAdmin.first(tx, { teamId: team.id })))
      throw new Conflict('no_admin', 'No admin is left in the team: name one of its members as `admin`');
    await record(tx, { action: 'team.restored', target: ['team', team.id], teamId: team.id });
    await publish(tx, { kind: 'restored', teamId: team.id });
    return present({ ...(await lock(tx, team.id)), has_admin: 1 });
  }

  /** For a team that loses its last admin. @throws NotFound unless it is a member */
  async function appoint(tx: Tx, actorId: string, id: string, memberId: string): Promise<void> {
    const team = await lock(tx, id);
    const member = await lookUp(memberId, (userId) => findMember.first(tx, { teamId: team.id, userId }));
    await teams.setRole(tx, member, ADMIN, actorId);
  }

  function present(team: TeamRow & { has_admin: number }) {
    return {
      id: team.id,
      name: team.name,
      num_members: team.num_members,
      has_admin: team.has_admin === 1,
      active: team.active === 1,
      created_at: timestamp(team.created_at),
      deleted_at: team.deleted_at === null ? null : timestamp(team.deleted_at),
      erased_after: team.deleted_at === null ? null : timestamp(team.deleted_at + retentionMs),
      erased: team.erasing === 1,
    };
  }

  return { list, restore, appoint };
}
