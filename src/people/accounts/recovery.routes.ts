import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Conflict, defineRoute, NotAllowed, NotFound, type RateLimits, Text, TooManyRequests } from '#api';
import type { Database } from '#platform/db/index.ts';
import { emailKey, Password } from '../users/index.ts';
import type { DeviceService } from './device.ts';
import { ApplicationsAfter } from './password-body.ts';
import type { RecoveryService } from './recovery.service.ts';
import { whereabouts } from './whereabouts.ts';

export interface RecoveryDeps {
  readonly db: Database;
  readonly recovery: RecoveryService;
  readonly devices: DeviceService;
  readonly limiter: RateLimits;
  /** Mails a minute for one account; undefined for no limit. */
  readonly mailsPerAccount: number | undefined;
}

const TokenParams = Type.Object({ token: Type.String() });
const tag = 'Accounts';

export function recoveryRoutes(app: FastifyInstance, deps: RecoveryDeps): void {
  const { db, recovery, devices, limiter, mailsPerAccount } = deps;

  /** Bounds the mails that others can send to one mailbox. */
  function countMail(account: string): void {
    if (mailsPerAccount === undefined) return;
    const { exceeded, reset } = limiter.take({ name: 'mail', quota: mailsPerAccount }, account);
    if (exceeded) throw new TooManyRequests('mail', reset);
  }

  defineRoute(app, {
    method: 'POST',
    path: '/v1/password_resets',
    access: 'anyone',
    strict: true,
    notRepeatable: true,
    tag,
    summary: 'Mail a link that sets a new password',
    description: 'The answer does not tell whether the address has an account.',
    body: Type.Object({ email: Text(254) }),
    handle: async ({ body }) => {
      const request = recovery.prepareReset(body.email);
      countMail(emailKey(body.email));
      await db.write(request);
      return [];
    },
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/password_resets/:token',
    access: 'anyone',
    strict: true,
    tag,
    summary: 'Set a new password with the token of a mailed link; ends all sessions',
    params: TokenParams,
    body: Type.Object({ password: Password, applications: ApplicationsAfter('end') }),
    errors: [NotFound],
    handle: async ({ params, body, request, reply }) => {
      const given = { password: body.password, applications: body.applications ?? 'end' };
      const from = whereabouts(request, devices);
      const reset = await recovery.preparePasswordReset(params.token, given, from);
      // Access to the mailbox proves the owner, so this browser is exempt from the throttling of other sources.
      devices.remember(request, reply, await db.write(reset));
      return [];
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/email_verifications',
    access: 'session',
    strict: true,
    tag,
    summary: 'Mail another link that confirms one’s address',
    errors: [Conflict],
    handle: ({ principal, request, write }) => {
      countMail(principal.userId);
      return write(async (tx) => {
        await recovery.askAgainToVerify(tx, principal.userId, request.ip);
        return [];
      });
    },
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/email_verifications/:token',
    access: 'session',
    strict: true,
    tag,
    summary: 'Confirm one’s address with the token of a mailed link',
    description:
      'In a session of the account that it was mailed for. In another one: 4030, `other_account`. A mail may reach somebody who did not ask for it.',
    params: TokenParams,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await recovery.verify(tx, params.token, principal.userId);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/email_verifications/:token',
    access: 'anyone',
    strict: true,
    tag,
    summary: 'Say that one did not make the account that a link was mailed for; closes it',
    description:
      'Refused (4090) once the address is confirmed, and for the last administrator of the server. An administrator can open the account again.',
    params: TokenParams,
    errors: [NotFound, Conflict],
    handle: async ({ params, request }) => {
      await db.write((tx) => recovery.disown(tx, params.token, request.ip));
      return [];
    },
  });
}
