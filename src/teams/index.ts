export { teamAdministrationRoutes } from './administration.routes.ts';
export { teamAdministration } from './administration.service.ts';
export { type ConnectionService, connectionService } from './connection.service.ts';
export { shareTeam } from './connection.store.ts';
export { claimTeams, deleteInvitationsTo } from './erasing.store.ts';
export {
  endInvitationsBy,
  type InvitationListener,
  type InvitationService,
  invitationHash,
  invitationService,
} from './invitation.service.ts';
export { findOpenInvitation } from './invitation.store.ts';
export { changeInvitationKey, pageOfInvitationKeys } from './invitation-keys.store.ts';
export { memberWriter } from './member.writer.ts';
export { membershipsPart } from './membership.export.ts';
export { ownWriter } from './own.writer.ts';
export {
  lockCursor,
  readTeams,
  returnPlaces,
  setCursor,
  type TeamCursor,
  takePlaces,
} from './stream.store.ts';
export { accessTeam, accessTeamAsAdmin } from './team.access.ts';
export { presentTeam } from './team.present.ts';
export { teamRoutes } from './team.routes.ts';
export { ADMIN, Membership, Team } from './team.schema.ts';
export { type TeamChange, type TeamListener, type TeamService, teamService } from './team.service.ts';
export { membersStep, teamStep } from './team.steps.ts';
export {
  findMember,
  findWorkingAdmin,
  listCursors,
  listMembers,
  listTeams,
  lockMembership,
  lockTeam,
  teamsOf,
  unmuteTeam,
  unreadOfTeams,
} from './team.store.ts';
