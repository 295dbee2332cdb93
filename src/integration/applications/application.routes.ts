import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Conflict, defineRoute, NotAllowed, NotFound, Shared, Uuid } from '#api';
import type { Database } from '#platform/db/index.ts';
import {
  Application,
  ApplicationChange,
  ApplicationWithSecret,
  ChangedApplication,
  ListedApplication,
  NewApplication,
  NewSecret,
  ProgressSteps,
  PublicApplication,
} from './application.schema.ts';
import type { ApplicationService } from './application.service.ts';
import type { Progress } from './progress.service.ts';

const Params = Type.Object({ application: Type.String() });
const tag = 'Applications';
export const DEFAULT_OVERLAP_S = 24 * 3600;
const MAX_OVERLAP_S = 30 * 24 * 3600;

export function applicationRoutes(
  app: FastifyInstance,
  deps: { db: Database; applications: ApplicationService; progress: Progress },
): void {
  const { db, applications, progress } = deps;

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications',
    access: 'session',
    recent: true,
    tag,
    summary: 'Register an application; the answer shows its secret this once, if it has one',
    body: NewApplication,
    item: ApplicationWithSecret,
    errors: [Conflict],
    handle: ({ body, principal, write }) =>
      write(async (tx) => [await applications.register(tx, principal.userId, body)]),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications',
    access: 'session',
    tag,
    summary: 'The caller’s own applications',
    item: ListedApplication,
    handle: ({ principal }) => applications.owned(principal.userId),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application',
    access: 'session',
    tag,
    summary: 'One of the caller’s own applications',
    params: Params,
    item: Shared(Application),
    errors: [NotFound],
    handle: async ({ params, principal }) => [await applications.get(principal.userId, params.application)],
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/progress',
    access: 'session',
    tag,
    summary: 'Steps that an application has completed, and when',
    params: Params,
    item: ProgressSteps,
    errors: [NotFound],
    handle: async ({ params, principal }) => {
      const application = await applications.accessOwn(db, principal.userId, params.application);
      return [{ steps: await progress.list(db, application) }];
    },
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/applications/:application',
    access: 'session',
    recent: { when: 'where an address changes or PKCE is switched off' },
    tag,
    summary: 'Change an application',
    params: Params,
    body: ApplicationChange,
    item: ChangedApplication,
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await applications.change(tx, principal, params.application, body)]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/applications/:application',
    access: 'session',
    recent: true,
    tag,
    summary: 'Delete an application; it is uninstalled everywhere',
    params: Params,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await applications.remove(tx, principal.userId, params.application);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/secret',
    access: 'session',
    tag,
    recent: true,
    summary: 'Make a new secret; the one before stays good for the overlap',
    description:
      'Of an application that sleeps until its owner takes it over, this wakes it: all secrets and webhook keys before ' +
      'are dead at once, whatever the overlap, and `webhook_keys` has the new ones.',
    params: Params,
    body: Type.Object({
      overlap_seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: MAX_OVERLAP_S, description: `Default: ${DEFAULT_OVERLAP_S}` }),
      ),
    }),
    item: NewSecret,
    errors: [NotFound, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => {
        const overlap = body.overlap_seconds ?? DEFAULT_OVERLAP_S;
        return [await applications.rotateSecret(tx, principal.userId, params.application, overlap)];
      }),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/admin/applications/:application/owner',
    access: 'superuser',
    tag: 'Administration',
    summary: 'Give an application to another user; it sleeps until they take it over with a new secret',
    description: 'What the teams have granted sleeps until an admin of each has agreed again.',
    params: Params,
    body: Type.Object({ user: Uuid }),
    item: Shared(Application),
    errors: [NotFound],
    handle: ({ params, body, write }) =>
      write(async (tx) => [await applications.giveTo(tx, params.application, body.user)]),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/admin/applications/:application/suspension',
    access: 'superuser',
    tag: 'Administration',
    summary: 'Suspend an application: it may do nothing, and what is for it waits',
    params: Params,
    item: Shared(Application),
    errors: [NotFound],
    handle: ({ params, write }) => write(async (tx) => [await applications.suspend(tx, params.application)]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/admin/applications/:application/suspension',
    access: 'superuser',
    tag: 'Administration',
    summary: 'Wake an application that an administrator has suspended',
    params: Params,
    item: Shared(Application),
    errors: [NotFound, Conflict],
    handle: ({ params, write }) => write(async (tx) => [await applications.wake(tx, params.application)]),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/directory',
    access: 'session',
    tag,
    summary: 'The applications that every team may install',
    item: Shared(PublicApplication),
    handle: () => applications.directory(),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/oauth2/test/app',
    access: 'application',
    tag: 'OAuth',
    summary: 'Whether the application’s credentials are right',
    handle: async () => [],
  });
}
