import type { FastifyInstance } from 'fastify';
import type { Recorder } from '../audit/index.ts';
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
import type { UserPresenter } from '../users/index.ts';
import { type AppParts, days, seconds } from './parts.ts';

/** Teams, their members, who is invited, and who knows whom. */
export function joinTeams(
  parts: Pick<AppParts, 'config' | 'db' | 'clock' | 'baseUrl'>,
  deps: {
    present: UserPresenter;
    listeners: readonly TeamListener[];
    onInvite: InvitationListener;
    record: Recorder;
  },
) {
  const { config, db, clock, baseUrl } = parts;
  const { present, listeners, onInvite, record } = deps;
  const teams = teamService({ db, clock, present, listeners, record });
  const invitations = invitationService({
    db,
    clock,
    teams,
    present,
    baseUrl,
    lifetimeMs: seconds(config.INVITATION_LIFETIME),
    onInvite,
    record,
  });
  const connections = connectionService({ db, present });
  const retentionMs = days(config.TEAM_RETENTION);

  return {
    teams,
    invitations,
    schemas: [Team, Membership],
    routes(server: FastifyInstance) {
      teamRoutes(server, { teams, invitations, connections });
      teamAdministrationRoutes(server, teamAdministration({ db, clock, teams, record, retentionMs }));
    },
  };
}
