import type { FastifyInstance } from 'fastify';
import type { Tx } from '#platform/db/index.ts';
import { deleteTeamNotifications } from '../conversation/mails/index.ts';
import { deleteMarks, deleteSubjectCursors } from '../conversation/messages/index.ts';
import { forgetMute, forgetMutes } from '../conversation/mutes/index.ts';
import { forgetLevels } from '../conversation/pushes/index.ts';
import { summaryWriter, type UserPresenter, withoutAddresses } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import {
  CalledPeople,
  callingService,
  connectionService,
  domainRuleRoutes,
  domainRuleService,
  groupService,
  type InvitationListener,
  invitationService,
  joinedService,
  joinLinkService,
  Membership,
  memberWriter,
  openTeamService,
  ownWriter,
  PeopleGroup,
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
  parts: Pick<AppParts, 'config' | 'keys' | 'db' | 'clock' | 'baseUrl' | 'mailTransport'>,
  deps: {
    stopping: AbortSignal;
    present: UserPresenter;
    publish: TeamListener;
    onInvite: InvitationListener;
    onInvitationGone: (tx: Tx, userId: string, teamId: string) => Promise<void>;
    record: Recorder;
  },
) {
  const { config, keys, db, clock, baseUrl } = parts;
  const { present, publish, onInvite, onInvitationGone, record } = deps;
  const teams = teamService({
    stopping: deps.stopping,
    db,
    clock,
    present,
    writeMembers: memberWriter(present, baseUrl),
    writeMembersWithoutAddresses: memberWriter(withoutAddresses(present), baseUrl),
    writeOwn: ownWriter(present),
    publish,
    record,
    forgetMutes: forgetMutes.run,
    forget: [deleteMarks.run, deleteSubjectCursors.run, deleteTeamNotifications, forgetLevels],
    forgetMute,
  });
  const joinLinks = joinLinkService({
    db,
    clock,
    teams,
    baseUrl,
    key: keys.cookie,
    lifetimeMs: seconds(config.INVITATION_LIFETIME),
    canProve: parts.mailTransport !== undefined,
    record,
  });
  const domainRules = domainRuleService({
    db,
    clock,
    teams,
    canProve: parts.mailTransport !== undefined,
    record,
  });
  const invitations = invitationService({
    db,
    clock,
    teams,
    present,
    baseUrl,
    key: keys.cookie,
    lifetimeMs: seconds(config.INVITATION_LIFETIME),
    needsProof: parts.mailTransport !== undefined,
    profiles: config.PROFILE_VISIBILITY,
    onInvite,
    onGone: onInvitationGone,
    onProved: async (tx, user, first) => {
      await joinLinks.joinProved(tx, user);
      if (first) await domainRules.joinProved(tx, user);
    },
    record,
  });
  const openTeams = openTeamService({ db, teams, needsProof: parts.mailTransport !== undefined });
  const joined = joinedService({ db, present });
  const calling = callingService({ db, clock, present });
  const groups = groupService({ db, clock, publish, record });
  const connections = connectionService({ db, clock, writeSummary: summaryWriter(present, baseUrl) });
  const retentionMs = days(config.TEAM_RETENTION);
  const administration = teamAdministration({ db, clock, teams, record, publish, retentionMs });

  return {
    teams,
    invitations,
    joinLinks,
    domainRules,
    schemas: [Team, Membership, PeopleGroup, CalledPeople],
    routes(server: FastifyInstance) {
      teamRoutes(server, { teams, invitations, joinLinks, openTeams, joined, groups, calling, connections });
      teamAdministrationRoutes(server, administration);
      domainRuleRoutes(server, domainRules);
    },
  };
}
