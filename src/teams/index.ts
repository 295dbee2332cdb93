export { teamAdministrationRoutes } from './administration.routes.ts';
export { teamAdministration } from './administration.service.ts';
export { CalledPeople } from './calling.schema.ts';
export { callingService } from './calling.service.ts';
export { type ConnectionService, connectionService } from './connection.service.ts';
export { shareTeam } from './connection.store.ts';
export { domainRuleRoutes } from './domain-rule.routes.ts';
export { type DomainRuleService, domainRuleService, MOST_DOMAIN_RULES } from './domain-rule.service.ts';
export { claimTeams, deleteInvitationsTo, forgetRemovals, forgetWaitingJoins } from './erasing.store.ts';
export { MOST_IN_GROUP, PeopleGroup } from './group.schema.ts';
export { groupService, MOST_GROUPS } from './group.service.ts';
export { findInGroups, listInGroups, listMembersAmong } from './group.store.ts';
export {
  endInvitationsBy,
  findAcceptableInvitation,
  type InvitationListener,
  type InvitationService,
  invitationHash,
  invitationService,
} from './invitation.service.ts';
export { findOpenInvitation } from './invitation.store.ts';
export { type JoinLinkService, joinLinkService, MOST_JOIN_LINKS } from './join-link.service.ts';
export { joinedService } from './joined.service.ts';
export { lockToAdmit } from './joining.ts';
export { memberWriter } from './member.writer.ts';
export { membershipsPart } from './membership.export.ts';
export { openTeamService } from './open-team.service.ts';
export { ownWriter } from './own.writer.ts';
export {
  addSubjectsRead,
  lockCursor,
  readTeams,
  returnSequences,
  setCursor,
  setCursorAmongSubjects,
  type TeamCursor,
  takeSequences,
} from './stream.store.ts';
export { accessTeam, accessTeamAsAdmin } from './team.access.ts';
export { presentTeam } from './team.present.ts';
export { teamRoutes } from './team.routes.ts';
export { ADMIN, Membership, Team } from './team.schema.ts';
export { type TeamChange, type TeamListener, type TeamService, teamService } from './team.service.ts';
export { eachMember, membersStep, teamStep } from './team.steps.ts';
export {
  findMember,
  findWorkingAdmin,
  listCursors,
  listMembers,
  listTeams,
  lockMembership,
  lockTeam,
  ofPerson as teamsOfPerson,
  teamsOf,
  unmuteTeam,
  unreadOfTeams,
} from './team.store.ts';
