import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Database, Tx } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import { defineRoute, NotAllowed, NotFound, Redirect, Text } from '../api/index.ts';
import { findApplication, redirectUrisOf } from '../applications/index.ts';
import type { CodeIssuer } from './opening.ts';
import { withParameters } from './redirect-address.ts';

export interface OpenDeps {
  readonly db: Database;
  readonly issueCode: CodeIssuer;
}

export function openRoutes(app: FastifyInstance, { db, issueCode }: OpenDeps): void {
  /** @returns where the browser goes: the redirect address with a fresh code (part 4.6) */
  async function open(tx: Tx, userId: string, applicationId: string, teamId: string): Promise<string> {
    const id = parseId(applicationId);
    const application = id && (await findApplication.first(tx, { id }));
    if (!application) throw new NotFound();
    const [redirectUri] = redirectUrisOf(application);
    if (redirectUri === undefined) throw new Error(`application ${application.id} has no redirect address`);
    return withParameters(redirectUri, {
      ...(await issueCode(tx, { userId, application, teamId, redirectUri })),
    });
  }

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/open',
    access: 'session',
    tag: 'OAuth',
    summary: 'Open an application: 303 to its redirect address with a code',
    description: 'With `Accept: application/json` the address comes as data instead.',
    params: Type.Object({ application: Type.String() }),
    query: Type.Object({ team: Text(100) }),
    item: Type.Object({ url: Type.String() }),
    errors: [NotFound, NotAllowed],
    handle: async ({ params, query, principal, request, reply }) => {
      const url = await db.write((tx) => open(tx, principal.userId, params.application, query.team));
      reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer');
      if (request.headers.accept?.includes('application/json')) return [{ url }];
      return new Redirect(url);
    },
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/oauth2/test/app_as_user',
    access: 'user',
    tag: 'OAuth',
    summary: 'Whether the access token is good',
    handle: async () => [],
  });
}
