import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  attribute,
  Conflict,
  defineRoute,
  NotAllowed,
  NotAuthorized,
  NotFound,
  Shared,
  Text,
  Timestamp,
  timestamp,
  Uuid,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import {
  addressConflict,
  languageAsked,
  PasswordChange,
  SessionUser,
  SignUp,
  type UserService,
} from '../users/index.ts';
import type { AccountService } from './account.service.ts';
import type { DeviceService } from './device.ts';
import { ApplicationsAfter } from './password-body.ts';
import type { SessionService } from './session.service.ts';
import { ownSession, whereabouts } from './whereabouts.ts';

const Session = Type.Object({
  id: Uuid,
  current: Type.Boolean(),
  confirmed: Type.Boolean({ description: 'Sensitive acts in it need no password for now' }),
  user_agent: Type.String(),
  address: Type.String(),
  created_at: Timestamp,
  seen_at: Timestamp,
});

export interface AccountDeps {
  readonly db: Database;
  readonly users: UserService;
  readonly accounts: AccountService;
  readonly sessions: SessionService;
  readonly record: Recorder;
  readonly devices: DeviceService;
}

export function accountRoutes(app: FastifyInstance, deps: AccountDeps): void {
  const { db, users, accounts, sessions, record, devices } = deps;

  defineRoute(app, {
    method: 'POST',
    path: '/v1/users',
    access: 'anyone',
    strict: 'sign_in',
    notRepeatable: true,
    tag: 'Accounts',
    summary: 'Sign up; sets the session cookie',
    description:
      'The first account of a server administers it. Where other machines can reach the server, it needs the token ' +
      'of the link that the start prints. Without `language`, mails are in the one that `Accept-Language` prefers.',
    body: SignUp,
    item: Shared(SessionUser),
    errors: [Conflict, NotAllowed, NotFound],
    handle: async ({ body, request, reply }) => {
      const language = body.language ?? languageAsked(request.headers);
      const fields = { ...body, language };
      const signUp = await accounts.prepareSignUp(fields, request, whereabouts(request, devices));
      const made = await db.write(async (tx) => {
        const account = await signUp(tx);
        if (!account) return undefined;
        const token = await sessions.begin(tx, account.id, request);
        return { token, user: await users.sessionUser(tx, account.id) };
      });
      if (!made) throw addressConflict();
      const { token, user } = made;
      sessions.setCookie(reply, token);
      devices.remember(request, reply, user.id);
      return [user];
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/sessions',
    access: 'anyone',
    strict: 'sign_in',
    notRepeatable: true,
    tag: 'Accounts',
    summary: 'Sign in; sets the session cookie',
    body: Type.Object({ email: Text(254), password: Text(1000) }),
    item: Shared(SessionUser),
    errors: [NotAuthorized],
    handle: async ({ body, request, reply }) => {
      const from = whereabouts(request, devices);
      const user = await accounts.verifySignIn(body.email, body.password, from);
      const { id } = user;
      const token = await db.write(async (tx) => {
        await accounts.lockPassword(tx, user);
        attribute(tx, { kind: 'user', id, address: request.ip });
        await record(tx, { action: 'sign_in.succeeded', target: ['user', id] });
        return sessions.begin(tx, id, request);
      });
      sessions.setCookie(reply, token);
      devices.remember(request, reply, id);
      return [await users.sessionUser(db, id)];
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/sessions',
    access: 'session',
    tag: 'Accounts',
    summary: 'Where one is signed in',
    item: Session,
    handle: async ({ principal }) =>
      (await sessions.list(principal.userId)).map((session) => ({
        id: session.id,
        current: session.id === principal.sessionId,
        confirmed: sessions.isConfirmed(session),
        user_agent: session.user_agent,
        address: session.address,
        created_at: timestamp(session.created_at),
        seen_at: timestamp(session.seen_at),
      })),
  });

  for (const path of ['/v1/sessions/current', '/v1/sessions/:session']) {
    defineRoute(app, {
      method: 'DELETE',
      path,
      access: 'session',
      // Signing out needs no password; signing out other sessions does.
      recent: !path.endsWith('current'),
      tag: 'Accounts',
      summary: path.endsWith('current') ? 'Sign out' : 'End a session',
      ...(path.includes(':') && { params: Type.Object({ session: Type.String() }) }),
      errors: [NotFound, NotAllowed],
      handle: async ({ principal, params, reply }) => {
        const id = (params as { session?: string }).session ?? (principal.sessionId as string);
        await db.write((tx) => sessions.end(tx, principal.userId, id));
        if (id === principal.sessionId) sessions.clearCookie(reply);
        return [];
      },
    });
  }

  defineRoute(app, {
    method: 'POST',
    path: '/v1/sessions/current/confirmation',
    access: 'session',
    strict: true,
    notRepeatable: true,
    tag: 'Accounts',
    summary: 'Confirm one’s password, which sensitive acts ask for (4030, `password_needed`)',
    description: 'Replaces the session cookie.',
    body: Type.Object({ password: Text(1000, { description: 'The caller’s own' }) }),
    handle: async ({ body, principal, request, reply, origin }) => {
      const own = ownSession(principal, request);
      await accounts.checkPassword(own, body.password, 'password');
      const token = await db.write(async (tx) => {
        attribute(tx, origin);
        await record(tx, { action: 'password.confirmed', target: ['user', own.userId] });
        return sessions.confirm(tx, own.sessionId, request);
      });
      if (token) sessions.setCookie(reply, token);
      return [];
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/users/me/password',
    access: 'session',
    strict: true,
    tag: 'Accounts',
    summary: 'Change the password; ends the other sessions',
    body: Type.Object({ ...PasswordChange.properties, applications: ApplicationsAfter('keep') }),
    handle: async ({ body, principal, request, write }) => {
      const own = ownSession(principal, request);
      const change = await accounts.preparePasswordChange(own, {
        ...body,
        applications: body.applications ?? 'keep',
      });
      return write(async (tx) => {
        await change(tx);
        return [];
      });
    },
  });
}
