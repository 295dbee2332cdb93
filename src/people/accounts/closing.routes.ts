import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Conflict, defineRoute, NotFound, Text } from '#api';
import type { AccountService } from './account.service.ts';
import type { AccountStatusService } from './account-status.service.ts';
import type { DeletionService } from './deletion.service.ts';
import type { SessionService } from './session.service.ts';
import { ownSession } from './whereabouts.ts';

const Password = Type.Object({ password: Text(1000, { description: 'The caller’s own' }) });

export interface ClosingDeps {
  readonly accounts: AccountService;
  readonly standing: AccountStatusService;
  readonly deletion: DeletionService;
  readonly sessions: SessionService;
}

/** Deactivates or deletes an account. */
export function closingRoutes(app: FastifyInstance, deps: ClosingDeps): void {
  const { accounts, standing, deletion, sessions } = deps;

  defineRoute(app, {
    method: 'POST',
    path: '/v1/users/me/deactivation',
    access: 'session',
    strict: true,
    notRepeatable: true,
    tag: 'Accounts',
    summary: 'Close one’s account until an administrator opens it again; ends sessions and tokens',
    description:
      'Refused (4090) for the last admin of a team with other members, and for the last administrator of the server.',
    body: Password,
    errors: [Conflict, NotFound],
    handle: async ({ body, principal, request, write, reply }) => {
      await accounts.checkPassword(ownSession(principal, request), body.password, 'password');
      await write(async (tx) => {
        await standing.closeOwn(tx, principal.userId);
        return [];
      });
      sessions.clearCookie(reply);
      return [];
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me',
    access: 'session',
    strict: true,
    tag: 'Accounts',
    summary: 'Delete one’s account for good',
    description:
      'Refused (4090) while one owns applications, is the last admin of a team with other members, or the last ' +
      'administrator of the server; `message` names them. Messages stay, by "Deleted user".',
    body: Password,
    errors: [Conflict, NotFound],
    handle: async ({ body, principal, request, write, reply }) => {
      await accounts.checkPassword(ownSession(principal, request), body.password, 'password');
      await write(async (tx) => {
        await deletion.erase(tx, principal.userId);
        return [];
      });
      sessions.clearCookie(reply);
      return [];
    },
  });
}
