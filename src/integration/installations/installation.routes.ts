import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  CallbackRefused,
  Conflict,
  defineRoute,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  Shared,
  Text,
} from '#api';
import { MAX_LINK_PREFIXES, Scopes } from '../applications/index.ts';
import { Decision, Installation, InstallationOfOwn } from './installation.schema.ts';
import type { InstallationService } from './installation.service.ts';
import type { InstallationViews } from './installation.views.ts';

const Links = (description: string) =>
  Type.Optional(Type.Array(Text(500), { maxItems: MAX_LINK_PREFIXES, uniqueItems: true, description }));
const TeamParams = Type.Object({ team: Type.String() });
const tag = 'Installations';

export function installationRoutes(
  app: FastifyInstance,
  { installations, views }: { installations: InstallationService; views: InstallationViews },
): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/applications',
    access: 'session',
    tag,
    summary: 'Installed applications of a team, and failed installations',
    params: TeamParams,
    item: Shared(Installation),
    errors: [NotFound],
    handle: ({ params, principal }) => views.list(principal.userId, params.team),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams/:team/applications',
    access: 'session',
    recent: true,
    tag,
    summary: 'Install an application on a team',
    description:
      'The application is called first, and must answer 200. Installing twice answers the same installation.',
    params: TeamParams,
    body: Type.Object({
      application: Text(100, { description: 'The client id' }),
      scopes: Type.Optional(Scopes('The scopes to grant, among those it asks for; default: all')),
      link_prefixes: Links('The beginnings of links to grant, among those it asks for; default: all'),
    }),
    item: Shared(Installation),
    errors: [NotFound, NotAllowed, Conflict, CallbackRefused],
    handle: ({ params, body, principal, origin, once }) =>
      once(async () => [await installations.install(principal.userId, params.team, body, origin)]),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/teams/:team/applications/:application/scopes',
    access: 'session',
    recent: true,
    tag,
    summary:
      'Grant an application all or part of the scopes and links it asks for; it loses the rest at once',
    description: 'Wakes an installation that sleeps since the application is in other hands.',
    params: Type.Object({ team: Type.String(), application: Type.String() }),
    body: Type.Object({
      scopes: Scopes(),
      declined: Type.Optional(
        Scopes(
          'Those among the rest that are declined, and asked for no more; default: what was declined before',
        ),
      ),
      link_prefixes: Links('The beginnings of links that it hears of; default: what was granted before'),
      declined_link_prefixes: Links(
        'Those among the rest that are declined, and asked for no more; default: what was declined before',
      ),
      owner: Type.Optional(
        Text(100, { description: 'The owner whom the admin was shown: with another one by now, 4090' }),
      ),
    }),
    item: Shared(Installation),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => {
        const given = { application: params.application, ...body };
        return [await installations.grant(tx, principal.userId, params.team, given)];
      }),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/applications/:application/scopes',
    access: 'session',
    tag,
    summary: 'What admins decided about the scopes of an application, the newest first',
    params: Type.Object({ team: Type.String(), application: Type.String() }),
    item: Decision,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal }) =>
      installations.decisions(principal.userId, params.team, params.application),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/teams/:team/applications/:application',
    access: 'session',
    tag,
    summary: 'Uninstall; every token for this team ends at once',
    params: Type.Object({ team: Type.String(), application: Type.String() }),
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await installations.uninstall(tx, principal.userId, params.team, params.application);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/installations',
    access: 'session',
    tag,
    summary: 'Where an application of the caller’s is, was, or failed to be installed; the newest first',
    params: Type.Object({ application: Type.String() }),
    query: Type.Object(pageQuery),
    item: InstallationOfOwn,
    meta: Type.Object(nextCursor),
    errors: [NotFound],
    handle: async ({ params, query, principal }) => {
      const page = readPage(query, 'id');
      const { installations: data, next } = await views.listOfOwn(principal.userId, params.application, page);
      return new Answer(data, { next_cursor: next });
    },
  });
}
