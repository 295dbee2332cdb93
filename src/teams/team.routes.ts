import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  callerOf,
  defineRoute,
  MEMBERS_ITSELF,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPageOrAll,
  refuseOtherTeam,
  refuseTokens,
  Shared,
  Text,
  turnOf,
} from '#api';
import { UserSummary } from '../people/users/index.ts';
import type { CallingService } from './calling.service.ts';
import type { ConnectionService } from './connection.service.ts';
import { groupRoutes } from './group.routes.ts';
import type { GroupService } from './group.service.ts';
import { invitationRoutes } from './invitation.routes.ts';
import type { InvitationService } from './invitation.service.ts';
import { joinLinkRoutes } from './join-link.routes.ts';
import type { JoinLinkService } from './join-link.service.ts';
import { joinedRoutes } from './joined.routes.ts';
import type { JoinedService } from './joined.service.ts';
import { openTeamRoutes } from './open-team.routes.ts';
import type { OpenTeamService } from './open-team.service.ts';
import { Membership, MembershipType, NewTeam, Team, TeamChange } from './team.schema.ts';
import type { TeamService } from './team.service.ts';

/** What a team admits, which no token changes. */
const SETTINGS = ['open', 'programs_notify', 'link_previews'] as const;
const TeamParams = Type.Object({ team: Type.String() });
const MemberParams = Type.Object({ team: Type.String(), user: Type.String() });
const UserIds = Type.Optional(
  Type.Array(Text(20_000), { maxItems: 500, description: 'User ids; commas separate too' }),
);
const tag = 'Teams';

export interface TeamRoutesDeps {
  readonly teams: TeamService;
  readonly invitations: InvitationService;
  readonly joinLinks: JoinLinkService;
  readonly openTeams: OpenTeamService;
  readonly joined: JoinedService;
  readonly groups: GroupService;
  readonly calling: CallingService;
  readonly connections: ConnectionService;
}

export function teamRoutes(app: FastifyInstance, deps: TeamRoutesDeps): void {
  teamItselfRoutes(app, deps.teams);
  memberRoutes(app, deps.teams);
  invitationRoutes(app, deps.invitations);
  joinLinkRoutes(app, deps.joinLinks);
  openTeamRoutes(app, deps.openTeams);
  joinedRoutes(app, deps.joined);
  groupRoutes(app, deps.groups, deps.calling);
  ownRoutes(app, deps);
}

function teamItselfRoutes(app: FastifyInstance, teams: TeamService): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams',
    access: 'session',
    tag,
    summary: 'Make a team; the caller is its admin',
    body: NewTeam,
    item: Shared(Team),
    handle: ({ body, principal, write }) =>
      write(async (tx) => [await teams.create(tx, principal.userId, body)]),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team',
    access: { scope: ['members:read'], ...MEMBERS_ITSELF },
    tag,
    summary: 'A team of the caller',
    params: TeamParams,
    item: Shared(Team),
    errors: [NotFound],
    handle: async ({ params, principal }) => {
      refuseOtherTeam(principal, params.team);
      return [await teams.get(callerOf(principal), params.team)];
    },
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/teams/:team',
    access: { scope: ['team:write'] },
    tag,
    summary: 'Change a team',
    description:
      'A token opens no team to everybody and closes none, and changes neither `programs_notify` nor `link_previews` (4031, `session`).',
    params: TeamParams,
    body: TeamChange,
    item: Shared(Team),
    errors: [NotFound, NotAllowed],
    handle: ({ params, body, principal, write }) => {
      refuseOtherTeam(principal, params.team);
      refuseTokens(
        principal,
        SETTINGS.some((field) => body[field] !== undefined),
      );
      return write(async (tx) => [await teams.change(tx, principal.userId, params.team, body)]);
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/teams/:team',
    access: 'session',
    recent: true,
    tag,
    summary: 'Close a team; its applications are uninstalled',
    params: TeamParams,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await teams.remove(tx, principal.userId, params.team);
        return [];
      }),
  });
}

