import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Conflict,
  callerOf,
  defineRoute,
  MAY_CHANGE_PROFILE,
  refuseTokens,
  Shared,
  UnknownUser,
  type UserPrincipal,
} from '#api';
import type { Database } from '#platform/db/index.ts';
import { ProfileChange, SessionUser, UserProfile } from './user.schema.ts';
import type { UserService } from './user.service.ts';

/** How the platform treats the person, and how others name them. */
const SETTINGS = [
  ...['username', 'prefs', 'language', 'time_zone', 'link_previews'],
  ...['status', 'do_not_disturb_until', 'invisible'],
] as const satisfies (keyof typeof ProfileChange.properties)[];

export function userRoutes(app: FastifyInstance, users: UserService, deps: { db: Database }): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me',
    access: 'user',
    tag: 'Users',
    summary: 'The user who is signed in, or on whose behalf the token acts',
    item: Shared(SessionUser),
    handle: async ({ principal }) => {
      const { userId, onlyTeam } = callerOf(principal);
      return [forCaller(principal, await users.sessionUser(deps.db, userId, onlyTeam))];
    },
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/users/me',
    access: MAY_CHANGE_PROFILE,
    tag: 'Users',
    summary: 'Change one’s own profile and preferences',
    description: 'A token changes the names, `title`, `location` and `company` alone (4031, `session`).',
    body: ProfileChange,
    item: Shared(SessionUser),
    errors: [Conflict],
    handle: ({ body, principal, write }) => {
      refuseTokens(
        principal,
        SETTINGS.some((field) => body[field] !== undefined),
      );
      const { userId, onlyTeam } = callerOf(principal);
      return write(async (tx) => {
        await users.change(tx, userId, body);
        return [forCaller(principal, await users.sessionUser(tx, userId, onlyTeam))];
      });
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/:user',
    access: 'user',
    tag: 'Users',
    summary: 'A user’s public profile',
    params: Type.Object({ user: Type.String() }),
    item: Shared(UserProfile),
    errors: [UnknownUser],
    handle: async ({ params, principal }) => [await users.profile(callerOf(principal), params.user)],
  });
}

/** Applications see a person who is invisible as others do. */
const forCaller = ({ grant }: UserPrincipal, user: SessionUser): SessionUser =>
  grant ? { ...user, invisible: false } : user;
