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
      'Leads to our own page, which asks, unless the person opened it from this team before, has agreed to its scopes, ' +
      'and no other site caused the request. With `Accept: application/json` the address comes as data.',
    params: Params,
    query: Type.Object({ team: Team }),
    item: Type.Object({ url: Type.String() }),
    redirects: 'To the application with a code, or to the page that asks first',
    errors: [NotFound, NotAllowed, Conflict],
    handle: async ({ params, query, principal, request, reply }) => {
      const opening = {
        person: principal,
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
      opened: Type.Boolean({ description: 'Whether the caller opened it from this team before' }),
    }),
    errors: [NotFound, NotAllowed, Conflict],
    handle: async ({ params, query, principal }) => [
      await openings.show(principal.userId, params.application, query.team),
    ],
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/opening',
    access: 'session',
    recent: { when: 'where the caller lets it do more than before' },
    tag,
    summary: 'Open an application from our own page; the answer says where the browser goes',
    description:
      'Without `scopes`, only where the person need not be asked: else 4090 with the reason `asks_first`.',
    params: Params,
    body: Type.Object({
      team: Team,
      scopes: Type.Optional(Scopes('The scopes that the caller was shown and agrees to')),
    }),
    item: Type.Object({ url: Type.String() }),
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ params, body, principal, write, reply }) =>
      write(async (tx) => {
        reply.header('Cache-Control', 'no-store');
        const opening = { person: principal, applicationId: params.application, teamId: body.team };
        const agreed = body.scopes && { agreed: body.scopes };
        const url = await openings.open(tx, { ...opening, ...agreed, byPage: true });
        if (url === undefined) throw new Conflict('asks_first', 'The person has to be asked first');
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