function memberRoutes(app: FastifyInstance, teams: TeamService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/users',
    access: MEMBERS_ITSELF,
    tag,
    summary: 'The members of a team',
    description: 'All of them, unless `limit` or `cursor` is given.',
    compressed: true,
    params: TeamParams,
    query: Type.Object(pageQuery),
    item: Shared(Membership),
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const page = readPageOrAll(query, 'id');
      const { members, next } = await teams.members(
        callerOf(principal),
        turnOf(principal),
        params.team,
        page,
      );
      return new Answer(members, page.limit === undefined ? {} : { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/teams/:team/users/:user',
    access: 'session',
    recent: true,
    tag,
    summary: 'Change a member’s role',
    params: MemberParams,
    body: Type.Object({ membership_type: MembershipType }),
    item: Shared(Membership),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [
        await teams.changeRole(tx, principal.userId, params.team, params.user, body.membership_type),
      ]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/teams/:team/users/:user',
    access: { scope: ['members:write'] },
    tag,
    summary: 'Remove a member, or leave',
    description: 'A token removes no admin, and not the person for whom it acts (4031, `session`).',
    params: MemberParams,
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, principal, write }) => {
      refuseOtherTeam(principal, params.team);
      return write(async (tx) => {
        await teams.removeMember(tx, principal, params.team, params.user);
        return [];
      });
    },
  });
}

function ownRoutes(app: FastifyInstance, { teams, connections }: TeamRoutesDeps): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/teams',
    access: 'user',
    tag: 'Users',
    summary: 'The caller’s memberships; with `users`, the ids of the teams in common with them',
    compressed: true,
    query: Type.Object({ users: UserIds }),
    item: Type.Union([Type.String(), Shared(Membership)]),
    handle: async ({ query, principal }) => {
      const users = query.users?.filter((text) => text !== '');
      return users?.length
        ? connections.commonTeams(callerOf(principal), users)
        : new Answer(await teams.ownMemberships(callerOf(principal)), {});
    },
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/users/me/teams/:team',
    access: 'session',
    tag: 'Users',
    summary: 'Mute a team, or make it a favourite',
    params: TeamParams,
    body: Type.Object({
      is_muted: Type.Optional(Type.Boolean()),
      is_favorite: Type.Optional(Type.Boolean()),
    }),
    item: Shared(Membership),
    errors: [NotFound],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await teams.changeOwn(tx, principal.userId, params.team, body)]),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/connections',
    access: 'user',
    tag: 'Users',
    summary: 'The members of all teams of the caller',
    description: 'All of them, unless `limit` or `cursor` is given.',
    compressed: true,
    query: Type.Object({
      ...pageQuery,
      query: Type.Optional(Text(300, { description: 'Part of a name' })),
      usernames: Type.Optional(
        Type.Array(Text(100), { maxItems: 100, description: 'Only people with one of these user names' }),
      ),
      users: UserIds,
      team: Type.Optional(Text(100, { description: 'Only the members of this team of the caller' })),
      active: Type.Optional(Type.Boolean({ description: 'Only people whose account is open, or closed' })),
    }),
    item: Shared(UserSummary),
    meta: Type.Object({ ...nextCursor, num_connections: Type.Optional(Type.Integer()) }),
    errors: [NotFound],
    handle: async ({ query, principal }) => {
      const page = readPageOrAll(query, 'text', 'id');
      const { query: name, usernames, users: others = [], active, team } = query;
      if (team !== undefined) refuseOtherTeam(principal, team);
      const asked = {
        ...(name !== undefined && { name }),
        ...(usernames && { usernames }),
        ...(active !== undefined && { active }),
        ...(team !== undefined && { team }),
        users: others,
      };
      const { users, total, next } = await connections.list(callerOf(principal), asked, page);
      return new Answer(users, {
        ...(total !== undefined && { num_connections: total }),
        ...(page.limit !== undefined && { next_cursor: next }),
      });
    },
  });
}
