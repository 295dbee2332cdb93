import type { FastifyInstance } from 'fastify';
import type { Tx } from '#platform/db/index.ts';
import type { UserPresenter } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import {
  connectionService,
  type InvitationListener,
  invitationService,
  Membership,
  Team,
  type TeamListener,
  teamAdministration,
  teamAdministrationRoutes,
  teamRoutes,
  teamService,
} from '../teams/index.ts';
import { type AppParts, days, seconds } from './parts.ts';

/** Teams, their members, invitations and connections. */
export function joinTeams(
  parts: Pick<AppParts, 'config' | 'keys' | 'db' | 'clock' | 'baseUrl'>,
  deps: {
    present: UserPresenter;
    listeners: readonly TeamListener[];
    /** Runs in the transaction that restores a deleted team. */
    onRestore: (tx: Tx, teamId: string) => Promise<void>;
    onInvite: InvitationListener;
    record: Recorder;
  },
) {
  const { config, keys, db, clock, baseUrl } = parts;
  const { present, listeners, onRestore, onInvite, record } = deps;
  const teams = teamService({ db, clock, present, listeners, record });
  const invitations = invitationService({
    db,
    clock,
    teams,
    present,
    baseUrl,
    key: keys.cookie,
    lifetimeMs: seconds(config.INVITATION_LIFETIME),
    onInvite,
    record,
  });
  const connections = connectionService({ db, present });
  const retentionMs = days(config.TEAM_RETENTION);
  const administration = teamAdministration({ db, clock, teams, record, retentionMs });
  const restore: typeof administration.restore = async (tx, ...rest) => {
    const team = await administration.restore(tx, ...rest);
    await onRestore(tx, team.id);
    return team;
  };

  return {
    teams,
    invitations,
    schemas: [Team, Membership],
    routes(server: FastifyInstance) {
      teamRoutes(server, { teams, invitations, connections });
      teamAdministrationRoutes(server, { ...administration, restore });
    },
  };
}
