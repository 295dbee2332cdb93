import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Conflict, defineRoute, NotAllowed, NotAuthorized, NotFound, Redirect, Text, Uuid } from '#api';
import type { Database } from '#platform/db/index.ts';
import { Scopes } from '../applications/index.ts';
import { AskingApplication } from './asking.ts';
import { isOwnNavigation } from './navigation.ts';
import type { OpeningService } from './opening.service.ts';

export interface OpenDeps {
  readonly db: Database;
  readonly openings: OpeningService;
  readonly baseUrl: () => string;
}

const Params = Type.Object({ application: Type.String() });
const Team = Text(100, { description: 'From which team' });
const tag = 'OAuth';

export function openRoutes(app: FastifyInstance, { db, openings, baseUrl }: OpenDeps): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/open',
    access: 'session',
    tag,
    summary: 'Open an application: 303 to its redirect address with a code',
    description:
      'Leads to our own page instead where the person has to agree to its scopes first, or where another site caused ' +
      'the request. With `Accept: application/json` the address comes as data.',
    params: Params,
    query: Type.Object({ team: Team }),
    item: Type.Object({ url: Type.String() }),
    redirects: 'To the application with a code, or to the page that asks first',
    errors: [NotFound, NotAllowed, Conflict],
    handle: async ({ params, query, principal, request, reply }) => {
      const opening = {
        userId: principal.userId,
        applicationId: params.application,
        teamId: query.team,
      };
      const url = isOwnNavigation(request, baseUrl())
        ? await db.write((tx) => openings.open(tx, opening))
        : undefined;
      reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer');
      const page = pageOf(params.application, query.team);
      if (request.headers.accept?.includes('application/json')) return [{ url: url ?? baseUrl() + page }];
      return new Redirect(url ?? page);
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/opening',
    access: 'session',
    tag,
    summary: 'Content of the page that asks before an application is opened',
    params: Params,
    query: Type.Object({ team: Team }),
    item: Type.Object({
      application: AskingApplication,
      redirect_host: Type.String({ description: 'Where the browser goes afterwards' }),
      team: Type.Object({ id: Uuid, name: Type.String(), color: Type.String(), icon: Type.String() }),
      scopes: Type.Array(Type.String(), { description: 'The scopes it would have beyond the default' }),
      agreed: Type.Array(Type.String(), { description: 'Which of them the caller agreed to before' }),
    }),
    errors: [NotFound, NotAllowed],
    handle: async ({ params, query, principal }) => [
      await openings.show(principal.userId, params.application, query.team),
    ],
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/opening',
    access: 'session',
    tag,
    summary: 'Agree to scopes of an application and open it; the answer says where the browser goes',
    params: Params,
    body: Type.Object({
      team: Team,
      scopes: Scopes('The scopes that the caller was shown and agrees to'),
    }),
    item: Type.Object({ url: Type.String() }),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write, reply }) =>
      write(async (tx) => {
        reply.header('Cache-Control', 'no-store');
        const opening = { userId: principal.userId, applicationId: params.application, teamId: body.team };
        const url = await openings.open(tx, { ...opening, agreed: body.scopes });
        if (url === undefined) throw new Error('an opening that was agreed to has no code');
        return [{ url }];
      }),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/oauth2/test/app_as_user',
    access: 'user',
    tag,
    summary: 'Whether the access token is good',
    description: 'A session alone is refused: it would test nothing.',
    handle: async ({ principal }) => {
      if (!principal.grant) throw new NotAuthorized();
      return [];
    },
  });
}

const pageOf = (application: string, team: string) =>
  `/applications/${encodeURIComponent(application)}/open?${new URLSearchParams({ team })}`;
