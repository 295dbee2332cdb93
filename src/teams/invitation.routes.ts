import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  demandPassword,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  refuseOtherTeam,
  refuseTokens,
  Shared,
} from '#api';
import type { InvitationService } from './invitation.service.ts';
import {
  ADMIN,
  Invitation,
  Membership,
  NewInvitations,
  OwnInvitation,
  ShownInvitation,
} from './team.schema.ts';

const TeamParams = Type.Object({ team: Type.String() });
const TokenParams = Type.Object({ token: Type.String() });
const OwnParams = Type.Object({ invitation: Type.String() });
const tag = 'Teams';
const mayInvite = { scope: ['members:write'] } as const;

export function invitationRoutes(app: FastifyInstance, invitations: InvitationService): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams/:team/invitations',
    access: mayInvite,
    strict: true,
    recent: { when: 'where somebody is invited as an admin' },
    tag,
    summary: 'Invite people; each answer holds a link that works once',
    description:
      'Inviting a person again renews the invitation and keeps its link. It ends when its inviter stops being an admin. ' +
      'A token invites no admins and nobody by name (4031, `session`), changes no invitation of an admin (4002), and its answer has no link: it is mailed.',
    params: TeamParams,
    body: NewInvitations,
    item: Invitation,
    errors: [NotFound, NotAllowed],
    handle: ({ params, body, principal, write }) => {
      refuseOtherTeam(principal, params.team);
      refuseTokens(principal, body.membership_type === ADMIN || body.users !== undefined);
      if (body.membership_type === ADMIN) demandPassword(principal);
      return write(async (tx) => {
        const how = { leavesAdmins: principal.grant !== undefined };
        const made = await invitations.invite(tx, principal.userId, params.team, body, how);
        // Anybody with the link joins by it, as the application's owner could.
        return principal.grant ? made.map((one) => ({ ...one, token: null, url: null })) : made;
      });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/invitations',
    access: mayInvite,
    tag,
    summary: 'The invitations that are still open',
    params: TeamParams,
    item: Invitation,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal }) => {
      refuseOtherTeam(principal, params.team);
      return invitations.list(principal.userId, params.team);
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/teams/:team/invitations/:invitation',
    access: mayInvite,
    tag,
    summary: 'Withdraw an invitation that is still open; its link works no more',
    description: 'A token withdraws no invitation as an admin (4031, `session`).',
    params: Type.Object({ team: Type.String(), invitation: Type.String() }),
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) => {
      refuseOtherTeam(principal, params.team);
      return write(async (tx) => {
        await invitations.withdraw(tx, principal.userId, params, () => refuseTokens(principal));
        return [];
      });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/invitations/:token',
    access: 'anyone',
    strict: true,
    tag,
    summary: 'Show an invitation to the holder of its link',
    params: TokenParams,
    item: ShownInvitation,
    errors: [NotFound],
    handle: async ({ params, reply }) => {
      reply.header('Cache-Control', 'no-store');
      return [await invitations.show(params.token)];
    },
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/invitations/:token',
    access: 'session',
    strict: true,
    tag,
    summary: 'Accept an invitation',
    params: TokenParams,
    item: Shared(Membership),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, principal, write }) =>
      write(async (tx) => [await invitations.accept(tx, params.token, principal.userId)]),
  });

  ownInvitationRoutes(app, invitations);
}

function ownInvitationRoutes(app: FastifyInstance, invitations: InvitationService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/invitations',
    access: 'session',
    tag: 'Users',
    summary: 'The caller’s open invitations, the newest first',
    description: 'Those by name, and those of the caller’s address once it is confirmed; one for each team.',
    query: Type.Object(pageQuery),
    item: OwnInvitation,
    meta: Type.Object(nextCursor),
    handle: async ({ query, principal }) => {
      const { invitations: own, next } = await invitations.listOwn(principal.userId, readPage(query, 'id'));
      return new Answer(own, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/users/me/invitations/:invitation',
    access: 'session',
    tag: 'Users',
    summary: 'Accept an invitation of one’s own',
    params: OwnParams,
    item: Shared(Membership),
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => [await invitations.acceptOwn(tx, params.invitation, principal.userId)]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/invitations/:invitation',
    access: 'session',
    tag: 'Users',
    summary: 'Decline an invitation; nobody is told',
    params: OwnParams,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await invitations.decline(tx, params.invitation, principal.userId);
        return [];
      }),
  });
}
